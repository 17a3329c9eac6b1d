// Reading resizing operators.
#include "engines/resize.h"

#include <cmath>
#include <string>

#include "plumb/tensor.h"

namespace plumb {
namespace {

// Names of the scale parameters, aligned to the back: one dimension has "scales", two h and w, three d, h and
// w.
constexpr const char* kScaleNames[] = {"scales_d", "scales_h", "scales_w"};

// Output sizes, and scales either way, are at most this, so that positions stay within 64 bits.
constexpr double kMaxScale = 0x1p31;

std::optional<double> given_scale(const Call& call, const char* name) {
  if (!call.has(name)) return std::nullopt;
  const double scale = call.number(name);
  // PyTorch takes a scale that is not positive as none given.
  if (scale <= 0) return std::nullopt;
  if (!(scale >= 1 / kMaxScale && scale <= kMaxScale)) {
    call.fail("argument '" + std::string(name) + "' is " + std::to_string(scale) +
              "; expected a scale of 2^-31 to 2^31");
  }
  return scale;
}

Sizes scaled_sizes(const Call& call, const Tensor& input, const std::vector<double>& factors,
                   int spatial_dims) {
  if (factors.size() != static_cast<std::size_t>(spatial_dims)) {
    call.fail("'scale_factors' has " + std::to_string(factors.size()) + " entries; expected " +
              std::to_string(spatial_dims));
  }
  Sizes sizes;
  for (int i = 0; i < spatial_dims; ++i) {
    const double size =
        std::floor(static_cast<double>(input.size(2 + i)) * factors[static_cast<std::size_t>(i)]);
    if (!(size >= 1 && size < kMaxScale)) {
      call.fail("scale factor " + std::to_string(factors[static_cast<std::size_t>(i)]) + " is out of range");
    }
    sizes.push_back(static_cast<std::int64_t>(size));
  }
  return sizes;
}

}  // namespace

const Tensor& resized_tensor(const Call& call) {
  return call.tensor(call.has("self") ? "self" : "input");
}

Resize read_resize(const Call& call) {
  const Tensor& input = resized_tensor(call);
  Resize resize;
  resize.spatial_dims = input.rank() - 2;
  if (resize.spatial_dims < 1 || resize.spatial_dims > 3) {
    call.fail("input has shape " + shape_string(input.sizes()) + "; expected 3 to 5 dimensions");
  }
  const auto dims = static_cast<std::size_t>(resize.spatial_dims);
  resize.scales.resize(dims);
  resize.output = call.ints("output_size");
  if (call.has("scale_factors")) {
    const std::vector<double> factors = call.numbers("scale_factors");
    resize.output = scaled_sizes(call, input, factors, resize.spatial_dims);
    resize.scales.assign(factors.begin(), factors.end());
  } else if (dims == 1) {
    resize.scales[0] = given_scale(call, "scales");
  } else {
    for (std::size_t i = 0; i < dims; ++i) resize.scales[i] = given_scale(call, kScaleNames[3 - dims + i]);
  }
  if (resize.output.size() != dims) {
    call.fail("output size " + shape_string(resize.output) + " for an input of shape " +
              shape_string(input.sizes()));
  }
  for (std::size_t i = 0; i < dims; ++i) {
    if (resize.output[i] < 1 || static_cast<double>(resize.output[i]) >= kMaxScale ||
        input.size(2 + static_cast<int>(i)) < 1) {
      call.fail("cannot resize " + shape_string(input.sizes()) + " to " + shape_string(resize.output));
    }
  }
  return resize;
}

}  // namespace plumb
