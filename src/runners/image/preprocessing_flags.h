// The flags by which a user replaces parts of a package's preprocessing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plumb/package.h"

namespace plumb {

struct PreprocessingFlags {
  std::optional<std::int64_t> resize;
  std::optional<std::int64_t> crop;
  std::optional<std::string> interpolation;
  std::optional<double> scale;
  std::optional<std::vector<double>> mean;
  std::optional<std::vector<double>> std;

  bool any() const { return resize || crop || interpolation || scale || mean || std; }
  // `base` with the flags that were given in place of its values.
  PreprocessingInfo over(PreprocessingInfo base) const {
    if (resize) base.resize = *resize;
    if (crop) base.crop = *crop;
    if (interpolation) base.interpolation = *interpolation;
    if (scale) base.scale = *scale;
    if (mean) base.mean = *mean;
    if (std) base.std = *std;
    return base;
  }
};

}  // namespace plumb
