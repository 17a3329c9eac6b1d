// Shapes of reductions and of operators along one dimension.
#include <algorithm>

#include "plan/shapes/functions.h"

namespace plumb::shapes {
namespace {

// Without "dim" everything is reduced, and "keepdim" keeps every dimension as 1.
Sizes reduced_sizes(const Call& call) {
  const Tensor& self = call.tensor("self");
  const bool keepdim = call.boolean("keepdim", false);
  const std::vector<int> dims = normalize_dims(call, call.ints("dim"), self.rank());
  Sizes sizes;
  for (int dim = 0; dim < self.rank(); ++dim) {
    if (!std::binary_search(dims.begin(), dims.end(), dim)) {
      sizes.push_back(self.size(dim));
    } else if (keepdim) {
      sizes.push_back(1);
    }
  }
  return sizes;
}

// Sums and products of integers and bools are int64.
DType accumulated_dtype(const Call& call) {
  const DType self = call.tensor("self").dtype();
  return call.dtype("dtype").value_or(is_floating_point(self) ? self : DType::kInt64);
}

}  // namespace

std::vector<TensorSpec> accumulation(const Call& call) {
  return {{accumulated_dtype(call), reduced_sizes(call)}};
}

std::vector<TensorSpec> real_reduction(const Call& call) {
  const DType dtype = call.dtype("dtype").value_or(call.tensor("self").dtype());
  if (!is_floating_point(dtype))
    call.fail("the mean and the variance of integers need a floating point dtype");
  return {{dtype, reduced_sizes(call)}};
}

std::vector<TensorSpec> two_real_reductions(const Call& call) {
  const TensorSpec spec = real_reduction(call).front();
  return {spec, spec};
}

std::vector<TensorSpec> logsumexp(const Call& call) {
  return {{to_floating_point(call.tensor("self").dtype()), reduced_sizes(call)}};
}

// Bool, but for uint8, whose truth PyTorch keeps as uint8.
std::vector<TensorSpec> truth_reduction(const Call& call) {
  const bool is_byte = call.tensor("self").dtype() == DType::kUInt8;
  return {{is_byte ? DType::kUInt8 : DType::kBool, reduced_sizes(call)}};
}

std::vector<TensorSpec> value_reduction(const Call& call) {
  return {{call.tensor("self").dtype(), reduced_sizes(call)}};
}

std::vector<TensorSpec> index_reduction(const Call& call) {
  return {{DType::kInt64, reduced_sizes(call)}};
}

std::vector<TensorSpec> value_and_index_reduction(const Call& call) {
  const Sizes sizes = reduced_sizes(call);
  return {{call.tensor("self").dtype(), sizes}, {DType::kInt64, sizes}};
}

std::vector<TensorSpec> cumulative(const Call& call) {
  normalize_dim(call, call.integer("dim"), call.tensor("self").rank());
  return {{accumulated_dtype(call), sizes_of(call.tensor("self"))}};
}

std::vector<TensorSpec> softmax(const Call& call) {
  const Tensor& self = call.tensor("self");
  normalize_dim(call, call.integer("dim"), self.rank());
  const DType own = call.boolean("half_to_float", false) ? DType::kFloat32 : self.dtype();
  const DType dtype = call.dtype("dtype").value_or(own);
  if (!is_floating_point(dtype)) call.fail("softmax of integers needs a floating point dtype");
  return {{dtype, sizes_of(self)}};
}

}  // namespace plumb::shapes
