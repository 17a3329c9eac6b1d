// The part of a dimension that start, end and step name, clamped as Python does. Shared by shape propagation
// and by engines.
#pragma once

#include <cstdint>

#include "engines/engine.h"

namespace plumb {

struct Slice {
  int dim = 0;
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

// Reads "dim", "start", "end" and "step" for argument "self". Fails the call for a step below 1.
Slice read_slice(const Call& call);

}  // namespace plumb
