// Resizing as Pillow 13's Image.resize does it, bit for bit: two passes of 8-bit fixed-point convolution
// whose filter widens with the reduction (so that shrinking does not alias), or plain nearest-neighbour.
#pragma once

#include <optional>
#include <string_view>

#include "runners/image/image.h"

namespace plumb {

enum class Interpolation { kNearest, kBilinear, kBicubic, kLanczos };

std::optional<Interpolation> interpolation_from_name(std::string_view name);

// Sizes must be positive.
Image resize(const Image& image, int width, int height, Interpolation interpolation);

}  // namespace plumb
