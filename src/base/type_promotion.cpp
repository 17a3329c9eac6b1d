// Promotion of dtypes and of operands.
#include "base/type_promotion.h"

#include <optional>
#include <string>

#include "plumb/error.h"

namespace plumb {
namespace {

bool is_wide_unsigned(DType dtype) {
  return dtype == DType::kUInt16 || dtype == DType::kUInt32 || dtype == DType::kUInt64;
}

// Lets `lower` count only where it is of a higher category than `higher`.
std::optional<DType> combine(std::optional<DType> higher, std::optional<DType> lower) {
  if (!higher) return lower;
  if (!lower || is_floating_point(*higher)) return higher;
  if (*higher == DType::kBool || is_floating_point(*lower)) return promote_types(*higher, *lower);
  return higher;
}

}  // namespace

DType promote_types(DType a, DType b) {
  if (a == b) return a;
  if (is_floating_point(a) || is_floating_point(b)) {
    if (!is_floating_point(a)) return b;
    if (!is_floating_point(b)) return a;
    if (a == DType::kFloat64 || b == DType::kFloat64) return DType::kFloat64;
    return DType::kFloat32;  // also float16 with bfloat16, of which neither holds the other
  }
  if (is_wide_unsigned(a) || is_wide_unsigned(b)) {
    throw Error(ErrorKind::kExecution, "dtypes " + std::string(dtype_name(a)) + " and " +
                                           std::string(dtype_name(b)) + " have no common dtype");
  }
  if (a == DType::kBool) return b;
  if (b == DType::kBool) return a;
  const DType larger = dtype_size(a) >= dtype_size(b) ? a : b;
  const DType smaller = larger == a ? b : a;
  const bool both_one_byte = dtype_size(larger) == dtype_size(smaller);  // uint8 with int8
  return both_one_byte ? DType::kInt16 : larger;
}

DType result_type(std::span<const PromotionOperand> operands) {
  std::optional<DType> dimensioned;
  std::optional<DType> zero_dim;
  std::optional<DType> number;
  for (const PromotionOperand& operand : operands) {
    std::optional<DType>& group = operand.weight == OperandWeight::kDimensioned ? dimensioned
                                  : operand.weight == OperandWeight::kZeroDim   ? zero_dim
                                                                                : number;
    group = group ? promote_types(*group, operand.dtype) : operand.dtype;
  }
  const std::optional<DType> result = combine(dimensioned, combine(zero_dim, number));
  if (!result) throw Error(ErrorKind::kExecution, "type promotion needs at least one operand");
  return *result;
}

DType to_floating_point(DType dtype) {
  return is_floating_point(dtype) ? dtype : DType::kFloat32;
}

}  // namespace plumb
