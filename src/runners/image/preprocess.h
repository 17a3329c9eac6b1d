// From a picture to a network's input: shorter side resized and centre cropped as torchvision does, then
// normalised.
#pragma once

#include <cstdint>
#include <string>

#include "plumb/package.h"
#include "runners/image/image.h"
#include "runners/io/array.h"

namespace plumb {

// Throws Error(kInvalidArgument) when a number or name in it makes no sense; `where` says whose they are.
void check_preprocessing(const PreprocessingInfo& info, const std::string& where);

// The shorter side becomes `shorter`, the other int(shorter * long / short). Throws Error(kFile) naming the
// sizes when the result would be too large.
Image resize_shorter_side(const Image& image, std::int64_t shorter, const std::string& interpolation);
// A square from the middle; what lies outside the picture is black.
Image crop_center(const Image& image, std::int64_t size);

// float32 [1, 3, H, W], or [1, H, W, 3] for the layout NHWC; `info` must have passed check_preprocessing.
Array preprocess(const Image& image, const PreprocessingInfo& info);

}  // namespace plumb
