// PyTorch's type promotion: the dtype in which an operator on mixed operands computes.
#pragma once

#include <span>

#include "plumb/dtype.h"

namespace plumb {

// What an operand counts as: a tensor with dimensions outweighs a 0-d tensor, which outweighs a Python
// number, unless the lighter one is of a higher category (bool < integral < floating point).
enum class OperandWeight { kDimensioned, kZeroDim, kNumber };

struct PromotionOperand {
  DType dtype;
  OperandWeight weight;
};

// dtypes that Python numbers have before promotion.
inline constexpr DType kIntNumber = DType::kInt64;
inline constexpr DType kFloatNumber = DType::kFloat32;

// The smallest dtype that both convert to. Throws Error(kExecution) for uint16, uint32 or uint64 with another
// non-floating dtype, as PyTorch does.
DType promote_types(DType a, DType b);

DType result_type(std::span<const PromotionOperand> operands);

// The dtype of results that are real numbers by nature (exp, mean, true division): integral and bool become
// float32.
DType to_floating_point(DType dtype);

}  // namespace plumb
