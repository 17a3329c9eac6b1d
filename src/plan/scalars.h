// Scalars of a graph (sizes, arithmetic on them, comparisons) evaluated while planning: with the input shapes
// given they are all known, unless they depend on tensor data.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "engines/engine.h"

namespace plumb {

using Scalar = std::variant<std::int64_t, double, bool>;

bool is_scalar_op(std::string_view op);

// The result of scalar op `call.op`. Operands are found by position. Throws Error(kExecution) for a division
// by zero or an overflow of int64, Error(kUnsupported) when the value depends on data that only running would
// give.
Scalar evaluate_scalar(const Call& call);

}  // namespace plumb
