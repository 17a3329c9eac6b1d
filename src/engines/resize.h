// The parameters of resizing operators (aten.upsample_*): output sizes, and the step through the input for
// one step through the output. Shared by shape propagation and by engines.
#pragma once

#include <optional>
#include <vector>

#include "base/layout.h"
#include "engines/engine.h"

namespace plumb {

struct Resize {
  int spatial_dims = 0;
  Sizes output;  // spatial sizes only
  std::vector<std::optional<double>>
      scales;  // output over input as the caller gave it, one a spatial dimension
};

// Reads both forms: "output_size" with "scales…", and .vec with "scale_factors". Throws Error(kExecution)
// when they do not fit the input, which is the call's argument "self" or "input".
Resize read_resize(const Call& call);

// "self", or "input" as the .vec overloads call it.
const Tensor& resized_tensor(const Call& call);

}  // namespace plumb
