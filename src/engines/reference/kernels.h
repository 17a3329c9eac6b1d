// Declarations of the reference kernels: one for each row of kernels.inc. A file in ops/ includes this and
// defines the kernels of its family.
#pragma once

#include "engines/engine.h"

namespace plumb::reference {

#define PLUMB_KERNEL(op, name, numerics, symbol) extern const KernelImpl symbol;
#include "engines/reference/kernels.inc"
#undef PLUMB_KERNEL

}  // namespace plumb::reference
