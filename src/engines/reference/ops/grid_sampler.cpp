// aten.grid_sampler_2d: each output pixel is read at a place that the grid names, from -1 (one border) to 1.
#include <algorithm>
#include <cmath>

#include "engines/reference/kernels.h"
#include "engines/reference/visit.h"

namespace plumb::reference {
namespace {

enum class Interpolation : std::int64_t { kBilinear = 0, kNearest = 1 };
enum class Border : std::int64_t { kZeros = 0, kEdge = 1, kReflect = 2 };

// Reflects at `low` and `high`, as often as needed.
double reflected(double x, double low, double high) {
  const double span = high - low;
  if (span == 0) return 0;
  const double distance = std::abs(x - low);
  const double extra = std::fmod(distance, span);
  return std::fmod(std::floor(distance / span), 2.0) == 0 ? low + extra : high - extra;
}

// From grid coordinates to those of pixels, pulled inside unless outside means zero.
double pixel_coordinate(double x, std::int64_t size, bool align_corners, Border border) {
  const double n = static_cast<double>(size);
  double at = align_corners ? (x + 1) / 2 * (n - 1) : ((x + 1) * n - 1) / 2;
  if (border == Border::kReflect) {
    at = align_corners ? reflected(at, 0, n - 1) : reflected(at, -0.5, n - 0.5);
  }
  if (border != Border::kZeros) at = at > 0 ? std::min(at, n - 1) : 0;  // NaN goes to 0
  return at;
}

struct Corner {
  double y;
  double x;
  double weight;
};

void run_grid_sampler(const Call& call) {
  const Tensor& input = call.tensor("input");
  const Tensor& grid = call.tensor("grid");
  const Tensor& output = call.output();
  const bool nearest =
      call.integer("interpolation_mode") == static_cast<std::int64_t>(Interpolation::kNearest);
  const auto border = static_cast<Border>(call.integer("padding_mode"));
  const bool align = call.boolean("align_corners");
  const std::int64_t height = input.size(2);
  const std::int64_t width = input.size(3);

  visit_floating(input.dtype(), [&]<typename T>() {
    const auto pixel = [&](std::int64_t n, std::int64_t c, double y, double x) {
      // The comparisons fail for NaN too.
      if (!(y >= 0 && y < static_cast<double>(height) && x >= 0 && x < static_cast<double>(width)))
        return 0.0;
      const auto row = static_cast<std::int64_t>(y);
      const auto column = static_cast<std::int64_t>(x);
      return convert<double>(input.data<const T>()[n * input.stride(0) + c * input.stride(1) +
                                                   row * input.stride(2) + column * input.stride(3)]);
    };
    call.pool->parallel_for(output.size(0) * output.size(2), [&](std::int64_t task, int) {
      const std::int64_t n = task / output.size(2);
      const std::int64_t i = task % output.size(2);
      for (std::int64_t j = 0; j < output.size(3); ++j) {
        const std::int64_t at = n * grid.stride(0) + i * grid.stride(1) + j * grid.stride(2);
        const double x = pixel_coordinate(convert<double>(grid.data<const T>()[at]), width, align, border);
        const double y = pixel_coordinate(convert<double>(grid.data<const T>()[at + grid.stride(3)]), height,
                                          align, border);
        const double top = std::floor(y);
        const double left = std::floor(x);
        const Corner corners[] = {{top, left, (1 - (y - top)) * (1 - (x - left))},
                                  {top, left + 1, (1 - (y - top)) * (x - left)},
                                  {top + 1, left, (y - top) * (1 - (x - left))},
                                  {top + 1, left + 1, (y - top) * (x - left)}};
        for (std::int64_t c = 0; c < output.size(1); ++c) {
          double value = 0;
          if (nearest) {
            value = pixel(n, c, std::nearbyint(y), std::nearbyint(x));
          } else {
            for (const Corner& corner : corners) value += corner.weight * pixel(n, c, corner.y, corner.x);
          }
          output.data<T>()[n * output.stride(0) + c * output.stride(1) + i * output.stride(2) +
                           j * output.stride(3)] = convert<T>(value);
        }
      }
    });
  });
}

Verdict accepts_grid_sampler(const Call& call) {
  const std::int64_t mode = call.integer("interpolation_mode");
  if (mode != 0 && mode != 1) return Verdict::no("interpolation other than bilinear and nearest");
  const std::int64_t border = call.integer("padding_mode");
  if (border < 0 || border > 2) return Verdict::no("unknown padding mode");
  return expect_floating(call, "input");
}

}  // namespace

const KernelImpl grid_sampler_2d{.accepts = accepts_grid_sampler, .run = run_grid_sampler};

}  // namespace plumb::reference
