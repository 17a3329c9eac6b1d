// Depthwise convolution (one filter a channel) on channels-last images: types and the per-instruction-set
// entry points. Types only, see isa_kernels.h.
#pragma once

#include <cstdint>

#include "engines/cpu/gemm.h"

namespace plumb::cpu {

struct DepthwiseArgs {
  const float* input;  // one image, pixels of `channels` floats
  std::int64_t channels, in_h, in_w;
  std::int64_t out_h, out_w;
  std::int64_t kernel_h, kernel_w;
  std::int64_t stride_h, stride_w;
  std::int64_t dilation_h, dilation_w;
  std::int64_t pad_top, pad_left;
  const float* weight;  // packed by DepthwiseKernels::pack
  float* output;        // one image
  Epilogue epilogue;    // residual like the output
};

struct DepthwiseKernels {
  // Channels that are computed together; channel ranges below start at multiples of it.
  std::int64_t block_channels;

  // Floats that pack() writes.
  std::int64_t (*packed_size)(std::int64_t channels, std::int64_t taps);
  // `weight` is [channels][taps].
  void (*pack)(const float* weight, std::int64_t channels, std::int64_t taps, float* packed);

  // Output rows [y_begin, y_end) of channels [c_begin, c_end).
  void (*run)(const DepthwiseArgs& args, std::int64_t y_begin, std::int64_t y_end, std::int64_t c_begin,
              std::int64_t c_end);
};

}  // namespace plumb::cpu
