// Shapes of convolutions.
#include "engines/window.h"
#include "plan/shapes/functions.h"

namespace plumb::shapes {

std::vector<TensorSpec> convolution(const Call& call) {
  const Convolution c = read_convolution(call);
  const Tensor& input = call.tensor("input");
  Sizes sizes;
  if (c.batched) sizes.push_back(input.size(0));
  sizes.push_back(c.out_channels);
  sizes.insert(sizes.end(), c.output.end() - c.window.spatial_dims, c.output.end());
  return {{input.dtype(), sizes}};
}

}  // namespace plumb::shapes
