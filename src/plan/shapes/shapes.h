// Shape propagation: what an operator's outputs look like, from its resolved arguments. One row an op in
// shapes.inc. View operators are not here: views.h gives their sizes and strides.
#pragma once

#include <string_view>
#include <vector>

#include "base/layout.h"
#include "engines/engine.h"

namespace plumb {

struct TensorSpec {
  DType dtype;
  Sizes sizes;
};

// One entry an output, lists flattened. Throws Error(kExecution) through Call::fail when shapes do not fit
// together. `Call::outputs` is empty; scalars and sizes of tensors are known, data of constants too.
using ShapeFunction = std::vector<TensorSpec> (*)(const Call&);

// Null when the op has no row.
ShapeFunction find_shape_function(std::string_view op);

}  // namespace plumb
