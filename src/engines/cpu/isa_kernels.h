// The table of kernels that every instruction set provides, one entry a family. Types only: files compiled
// for one instruction set include this, so no inline function may live here.
#pragma once

#include "engines/cpu/convert_kernels.h"
#include "engines/cpu/depthwise.h"
#include "engines/cpu/elementwise_table.h"
#include "engines/cpu/gemm.h"
#include "engines/cpu/patches.h"
#include "engines/cpu/row_kernels.h"

namespace plumb::cpu {

struct IsaKernels {
  const GemmKernels* gemm;
  const DepthwiseKernels* depthwise;
  const PatchKernels* patches;
  const ElementwiseTable* elementwise;
  const RowKernels* rows;
  const ConvertKernels* convert;
};

}  // namespace plumb::cpu
