// The parameters of operators that slide a window: convolutions and poolings, read from a call and checked.
// Shared by shape propagation and by engines. Not here: any arithmetic on data.
#pragma once

#include <array>
#include <cstdint>

#include "engines/engine.h"

namespace plumb {

// One entry a spatial dimension, aligned to the back: a 2-d window uses entries 1 and 2, a 1-d one entry 2.
// The unused entries are neutral (kernel 1, stride 1, dilation 1, no padding), so that three loops serve all
// ranks.
using Spatial = std::array<std::int64_t, 3>;

struct Window {
  int spatial_dims = 0;  // 1 to 3
  Spatial kernel{1, 1, 1};
  Spatial stride{1, 1, 1};
  Spatial dilation{1, 1, 1};
  Spatial pad_before{0, 0, 0};
  Spatial pad_after{0, 0, 0};
};

struct Convolution {
  Window window;
  bool batched = true;  // false: the input is [C, spatial…]
  bool transposed = false;
  Spatial output_padding{0, 0, 0};
  std::int64_t groups = 1;
  std::int64_t in_channels = 0;
  std::int64_t out_channels = 0;
  Spatial input{1, 1, 1};
  Spatial output{1, 1, 1};
};

// For aten.convolution.default, aten.conv{1,2,3}d.{default,padding} and plumb.convolution. Throws
// Error(kExecution) when the shapes and parameters do not fit together.
Convolution read_convolution(const Call& call);

struct Pooling {
  Window window;
  bool batched = true;
  bool ceil_mode = false;
  Spatial input{1, 1, 1};
  Spatial output{1, 1, 1};
};

// For aten.{avg,max}_pool{1,2,3}d* ("self", "kernel_size", …). Throws Error(kExecution) like
// read_convolution.
Pooling read_pooling(const Call& call, int spatial_dims);

// The sizes of the spatial dimensions of `tensor` (its last ones), aligned to the back.
Spatial spatial_sizes(const Tensor& tensor, int spatial_dims);
// Their strides; 0 for unused entries.
Spatial spatial_strides(const Tensor& tensor, int spatial_dims);

}  // namespace plumb
