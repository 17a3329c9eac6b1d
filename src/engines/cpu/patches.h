// Gathering of convolution patches into rows of a matrix: types and the per-instruction-set entry point.
// Types only, see isa_kernels.h.
#pragma once

#include <cstdint>

namespace plumb::cpu {

struct PatchArgs {
  const float* input;  // one image of any strides
  std::int64_t channel_stride, row_stride, column_stride;
  std::int64_t channels, in_h, in_w;
  std::int64_t kernel_h, kernel_w;
  std::int64_t stride_h, stride_w;
  std::int64_t dilation_h, dilation_w;
  std::int64_t pad_top, pad_left;
};

struct PatchKernels {
  // Writes the patches of output pixels (out_y, [x_begin, x_end)) one after the other, each channels ×
  // kernel_h × kernel_w floats in this order, zeros where the kernel lies on padding.
  void (*gather)(const PatchArgs& args, std::int64_t out_y, std::int64_t x_begin, std::int64_t x_end,
                 float* out);
};

}  // namespace plumb::cpu
