// The ordered list of passes as data.
#pragma once

#include <span>
#include <string_view>

#include "passes/rewrites.h"

namespace plumb::passes {

enum class Need {
  kRequired,  // programs are wrong without it
  kAlways,    // runs without optimisation too, but may be disabled
  kOptimize,
};

struct Pass {
  std::string_view name;
  Need need;
  Rewrite rewrite;
  std::string_view purpose;
};

std::span<const Pass> pipeline();

}  // namespace plumb::passes
