// Average pooling, with windows of fixed size and adaptive.
#include <algorithm>

#include "engines/reference/kernels.h"
#include "engines/reference/planes.h"
#include "engines/reference/visit.h"

namespace plumb::reference {
namespace {

template <typename T>
Accumulator<T> sum_of_box(const T* plane, const Spatial& strides, const Spatial& start, const Spatial& end) {
  Accumulator<T> sum{};
  for_each_in_box(start, end, {1, 1, 1}, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    sum += convert<Accumulator<T>>(plane[position(strides, z, y, x)]);
  });
  return sum;
}

// Integers divide towards zero.
template <typename T>
T divide(Accumulator<T> sum, std::int64_t divisor) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::int64_t>(sum) / divisor);
  } else {
    return convert<T>(sum / static_cast<double>(divisor));
  }
}

std::int64_t volume(const Spatial& start, const Spatial& end) {
  return (end[0] - start[0]) * (end[1] - start[1]) * (end[2] - start[2]);
}

template <typename T>
void average_windows(const Call& call, const Pooling& p) {
  const Tensor& input = call.tensor("self");
  const Tensor& output = call.output();
  const Window& w = p.window;
  const Spatial in_strides = spatial_strides(input, w.spatial_dims);
  const Spatial out_strides = spatial_strides(output, w.spatial_dims);
  const bool count_padding = call.boolean("count_include_pad", true);
  const std::int64_t divisor_override = call.integer("divisor_override", 0);
  call.pool->parallel_for(plane_count(output, w.spatial_dims), [&](std::int64_t plane, int) {
    const T* in = input.data<const T>() + plane_offset(input, w.spatial_dims, plane);
    T* out = output.data<T>() + plane_offset(output, w.spatial_dims, plane);
    for_each_position(p.output, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
      const Spatial at{z, y, x};
      Spatial start;
      Spatial end;
      for (std::size_t d = 0; d < 3; ++d) {
        start[d] = at[d] * w.stride[d] - w.pad_before[d];
        // With ceil_mode a window may reach past the padding; that part never counts.
        end[d] = std::min(start[d] + w.kernel[d], p.input[d] + w.pad_after[d]);
      }
      const std::int64_t padded_volume = volume(start, end);
      for (std::size_t d = 0; d < 3; ++d) {
        start[d] = std::max<std::int64_t>(start[d], 0);
        end[d] = std::min(end[d], p.input[d]);
      }
      const bool empty = start[0] >= end[0] || start[1] >= end[1] || start[2] >= end[2];
      const std::int64_t divisor = divisor_override != 0 ? divisor_override
                                   : count_padding       ? padded_volume
                                                         : volume(start, end);
      out[position(out_strides, z, y, x)] =
          empty ? T{} : divide<T>(sum_of_box(in, in_strides, start, end), divisor);
    });
  });
}

template <int spatial_dims>
void run_average_pool(const Call& call) {
  const DType dtype = call.tensor("self").dtype();
  const Pooling p = read_pooling(call, spatial_dims);
  if (dtype == DType::kInt64) {
    average_windows<std::int64_t>(call, p);
  } else {
    visit_floating(dtype, [&]<typename T>() { average_windows<T>(call, p); });
  }
}

template <int spatial_dims>
void run_adaptive_average_pool(const Call& call) {
  const Tensor& input = call.tensor("self");
  const Tensor& output = call.output();
  const Spatial in_sizes = spatial_sizes(input, spatial_dims);
  const Spatial out_sizes = spatial_sizes(output, spatial_dims);
  const Spatial in_strides = spatial_strides(input, spatial_dims);
  const Spatial out_strides = spatial_strides(output, spatial_dims);
  visit_floating(input.dtype(), [&]<typename T>() {
    call.pool->parallel_for(plane_count(output, spatial_dims), [&](std::int64_t plane, int) {
      const T* in = input.data<const T>() + plane_offset(input, spatial_dims, plane);
      T* out = output.data<T>() + plane_offset(output, spatial_dims, plane);
      for_each_position(out_sizes, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
        Spatial start;
        Spatial end;
        adaptive_box(in_sizes, out_sizes, {z, y, x}, start, end);
        out[position(out_strides, z, y, x)] =
            divide<T>(sum_of_box(in, in_strides, start, end), volume(start, end));
      });
    });
  });
}

Verdict accepts_average(const Call& call) {
  return call.tensor("self").dtype() == DType::kInt64 ? Verdict::yes() : expect_floating(call, "self");
}

Verdict accepts_floating(const Call& call) {
  return expect_floating(call, "self");
}

}  // namespace

const KernelImpl avg_pool1d{.accepts = accepts_average, .run = run_average_pool<1>};
const KernelImpl avg_pool2d{.accepts = accepts_average, .run = run_average_pool<2>};
const KernelImpl avg_pool3d{.accepts = accepts_average, .run = run_average_pool<3>};
const KernelImpl adaptive_avg_pool1d{.accepts = accepts_floating, .run = run_adaptive_average_pool<1>};
const KernelImpl adaptive_avg_pool2d{.accepts = accepts_floating, .run = run_adaptive_average_pool<2>};
const KernelImpl adaptive_avg_pool3d{.accepts = accepts_floating, .run = run_adaptive_average_pool<3>};

}  // namespace plumb::reference
