// Converting runs of elements between dtypes with PyTorch's rules. Not here: iteration over tensors.
#pragma once

#include "engines/cpu/convert_kernels.h"
#include "engines/engine.h"
#include "plumb/dtype.h"

namespace plumb::cpu {

// Floating to integer truncates; what does not fit (NaN, infinities, out of range) becomes the smallest int64
// or int32 and is then cut to the width of the target, as x86 hardware and PyTorch do. Null when either dtype
// has no conversion here.
ConvertRun find_conversion(DType from, DType to);

// The same results with the call's instruction set, for tensors.
ConvertRun find_conversion(const Call& call, DType from, DType to);

}  // namespace plumb::cpu
