// Resizing images: nearest neighbour, and filters (linear, cubic) that are a sum of weighted input positions
// in each dimension.
#include "engines/resize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engines/reference/kernels.h"
#include "engines/reference/movement.h"
#include "engines/reference/visit.h"

namespace plumb::reference {
namespace {

// Steps through the input for one step through the output.
double input_step(const Resize& resize, std::size_t d, std::int64_t input, bool align_corners) {
  const std::int64_t output = resize.output[d];
  if (align_corners) {
    return output > 1 ? static_cast<double>(input - 1) / static_cast<double>(output - 1) : 0.0;
  }
  if (resize.scales[d]) return 1.0 / *resize.scales[d];
  return static_cast<double>(input) / static_cast<double>(output);
}

// floor(o * step), in float for all dtypes but double: the step's rounding decides which neighbour is
// nearest.
std::int64_t nearest(std::int64_t o, double step, std::int64_t input, bool is_double) {
  const double exact = static_cast<double>(o) * step;
  const double position =
      is_double ? exact : static_cast<double>(static_cast<float>(o) * static_cast<float>(step));
  return std::min(static_cast<std::int64_t>(std::floor(position)), input - 1);
}

void run_nearest(const Call& call) {
  const Tensor& input = resized_tensor(call);
  const Resize resize = read_resize(call);
  std::vector<PositionMap> maps{identity_map(input.size(0)), identity_map(input.size(1))};
  for (std::size_t d = 0; d < resize.output.size(); ++d) {
    const std::int64_t size = input.sizes()[2 + d];
    const double step = input_step(resize, d, size, false);
    PositionMap map;
    for (std::int64_t o = 0; o < resize.output[d]; ++o) {
      map.push_back(nearest(o, step, size, input.dtype() == DType::kFloat64));
    }
    maps.push_back(std::move(map));
  }
  copy_mapped(call.output(), input, maps);
}

struct WeightedPosition {
  std::int64_t position;
  double weight;
};
using Taps = std::vector<WeightedPosition>;

// Where output position `o` lies in the input. In float for all dtypes but double, with PyTorch's one
// rounding of a fused multiply-add: far from the origin it moves the weights visibly.
double source_of(std::int64_t o, double step, bool align_corners, bool is_double) {
  if (is_double) {
    const double at = static_cast<double>(o);
    return align_corners ? step * at : step * (at + 0.5) - 0.5;
  }
  const auto at = static_cast<float>(o);
  const auto float_step = static_cast<float>(step);
  return static_cast<double>(align_corners ? float_step * at : std::fma(float_step, at + 0.5F, -0.5F));
}

Taps linear_taps(double at, std::int64_t input) {
  const double source = std::max(at, 0.0);
  const std::int64_t low = std::min(static_cast<std::int64_t>(std::floor(source)), input - 1);
  const double fraction = std::min(source - static_cast<double>(low), 1.0);
  return {{low, 1.0 - fraction}, {std::min(low + 1, input - 1), fraction}};
}

// Keys' cubic convolution with a = -0.75, as PyTorch has it; positions outside repeat the border.
double cubic_weight(double distance) {
  constexpr double a = -0.75;
  const double x = std::abs(distance);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

Taps cubic_taps(double source, std::int64_t input) {
  const double low = std::floor(source);
  Taps taps;
  for (int k = -1; k <= 2; ++k) {
    const auto position = std::clamp<std::int64_t>(static_cast<std::int64_t>(low) + k, 0, input - 1);
    taps.push_back({position, cubic_weight(source - low - k)});
  }
  return taps;
}

// The weighted sum over the taps of all spatial dimensions from `dim` on.
template <typename T>
double filtered(const T* data, std::span<const std::int64_t> strides, std::span<const Taps* const> taps,
                std::size_t dim) {
  if (dim == taps.size()) return convert<double>(*data);
  double sum = 0;
  for (const WeightedPosition& tap : *taps[dim]) {
    sum += tap.weight * filtered(data + tap.position * strides[dim], strides, taps, dim + 1);
  }
  return sum;
}

template <auto make_taps>
void run_filter(const Call& call) {
  const Tensor& input = resized_tensor(call);
  const Tensor& output = call.output();
  const Resize resize = read_resize(call);
  const bool align_corners = call.boolean("align_corners", false);
  const std::size_t dims = resize.output.size();
  std::vector<std::vector<Taps>> taps(dims);
  for (std::size_t d = 0; d < dims; ++d) {
    const std::int64_t size = input.sizes()[2 + d];
    const double step = input_step(resize, d, size, align_corners);
    for (std::int64_t o = 0; o < resize.output[d]; ++o) {
      const double source = source_of(o, step, align_corners, input.dtype() == DType::kFloat64);
      taps[d].push_back(make_taps(source, size));
    }
  }
  const std::int64_t channels = input.size(1);
  visit_floating(input.dtype(), [&]<typename T>() {
    call.pool->parallel_for(input.size(0) * channels, [&](std::int64_t plane, int) {
      const Tensor in = select_of(select_of(input, 0, plane / channels), 0, plane % channels);
      const Tensor out = select_of(select_of(output, 0, plane / channels), 0, plane % channels);
      std::vector<std::int64_t> at(dims, 0);
      std::vector<const Taps*> here(dims);
      const std::array<SpaceStrides, 1> strides{broadcast_strides(out, out.sizes())};
      for_each_offset(out.sizes(), strides, [&](const auto& offset) {
        for (std::size_t d = 0; d < dims; ++d) here[d] = &taps[d][static_cast<std::size_t>(at[d])];
        out.data<T>()[offset[0]] = convert<T>(filtered(in.data<const T>(), in.strides(), here, 0));
        for (std::size_t d = dims; d-- > 0;) {
          if (++at[d] < resize.output[d]) break;
          at[d] = 0;
        }
      });
    });
  });
}

Verdict accepts_floating(const Call& call) {
  return expect_floating(call, call.has("self") ? "self" : "input");
}

}  // namespace

const KernelImpl upsample_nearest{.run = run_nearest};
const KernelImpl upsample_linear{.accepts = accepts_floating, .run = run_filter<linear_taps>};
const KernelImpl upsample_cubic{.accepts = accepts_floating, .run = run_filter<cubic_taps>};

}  // namespace plumb::reference
