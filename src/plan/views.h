// View operators: their outputs are other sizes, strides and an offset over the memory of their input. They
// cost nothing at run time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/layout.h"
#include "engines/engine.h"

namespace plumb {

struct View {
  Sizes sizes;
  Sizes strides;
  std::int64_t offset = 0;  // in elements, from the input's first element
};

bool is_view_op(std::string_view op);

// The outputs of view op `call.op` over its argument "self". Nothing when the
// strides do not allow a view (a reshape across non-adjacent dimensions): the caller then makes the input
// contiguous and asks again, which always succeeds. Throws Error(kExecution) for sizes, dimensions or indices
// out of range.
// `expected` is how many outputs the caller has names for: an op that gives more is an error before they are
// made.
std::optional<std::vector<View>> view_outputs(const Call& call, std::size_t expected);

}  // namespace plumb
