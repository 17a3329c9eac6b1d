// Shapes of operators that make tensors out of numbers or copy one.
#include <cmath>
#include <string>

#include "plan/shapes/functions.h"

namespace plumb::shapes {
namespace {

Sizes checked_size(const Call& call) {
  Sizes sizes = call.ints("size");
  for (const std::int64_t size : sizes) {
    if (size < 0) call.fail("negative size in shape " + shape_string(sizes));
  }
  return sizes;
}

// What a Python number becomes as a tensor.
DType number_dtype(const Call& call, std::string_view name) {
  return promoted_dtype(call, {name});
}

}  // namespace

std::vector<TensorSpec> filled(const Call& call) {
  return {{call.dtype("dtype").value_or(number_dtype(call, "fill_value")), checked_size(call)}};
}

std::vector<TensorSpec> new_of_size(const Call& call) {
  return {{call.dtype("dtype").value_or(DType::kFloat32), checked_size(call)}};
}

std::vector<TensorSpec> new_like_self(const Call& call) {
  return {{call.dtype("dtype").value_or(call.tensor("self").dtype()), checked_size(call)}};
}

std::vector<TensorSpec> like_self(const Call& call) {
  const Tensor& self = call.tensor("self");
  return {{call.dtype("dtype").value_or(self.dtype()), sizes_of(self)}};
}

std::vector<TensorSpec> scalar_tensor(const Call& call) {
  return {{call.dtype("dtype").value_or(DType::kFloat32), {}}};
}

std::vector<TensorSpec> copy(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Sizes sizes = sizes_of(self);
  if (broadcast_sizes(call, sizes, sizes_of(call.tensor("src"))) != sizes) {
    call.fail("src of shape " + shape_string(call.tensor("src").sizes()) + " does not broadcast to " +
              shape_string(sizes));
  }
  return {{self.dtype(), sizes}};
}

// ceil((end - start) / step) elements.
std::vector<TensorSpec> arange(const Call& call) {
  const auto is_float = [&](std::string_view name) {
    const CallArgument* argument = call.find(name);
    return argument != nullptr && std::holds_alternative<double>(*argument);
  };
  const bool any_float = is_float("start") || is_float("end") || is_float("step");
  const double start = call.number("start", 0.0);
  const double end = call.number("end");
  const double step = call.number("step", 1.0);
  if (step == 0 || !std::isfinite(start) || !std::isfinite(end) || (end - start) * step < 0) {
    call.fail("no range leads from " + std::to_string(start) + " to " + std::to_string(end) +
              " in steps of " + std::to_string(step));
  }
  const double count = std::ceil((end - start) / step);
  if (count >= 0x1p62) call.fail("the range has too many elements");
  const DType dtype = call.dtype("dtype").value_or(any_float ? DType::kFloat32 : DType::kInt64);
  return {{dtype, {static_cast<std::int64_t>(count)}}};
}

std::vector<TensorSpec> linspace(const Call& call) {
  const std::int64_t steps = call.integer("steps");
  if (steps < 0) call.fail("steps is " + std::to_string(steps) + "; expected at least 0");
  return {{call.dtype("dtype").value_or(DType::kFloat32), {steps}}};
}

std::vector<TensorSpec> eye(const Call& call) {
  const std::int64_t rows = call.integer("n");
  const std::int64_t columns = call.integer("m", rows);
  if (rows < 0 || columns < 0) call.fail("negative size in shape " + shape_string(Sizes{rows, columns}));
  return {{call.dtype("dtype").value_or(DType::kFloat32), {rows, columns}}};
}

}  // namespace plumb::shapes
