// Shapes of elementwise operators: operands broadcast; the dtype is the promoted one, its floating point
// counterpart, or bool.
#include <initializer_list>
#include <string_view>

#include "plan/shapes/functions.h"

namespace plumb::shapes {
namespace {

// The shape to which the named tensors broadcast; numbers and absent arguments have none.
Sizes broadcast_of(const Call& call, std::initializer_list<std::string_view> names) {
  Sizes sizes;
  for (const std::string_view name : names) {
    const CallArgument* argument = call.find(name);
    if (argument == nullptr) continue;
    if (const auto* tensor = std::get_if<const Tensor*>(argument)) {
      sizes = broadcast_sizes(call, sizes, sizes_of(**tensor));
    }
  }
  return sizes;
}

}  // namespace

std::vector<TensorSpec> same_as_self(const Call& call) {
  const Tensor& self = call.tensor("self");
  return {{self.dtype(), sizes_of(self)}};
}

// Operators that call their tensor "input".
std::vector<TensorSpec> same_as_input(const Call& call) {
  const Tensor& input = call.tensor("input");
  return {{input.dtype(), sizes_of(input)}};
}

std::vector<TensorSpec> real_of_self(const Call& call) {
  const Tensor& self = call.tensor("self");
  return {{to_floating_point(self.dtype()), sizes_of(self)}};
}

std::vector<TensorSpec> bool_of_self(const Call& call) {
  return {{DType::kBool, sizes_of(call.tensor("self"))}};
}

// The square of a bool is an int64, as that of any power with an integer exponent.
std::vector<TensorSpec> square(const Call& call) {
  const Tensor& self = call.tensor("self");
  const bool is_bool = self.dtype() == DType::kBool;
  return {{is_bool ? DType::kInt64 : self.dtype(), sizes_of(self)}};
}

std::vector<TensorSpec> binary(const Call& call) {
  return {{promoted_dtype(call, {"self", "other"}), broadcast_of(call, {"self", "other"})}};
}

std::vector<TensorSpec> real_binary(const Call& call) {
  return {
      {to_floating_point(promoted_dtype(call, {"self", "other"})), broadcast_of(call, {"self", "other"})}};
}

std::vector<TensorSpec> comparison(const Call& call) {
  return {{DType::kBool, broadcast_of(call, {"self", "other"})}};
}

std::vector<TensorSpec> divide_with_mode(const Call& call) {
  return call.has("rounding_mode") ? binary(call) : real_binary(call);
}

std::vector<TensorSpec> pow(const Call& call) {
  return {{promoted_dtype(call, {"self", "exponent"}), broadcast_of(call, {"self", "exponent"})}};
}

std::vector<TensorSpec> prelu(const Call& call) {
  return {{call.tensor("self").dtype(), broadcast_of(call, {"self", "weight"})}};
}

std::vector<TensorSpec> add_product(const Call& call) {
  return {{promoted_dtype(call, {"self", "tensor1", "tensor2"}),
           broadcast_of(call, {"self", "tensor1", "tensor2"})}};
}

std::vector<TensorSpec> lerp(const Call& call) {
  return {{call.tensor("self").dtype(), broadcast_of(call, {"self", "end", "weight"})}};
}

std::vector<TensorSpec> clamp(const Call& call) {
  return {{promoted_dtype(call, {"self", "min", "max"}), broadcast_of(call, {"self", "min", "max"})}};
}

std::vector<TensorSpec> where(const Call& call) {
  return {{promoted_dtype(call, {"self", "other"}), broadcast_of(call, {"condition", "self", "other"})}};
}

std::vector<TensorSpec> masked_fill(const Call& call) {
  return {{call.tensor("self").dtype(), broadcast_of(call, {"self", "mask"})}};
}

}  // namespace plumb::shapes
