// The operands that plumb.linear and plumb.convolution have besides input and weight. Kernels read them by
// the strides of the output, so that their shapes are checked once, here.
#pragma once

#include "plan/shapes/shapes.h"

namespace plumb::shapes {

// A bias, if given: one value a channel, [channels], of the output's dtype.
void expect_bias(const Call& call, std::int64_t channels, DType dtype);
// A residual, if given: sizes and dtype of the output.
void expect_residual(const Call& call, const TensorSpec& output);

}  // namespace plumb::shapes
