// Copying elements between two strided views. The plain version: kernels of an engine may be faster.
#pragma once

#include "plumb/tensor.h"

namespace plumb {

// Same dtype and sizes on both sides; the memory must not overlap. Bits are moved as they are (NaN payloads
// kept).
void copy_strided(const Tensor& destination, const Tensor& source);

}  // namespace plumb
