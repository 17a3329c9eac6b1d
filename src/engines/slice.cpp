// Clamping slices.
#include "engines/slice.h"

#include <algorithm>
#include <limits>
#include <string>

#include "engines/arguments.h"

namespace plumb {

Slice read_slice(const Call& call) {
  const Tensor& self = call.tensor("self");
  Slice slice;
  slice.dim = normalize_dim(call, call.integer("dim", 0), self.rank());
  slice.step = call.integer("step", 1);
  if (slice.step < 1) call.fail("step is " + std::to_string(slice.step) + "; expected 1 or more");
  const std::int64_t size = self.rank() == 0 ? 1 : self.size(slice.dim);
  const auto clamped = [size](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size);
  };
  slice.start = clamped(call.integer("start", 0));
  const std::int64_t end = clamped(call.integer("end", std::numeric_limits<std::int64_t>::max()));
  // Not (length + step - 1) / step: a step near the largest int64 would overflow.
  slice.count = end > slice.start ? (end - slice.start - 1) / slice.step + 1 : 0;
  return slice;
}

}  // namespace plumb
