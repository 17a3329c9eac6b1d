// The parameters of padding operators: how far each dimension grows or shrinks, and what fills it. Shared by
// shape propagation and by engines.
#pragma once

#include <cstdint>

#include "base/layout.h"
#include "engines/engine.h"

namespace plumb {

enum class PadMode { kConstant, kReflect, kReplicate, kCircular };

struct Padding {
  PadMode mode = PadMode::kConstant;
  Sizes before;  // one entry a dimension of self; negative: elements cut away
  Sizes after;
  Sizes output;
  double value = 0;  // kConstant
};

// For aten.constant_pad_nd, aten.pad, aten.reflection_pad{1,2,3}d and aten.replication_pad{1,2,3}d. Throws
// Error(kExecution) when padding and shape do not fit together.
Padding read_padding(const Call& call);

// The position in a dimension of `size` elements that output position `at` shows, or -1 for the constant.
std::int64_t padded_source(PadMode mode, std::int64_t at, std::int64_t before, std::int64_t size);

}  // namespace plumb
