// Shapes of resizing and sampling.
#include "engines/resize.h"
#include "plan/shapes/functions.h"

namespace plumb::shapes {

std::vector<TensorSpec> resize(const Call& call) {
  const Tensor& input = resized_tensor(call);
  Sizes sizes{input.size(0), input.size(1)};
  const Sizes spatial = read_resize(call).output;
  sizes.insert(sizes.end(), spatial.begin(), spatial.end());
  return {{input.dtype(), sizes}};
}

std::vector<TensorSpec> grid_sampler_2d(const Call& call) {
  const Tensor& input = call.tensor("input");
  const Tensor& grid = call.tensor("grid");
  if (input.rank() != 4 || grid.rank() != 4 || grid.size(3) != 2 || grid.size(0) != input.size(0)) {
    call.fail("input " + shape_string(input.sizes()) + " and grid " + shape_string(grid.sizes()) +
              "; expected [N, C, H, W] and [N, H_out, W_out, 2]");
  }
  if (input.size(2) < 1 || input.size(3) < 1)
    call.fail("input has no pixels: " + shape_string(input.sizes()));
  if (grid.dtype() != input.dtype()) call.fail("grid has another dtype than input");
  return {{input.dtype(), {input.size(0), input.size(1), grid.size(1), grid.size(2)}}};
}

}  // namespace plumb::shapes
