// Small answers that many operators share: layouts to ask for, and the dimension that an argument names.
#pragma once

#include <cstdint>
#include <string_view>

#include "engines/engine.h"

namespace plumb::cpu {

inline Layout any_layout(const Call&) {
  return Layout::kAny;
}
inline Layout contiguous_input(const Call&, std::string_view) {
  return Layout::kContiguous;
}

// Channels-last for tensors that are nothing else, row-major for all others.
inline Layout channels_last_or_contiguous(const Tensor& tensor) {
  return tensor.is_channels_last() && !tensor.is_contiguous() ? Layout::kChannelsLast : Layout::kContiguous;
}

// The argument "dim" (0 when absent) as an index from the front.
inline int dim_argument(const Call& call, int rank) {
  const auto dim = static_cast<int>(call.integer("dim", 0));
  return dim < 0 ? dim + rank : dim;
}

}  // namespace plumb::cpu
