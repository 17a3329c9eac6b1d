// Maximum pooling, with windows of fixed size and adaptive; the position of the maximum is an optional second
// output.
#include <algorithm>

#include "engines/reference/kernels.h"
#include "engines/reference/planes.h"
#include "engines/reference/visit.h"

namespace plumb::reference {
namespace {

// Calls box(at, start, end) to learn the elements of each window, `step` apart. Within a window the first of
// equal maxima wins, but the last NaN.
template <typename T, typename Box>
void take_maxima(const Call& call, int spatial_dims, const Spatial& step, const Box& box) {
  const Tensor& input = call.tensor("self");
  const Tensor& output = call.output();
  const Tensor* indices = call.outputs.size() > 1 ? &call.output(1) : nullptr;
  const Spatial in_sizes = spatial_sizes(input, spatial_dims);
  const Spatial in_strides = spatial_strides(input, spatial_dims);
  const Spatial out_strides = spatial_strides(output, spatial_dims);
  const Spatial index_strides = spatial_strides(indices == nullptr ? output : *indices, spatial_dims);
  call.pool->parallel_for(plane_count(output, spatial_dims), [&](std::int64_t plane, int) {
    const T* in = input.data<const T>() + plane_offset(input, spatial_dims, plane);
    T* out = output.data<T>() + plane_offset(output, spatial_dims, plane);
    std::int64_t* index_out = nullptr;
    if (indices != nullptr)
      index_out = indices->data<std::int64_t>() + plane_offset(*indices, spatial_dims, plane);
    for_each_position(
        spatial_sizes(output, spatial_dims), [&](std::int64_t z, std::int64_t y, std::int64_t x) {
          Spatial start;
          Spatial end;
          box({z, y, x}, start, end);
          T best = in[position(in_strides, start[0], start[1], start[2])];
          std::int64_t best_index = (start[0] * in_sizes[1] + start[1]) * in_sizes[2] + start[2];
          for_each_in_box(start, end, step, [&](std::int64_t iz, std::int64_t iy, std::int64_t ix) {
            const T candidate = in[position(in_strides, iz, iy, ix)];
            const auto value = convert<Comparable<T>>(candidate);
            if (value > convert<Comparable<T>>(best) || value != value) {
              best = candidate;
              best_index = (iz * in_sizes[1] + iy) * in_sizes[2] + ix;
            }
          });
          out[position(out_strides, z, y, x)] = best;
          if (index_out != nullptr) index_out[position(index_strides, z, y, x)] = best_index;
        });
  });
}

template <int spatial_dims>
void run_max_pool(const Call& call) {
  const Pooling p = read_pooling(call, spatial_dims);
  const Window& w = p.window;
  const auto box = [&](const Spatial& at, Spatial& start, Spatial& end) {
    for (std::size_t d = 0; d < 3; ++d) {
      start[d] = at[d] * w.stride[d] - w.pad_before[d];
      end[d] = std::min(start[d] + (w.kernel[d] - 1) * w.dilation[d] + 1, p.input[d]);
      // The first element of the window that is not padding.
      if (start[d] < 0) start[d] += (-start[d] + w.dilation[d] - 1) / w.dilation[d] * w.dilation[d];
    }
  };
  visit_number(call.tensor("self").dtype(),
               [&]<typename T>() { take_maxima<T>(call, spatial_dims, w.dilation, box); });
}

template <int spatial_dims>
void run_adaptive_max_pool(const Call& call) {
  const Spatial in = spatial_sizes(call.tensor("self"), spatial_dims);
  const Spatial out = spatial_sizes(call.output(), spatial_dims);
  const auto box = [&](const Spatial& at, Spatial& start, Spatial& end) {
    adaptive_box(in, out, at, start, end);
  };
  visit_floating(call.tensor("self").dtype(), [&]<typename T>() {
    take_maxima<T>(call, spatial_dims, {1, 1, 1}, box);
  });
}

Verdict accepts_number(const Call& call) {
  return expect_number(call, "self");
}
Verdict accepts_floating(const Call& call) {
  return expect_floating(call, "self");
}

}  // namespace

const KernelImpl max_pool1d{.accepts = accepts_number, .run = run_max_pool<1>};
const KernelImpl max_pool2d{.accepts = accepts_number, .run = run_max_pool<2>};
const KernelImpl max_pool3d{.accepts = accepts_number, .run = run_max_pool<3>};
const KernelImpl adaptive_max_pool1d{.accepts = accepts_floating, .run = run_adaptive_max_pool<1>};
const KernelImpl adaptive_max_pool2d{.accepts = accepts_floating, .run = run_adaptive_max_pool<2>};
const KernelImpl adaptive_max_pool3d{.accepts = accepts_floating, .run = run_adaptive_max_pool<3>};

}  // namespace plumb::reference
