// The arguments of aten.convolution.default and plumb.convolution as numbers, for one or two spatial
// dimensions (one is two with height 1), and the preconditions that all convolution kernels here share.
#pragma once

#include <cstdint>
#include <string_view>

#include "engines/engine.h"

namespace plumb::cpu {

struct Conv {
  std::int64_t batch, groups;
  std::int64_t in_channels, in_h, in_w;
  std::int64_t out_channels, out_h, out_w;
  std::int64_t kernel_h, kernel_w;
  std::int64_t stride_h, stride_w;
  std::int64_t dilation_h, dilation_w;
  std::int64_t pad_top, pad_left, pad_bottom, pad_right;

  std::int64_t taps() const { return kernel_h * kernel_w; }
  std::int64_t group_in() const { return in_channels / groups; }
  std::int64_t group_out() const { return out_channels / groups; }
  std::int64_t pixels() const { return batch * out_h * out_w; }
  bool padded() const { return pad_top != 0 || pad_left != 0 || pad_bottom != 0 || pad_right != 0; }
};

// Only for calls that accept_conv() took.
Conv conv_of(const Call& call);

// f32, one or two spatial dimensions, not transposed, constant weight.
Verdict accept_conv(const Call& call);

// Channels-last activations, everything else row-major.
Layout conv_input_layout(const Call& call, std::string_view argument);
Layout conv_output_layout(const Call& call);

}  // namespace plumb::cpu
