// Shapes of poolings.
#include "engines/window.h"
#include "plan/shapes/functions.h"

namespace plumb::shapes {
namespace {

// The leading sizes of `self` followed by `spatial` (its last entries).
Sizes with_spatial(const Tensor& self, int spatial_dims, std::span<const std::int64_t> spatial) {
  Sizes sizes(self.sizes().begin(), self.sizes().end() - spatial_dims);
  sizes.insert(sizes.end(), spatial.end() - spatial_dims, spatial.end());
  return sizes;
}

template <int spatial_dims>
Sizes window_sizes(const Call& call) {
  return with_spatial(call.tensor("self"), spatial_dims, read_pooling(call, spatial_dims).output);
}

template <int spatial_dims>
Sizes adaptive_sizes(const Call& call) {
  const Tensor& self = call.tensor("self");
  if (self.rank() != spatial_dims + 1 && self.rank() != spatial_dims + 2) {
    call.fail("input has shape " + shape_string(self.sizes()) + "; expected " +
              std::to_string(spatial_dims + 1) + " or " + std::to_string(spatial_dims + 2) + " dimensions");
  }
  std::vector<std::int64_t> output = call.ints("output_size");
  if (output.size() == 1) output.assign(spatial_dims, output[0]);
  if (output.size() != spatial_dims) {
    call.fail("'output_size' has " + std::to_string(output.size()) + " entries; expected " +
              std::to_string(spatial_dims));
  }
  for (int i = 0; i < spatial_dims; ++i) {
    if (output[static_cast<std::size_t>(i)] < 0) call.fail("negative 'output_size' " + shape_string(output));
    if (self.size(self.rank() - spatial_dims + i) < 1) {
      call.fail("input has an empty spatial dimension: " + shape_string(self.sizes()));
    }
  }
  return with_spatial(self, spatial_dims, output);
}

std::vector<TensorSpec> values(const Call& call, Sizes sizes) {
  return {{call.tensor("self").dtype(), std::move(sizes)}};
}

std::vector<TensorSpec> values_and_indices(const Call& call, const Sizes& sizes) {
  return {{call.tensor("self").dtype(), sizes}, {DType::kInt64, sizes}};
}

}  // namespace

std::vector<TensorSpec> pool1d(const Call& call) {
  return values(call, window_sizes<1>(call));
}
std::vector<TensorSpec> pool2d(const Call& call) {
  return values(call, window_sizes<2>(call));
}
std::vector<TensorSpec> pool3d(const Call& call) {
  return values(call, window_sizes<3>(call));
}

std::vector<TensorSpec> max_pool1d_with_indices(const Call& call) {
  return values_and_indices(call, window_sizes<1>(call));
}
std::vector<TensorSpec> max_pool2d_with_indices(const Call& call) {
  return values_and_indices(call, window_sizes<2>(call));
}
std::vector<TensorSpec> max_pool3d_with_indices(const Call& call) {
  return values_and_indices(call, window_sizes<3>(call));
}

std::vector<TensorSpec> adaptive_avg_pool1d(const Call& call) {
  return values(call, adaptive_sizes<1>(call));
}
std::vector<TensorSpec> adaptive_avg_pool2d(const Call& call) {
  return values(call, adaptive_sizes<2>(call));
}
std::vector<TensorSpec> adaptive_avg_pool3d(const Call& call) {
  return values(call, adaptive_sizes<3>(call));
}

std::vector<TensorSpec> adaptive_max_pool1d(const Call& call) {
  return values_and_indices(call, adaptive_sizes<1>(call));
}
std::vector<TensorSpec> adaptive_max_pool2d(const Call& call) {
  return values_and_indices(call, adaptive_sizes<2>(call));
}
std::vector<TensorSpec> adaptive_max_pool3d(const Call& call) {
  return values_and_indices(call, adaptive_sizes<3>(call));
}

}  // namespace plumb::shapes
