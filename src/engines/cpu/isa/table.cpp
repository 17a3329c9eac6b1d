// Gathers the kernel families of one instruction set.
#include "engines/cpu/isa_kernels.h"

namespace plumb::cpu::PLUMB_ISA {

extern const GemmKernels gemm_kernels;
extern const DepthwiseKernels depthwise_kernels;
extern const PatchKernels patch_kernels;
extern const ElementwiseTable elementwise_table;
extern const RowKernels row_kernels;
extern const ConvertKernels convert_kernels;

extern const IsaKernels kernels;
const IsaKernels kernels{
    .gemm = &gemm_kernels,
    .depthwise = &depthwise_kernels,
    .patches = &patch_kernels,
    .elementwise = &elementwise_table,
    .rows = &row_kernels,
    .convert = &convert_kernels,
};

}  // namespace plumb::cpu::PLUMB_ISA
