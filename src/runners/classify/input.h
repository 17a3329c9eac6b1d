// From what a file holds to the tensor that a method takes.
#pragma once

#include <string>

#include "plumb/package.h"
#include "runners/classify/jobs.h"

namespace plumb {

// How pictures become inputs: the package's preprocessing with the user's flags over it.
struct ImageRules {
  bool known = false;  // the package or a flag says anything at all
  PreprocessingInfo preprocessing;
};
ImageRules image_rules(const Package& package, const PreprocessingFlags& flags);

// An array with dtype and sizes that `input` allows. Throws Error(kFile) naming `path`, the expected shape
// and bytes, or the place and value of a pixel that is not finite.
Array input_tensor(const InputData& data, const std::string& path, const TensorInfo& input,
                   const ImageRules& rules);

}  // namespace plumb
