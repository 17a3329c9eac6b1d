// Geometry in integers, then (p * scale - mean) / std in double, rounded once to float.
#include "runners/image/preprocess.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "plumb/error.h"
#include "runners/image/decode.h"
#include "runners/image/resample.h"
#include "runners/text.h"

namespace plumb {
namespace {

[[noreturn]] void fail(const std::string& where, const std::string& why) {
  throw Error(ErrorKind::kInvalidArgument, where + ": " + why);
}

void check_size(const std::string& where, const char* name, std::int64_t size) {
  constexpr std::int64_t kLargest = 1 << 14;
  if (size >= 0 && size <= kLargest) return;
  fail(where, format("%s is %lld; expected 0 (not) to %lld pixels", name, static_cast<long long>(size),
                     static_cast<long long>(kLargest)));
}

// One value stands for all three channels.
double channel(const std::vector<double>& values, std::size_t c, double fallback) {
  if (values.empty()) return fallback;
  return values.size() == 1 ? values[0] : values[c];
}

void check_channels(const std::string& where, const char* name, const std::vector<double>& values) {
  if (!values.empty() && values.size() != 1 && values.size() != 3) {
    fail(where, format("%s has %zu values; expected 1 or 3", name, values.size()));
  }
  for (const double value : values) {
    if (!std::isfinite(value))
      fail(where, format("%s has the value %g; expected finite values", name, value));
  }
}

// Python's round(): halves go to the even neighbour.
int half_rounded_to_even(std::int64_t twice) {
  const std::int64_t floor = twice >= 0 ? twice / 2 : (twice - 1) / 2;
  return static_cast<int>(twice % 2 != 0 && floor % 2 != 0 ? floor + 1 : floor);
}

// Where the crop begins in a side of `size` pixels. A side that is too short is padded first, the odd pixel
// at its end, so the crop begins that far before it.
int crop_start(int size, int crop) {
  return crop > size ? -((crop - size) / 2) : half_rounded_to_even(size - crop);
}

std::array<float, 256> normalised_levels(double scale, double mean, double std) {
  std::array<float, 256> table;
  for (std::size_t p = 0; p < table.size(); ++p) {
    table[p] = static_cast<float>((static_cast<double>(p) * scale - mean) / std);
  }
  return table;
}

}  // namespace

void check_preprocessing(const PreprocessingInfo& info, const std::string& where) {
  check_size(where, "resize", info.resize);
  check_size(where, "crop", info.crop);
  if (!interpolation_from_name(info.interpolation)) {
    fail(where, "interpolation '" + info.interpolation +
                    "' is unknown; expected nearest, bilinear, bicubic or lanczos");
  }
  if (info.channels != "RGB" && info.channels != "BGR") {
    fail(where, "channels '" + info.channels + "' is unknown; expected RGB or BGR");
  }
  if (info.layout != "NCHW" && info.layout != "NHWC") {
    fail(where, "layout '" + info.layout + "' is unknown; expected NCHW or NHWC");
  }
  if (!std::isfinite(info.scale)) fail(where, format("scale is %g; expected a finite value", info.scale));
  check_channels(where, "mean", info.mean);
  check_channels(where, "std", info.std);
  for (const double value : info.std) {
    if (value == 0.0) fail(where, "std has the value 0");
  }
}

Image resize_shorter_side(const Image& image, std::int64_t shorter, const std::string& interpolation) {
  const std::int64_t short_side = std::min(image.width, image.height);
  const std::int64_t long_side = std::max(image.width, image.height);
  const std::int64_t longer = shorter * long_side / short_side;
  if (longer > kMaxImagePixels / shorter) {
    throw Error(ErrorKind::kFile,
                format("cannot resize a picture of %d x %d pixels: its longer side would have %lld",
                       image.width, image.height, static_cast<long long>(longer)));
  }
  const bool upright = image.width <= image.height;
  return resize(image, static_cast<int>(upright ? shorter : longer),
                static_cast<int>(upright ? longer : shorter), *interpolation_from_name(interpolation));
}

Image crop_center(const Image& image, std::int64_t size) {
  const int side = static_cast<int>(size);
  Image result(side, side);
  const int left = crop_start(image.width, side);
  const int top = crop_start(image.height, side);
  const int first = std::max(0, -left);
  const int last = std::min(side, image.width - left);
  for (int y = std::max(0, -top); y < std::min(side, image.height - top); ++y) {
    std::copy_n(image.row(y + top) + 3 * static_cast<std::ptrdiff_t>(first + left),
                3 * static_cast<std::size_t>(last - first),
                result.row(y) + 3 * static_cast<std::ptrdiff_t>(first));
  }
  return result;
}

Array preprocess(const Image& image, const PreprocessingInfo& info) {
  Image changed;
  const Image* source = &image;
  if (info.resize > 0) {
    changed = resize_shorter_side(*source, info.resize, info.interpolation);
    source = &changed;
  }
  if (info.crop > 0) {
    changed = crop_center(*source, info.crop);
    source = &changed;
  }
  const std::size_t pixels = source->rgb.size() / 3;
  const bool channels_last = info.layout == "NHWC";
  Array array{DType::kFloat32, {1, 3, source->height, source->width}, {}};
  if (channels_last) array.sizes = {1, source->height, source->width, 3};
  array.bytes.resize(pixels * 3 * sizeof(float));
  auto* values = reinterpret_cast<float*>(array.bytes.data());
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t colour = info.channels == "BGR" ? 2 - c : c;
    const std::array<float, 256> table =
        normalised_levels(info.scale, channel(info.mean, c, 0.0), channel(info.std, c, 1.0));
    for (std::size_t i = 0; i < pixels; ++i) {
      values[channels_last ? 3 * i + c : c * pixels + i] = table[source->rgb[3 * i + colour]];
    }
  }
  return array;
}

}  // namespace plumb
