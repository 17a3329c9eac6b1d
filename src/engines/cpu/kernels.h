// Declares every kernel of kernels.inc, so that the file that defines one is checked against its row.
#pragma once

#include "engines/engine.h"

namespace plumb::cpu {

#define PLUMB_KERNEL(op, name, numerics, symbol) extern const KernelImpl symbol;
#include "engines/cpu/kernels.inc"
#undef PLUMB_KERNEL

}  // namespace plumb::cpu
