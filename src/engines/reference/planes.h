// Tensors of the form [N, C, spatial…] or [C, spatial…], seen as lists of channel planes.
#pragma once

#include <cstdint>

#include "engines/reference/strided.h"
#include "engines/window.h"

namespace plumb::reference {

// Every plane of `tensor`: the product of the sizes before the spatial ones.
inline std::int64_t plane_count(const Tensor& tensor, int spatial_dims) {
  std::int64_t count = 1;
  for (int d = 0; d < tensor.rank() - spatial_dims; ++d) count *= tensor.size(d);
  return count;
}

// Where plane `index` (row-major over the leading dimensions) begins.
inline std::int64_t plane_offset(const Tensor& tensor, int spatial_dims, std::int64_t index) {
  std::int64_t offset = 0;
  for (int d = tensor.rank() - spatial_dims - 1; d >= 0; --d) {
    offset += index % tensor.size(d) * tensor.stride(d);
    index /= tensor.size(d);
  }
  return offset;
}

inline std::int64_t position(const Spatial& strides, std::int64_t z, std::int64_t y, std::int64_t x) {
  return z * strides[0] + y * strides[1] + x * strides[2];
}

// body(z, y, x) for each position, in row-major order.
template <typename Body>
void for_each_position(const Spatial& sizes, Body&& body) {
  for (std::int64_t z = 0; z < sizes[0]; ++z) {
    for (std::int64_t y = 0; y < sizes[1]; ++y) {
      for (std::int64_t x = 0; x < sizes[2]; ++x) body(z, y, x);
    }
  }
}

// body(z, y, x) for start, start + step, … below end in each dimension.
template <typename Body>
void for_each_in_box(const Spatial& start, const Spatial& end, const Spatial& step, Body&& body) {
  for (std::int64_t z = start[0]; z < end[0]; z += step[0]) {
    for (std::int64_t y = start[1]; y < end[1]; y += step[1]) {
      for (std::int64_t x = start[2]; x < end[2]; x += step[2]) body(z, y, x);
    }
  }
}

// The cell of adaptive pooling: [floor(o * in / out), ceil((o + 1) * in / out)).
inline void adaptive_box(const Spatial& in, const Spatial& out, const Spatial& at, Spatial& start,
                         Spatial& end) {
  for (std::size_t d = 0; d < 3; ++d) {
    start[d] = at[d] * in[d] / out[d];
    end[d] = ((at[d] + 1) * in[d] + out[d] - 1) / out[d];
  }
}

}  // namespace plumb::reference
