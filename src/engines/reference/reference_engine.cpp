// The table of reference kernels.
#include "engines/reference/reference_engine.h"

#include "engines/reference/kernels.h"

namespace plumb {

std::span<const Kernel> ReferenceEngine::kernels() const {
  static constexpr Kernel kTable[] = {
#define PLUMB_KERNEL(op, name, numerics, symbol) {op, name, Numerics::numerics, &reference::symbol},
#include "engines/reference/kernels.inc"
#undef PLUMB_KERNEL
  };
  return kTable;
}

}  // namespace plumb
