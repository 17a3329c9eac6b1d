// Exact shapes only: nothing broadcasts in an epilogue.
#include "plan/shapes/epilogue.h"

#include "plan/shapes/functions.h"

namespace plumb::shapes {
namespace {

void expect_operand(const Call& call, const char* name, const TensorSpec& expected) {
  const Tensor* operand = call.optional_tensor(name);
  if (operand == nullptr) return;
  if (operand->dtype() != expected.dtype || sizes_of(*operand) != expected.sizes) {
    call.fail("argument '" + std::string(name) + "' is " + std::string(dtype_name(operand->dtype())) +
              shape_string(operand->sizes()) + "; expected " + std::string(dtype_name(expected.dtype)) +
              shape_string(expected.sizes));
  }
}

}  // namespace

void expect_bias(const Call& call, std::int64_t channels, DType dtype) {
  expect_operand(call, "bias", {dtype, {channels}});
}

void expect_residual(const Call& call, const TensorSpec& output) {
  expect_operand(call, "residual", output);
}

}  // namespace plumb::shapes
