// Declarations of the shape functions, one for each row of shapes.inc, and what they are built from. A file
// here includes this and defines the functions of its family.
#pragma once

#include "engines/arguments.h"
#include "plan/shapes/shapes.h"

namespace plumb::shapes {

#define PLUMB_SHAPE(op, function) std::vector<TensorSpec> function(const Call& call);
#include "plan/shapes/shapes.inc"
#undef PLUMB_SHAPE

inline Sizes sizes_of(const Tensor& tensor) {
  return {tensor.sizes().begin(), tensor.sizes().end()};
}

}  // namespace plumb::shapes
