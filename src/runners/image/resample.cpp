// Coefficients in double, rounded to 22 fractional bits; two passes, each rounding to 8 bits.
#include "runners/image/resample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace plumb {
namespace {

constexpr int kFractionBits = 22;  // 32 bits, less 8 of the pixel, less 2 for sums that overshoot

double bilinear_filter(double x) {
  return std::max(0.0, 1.0 - std::fabs(x));
}

// Keys' cubic with a = -0.5.
double bicubic_filter(double x) {
  constexpr double kA = -0.5;
  x = std::fabs(x);
  if (x < 1.0) return ((kA + 2.0) * x - (kA + 3.0)) * x * x + 1.0;
  if (x < 2.0) return (((x - 5.0) * x + 8.0) * x - 4.0) * kA;
  return 0.0;
}

double sinc(double x) {
  if (x == 0.0) return 1.0;
  x *= std::numbers::pi;
  return std::sin(x) / x;
}

double lanczos_filter(double x) {
  return x >= -3.0 && x < 3.0 ? sinc(x) * sinc(x / 3.0) : 0.0;
}

struct Filter {
  double (*weight)(double);
  double support;
};

Filter filter_of(Interpolation interpolation) {
  switch (interpolation) {
    case Interpolation::kBicubic:
      return {bicubic_filter, 2.0};
    case Interpolation::kLanczos:
      return {lanczos_filter, 3.0};
    default:
      return {bilinear_filter, 1.0};
  }
}

// For each output position: the first input position, and the weights from there on.
struct Taps {
  int first = 0;
  std::vector<std::int32_t> weights;
};

std::vector<Taps> make_taps(int in, int out, const Filter& filter) {
  const double scale = static_cast<double>(in) / out;
  const double filter_scale = std::max(scale, 1.0);
  const double support = filter.support * filter_scale;
  const double inverse = 1.0 / filter_scale;
  std::vector<Taps> taps(static_cast<std::size_t>(out));
  std::vector<double> weights;
  for (int i = 0; i < out; ++i) {
    const double center = (i + 0.5) * scale;
    const int first = std::max(static_cast<int>(center - support + 0.5), 0);
    const int last = std::min(static_cast<int>(center + support + 0.5), in);
    weights.clear();
    double sum = 0.0;
    for (int x = first; x < last; ++x) {
      weights.push_back(filter.weight((x - center + 0.5) * inverse));
      sum += weights.back();
    }
    Taps& tap = taps[static_cast<std::size_t>(i)];
    tap.first = first;
    for (double weight : weights) {
      if (sum != 0.0) weight /= sum;
      tap.weights.push_back(
          static_cast<std::int32_t>(weight * (1 << kFractionBits) + (weight < 0 ? -0.5 : 0.5)));
    }
  }
  return taps;
}

std::uint8_t round_to_byte(std::int32_t sum) {
  return static_cast<std::uint8_t>(std::clamp(sum >> kFractionBits, 0, 255));
}

constexpr std::int32_t kHalf = 1 << (kFractionBits - 1);

Image resize_horizontally(const Image& image, int width, const Filter& filter) {
  Image result(width, image.height);
  const std::vector<Taps> taps = make_taps(image.width, width, filter);
  for (int y = 0; y < image.height; ++y) {
    const std::uint8_t* from = image.row(y);
    std::uint8_t* to = result.row(y);
    for (const Taps& tap : taps) {
      std::array<std::int32_t, 3> sums{kHalf, kHalf, kHalf};
      const std::uint8_t* pixel = from + 3 * static_cast<std::ptrdiff_t>(tap.first);
      for (const std::int32_t weight : tap.weights) {
        for (std::size_t c = 0; c < 3; ++c) sums[c] += weight * *pixel++;
      }
      for (const std::int32_t sum : sums) *to++ = round_to_byte(sum);
    }
  }
  return result;
}

Image resize_vertically(const Image& image, int height, const Filter& filter) {
  Image result(image.width, height);
  const std::vector<Taps> taps = make_taps(image.height, height, filter);
  const std::size_t bytes = static_cast<std::size_t>(image.width) * 3;
  std::vector<std::int32_t> sums(bytes);
  for (int y = 0; y < height; ++y) {
    const Taps& tap = taps[static_cast<std::size_t>(y)];
    std::fill(sums.begin(), sums.end(), kHalf);
    for (std::size_t k = 0; k < tap.weights.size(); ++k) {
      const std::uint8_t* from = image.row(tap.first + static_cast<int>(k));
      for (std::size_t i = 0; i < bytes; ++i) sums[i] += tap.weights[k] * from[i];
    }
    std::transform(sums.begin(), sums.end(), result.row(y), round_to_byte);
  }
  return result;
}

// Pillow 13's rule (older ones never do): the pass that throws away much more goes first. Each pass rounds,
// so the order shows in the last bit.
bool vertical_pass_first(const Image& image, int width, int height) {
  return height < image.height && image.height - height > 2 * (image.width - width);
}

// Positions are accumulated, not multiplied out: the rounding of the sum decides which of two pixels is
// nearest.
std::vector<int> nearest_positions(int in, int out) {
  const double scale = static_cast<double>(in) / out;
  std::vector<int> positions;
  double at = scale * 0.5;
  for (int i = 0; i < out; ++i, at += scale) positions.push_back(std::min(static_cast<int>(at), in - 1));
  return positions;
}

Image resize_nearest(const Image& image, int width, int height) {
  Image result(width, height);
  const std::vector<int> columns = nearest_positions(image.width, width);
  const std::vector<int> rows = nearest_positions(image.height, height);
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* from = image.row(rows[static_cast<std::size_t>(y)]);
    std::uint8_t* to = result.row(y);
    for (const int column : columns) to = std::copy_n(from + 3 * static_cast<std::ptrdiff_t>(column), 3, to);
  }
  return result;
}

}  // namespace

std::optional<Interpolation> interpolation_from_name(std::string_view name) {
  if (name == "nearest") return Interpolation::kNearest;
  if (name == "bilinear") return Interpolation::kBilinear;
  if (name == "bicubic") return Interpolation::kBicubic;
  if (name == "lanczos") return Interpolation::kLanczos;
  return std::nullopt;
}

Image resize(const Image& image, int width, int height, Interpolation interpolation) {
  if (width == image.width && height == image.height) return image;
  if (interpolation == Interpolation::kNearest) return resize_nearest(image, width, height);
  const Filter filter = filter_of(interpolation);
  const auto across = [&](const Image& from) {
    return width == from.width ? from : resize_horizontally(from, width, filter);
  };
  const auto down = [&](const Image& from) {
    return height == from.height ? from : resize_vertically(from, height, filter);
  };
  return vertical_pass_first(image, width, height) ? across(down(image)) : down(across(image));
}

}  // namespace plumb
