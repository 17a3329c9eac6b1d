// Shapes of convolutions.
#include "engines/window.h"
#include "plan/shapes/epilogue.h"
#include "plan/shapes/functions.h"

namespace plumb::shapes {

std::vector<TensorSpec> convolution(const Call& call) {
  const Convolution c = read_convolution(call);
  const Tensor& input = call.tensor("input");
  const Tensor& weight = call.tensor("weight");
  if (weight.dtype() != input.dtype()) {
    call.fail("weight is " + std::string(dtype_name(weight.dtype())) + "; expected the input's " +
              std::string(dtype_name(input.dtype())));
  }
  expect_bias(call, c.out_channels, input.dtype());
  Sizes sizes;
  if (c.batched) sizes.push_back(input.size(0));
  sizes.push_back(c.out_channels);
  sizes.insert(sizes.end(), c.output.end() - c.window.spatial_dims, c.output.end());
  return {{input.dtype(), sizes}};
}

std::vector<TensorSpec> fused_convolution(const Call& call) {
  auto specs = convolution(call);
  expect_residual(call, specs[0]);
  return specs;
}

}  // namespace plumb::shapes
