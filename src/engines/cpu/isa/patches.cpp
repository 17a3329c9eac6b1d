// Patch gathering: runs of kernel_w floats, the same run of all pixels before the next one.
#include "engines/cpu/patches.h"

#include "engines/cpu/simd.h"

namespace plumb::cpu::PLUMB_ISA {
namespace {

constexpr std::int64_t min64(std::int64_t a, std::int64_t b) {
  return a < b ? a : b;
}
constexpr std::int64_t max64(std::int64_t a, std::int64_t b) {
  return a > b ? a : b;
}
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

// `runs` runs of `length` contiguous floats each.
void copy_runs(float* to, std::int64_t to_stride, const float* from, std::int64_t from_stride,
               std::int64_t runs, std::int64_t length) {
  for (; length >= kWidth; length -= kWidth, to += kWidth, from += kWidth) {
    for (std::int64_t i = 0; i < runs; ++i) store(to + i * to_stride, load(from + i * from_stride));
  }
  if (length == 0) return;
  if (length == 3) {  // the usual first layer; cheaper than masks and loops
    for (std::int64_t i = 0; i < runs; ++i) {
      for (int j = 0; j < 3; ++j) to[i * to_stride + j] = from[i * from_stride + j];
    }
    return;
  }
  if constexpr (kHasMaskedStores) {
    const int lanes = static_cast<int>(length);
    for (std::int64_t i = 0; i < runs; ++i) {
      store_first(to + i * to_stride, load_first(from + i * from_stride, lanes), lanes);
    }
  } else {
    for (std::int64_t i = 0; i < runs; ++i) {
      for (std::int64_t j = 0; j < length; ++j) to[i * to_stride + j] = from[i * from_stride + j];
    }
  }
}

// One kernel row of one channel for output columns [x_begin, x_end). `row` is null where it lies on padding.
void gather_row(const PatchArgs& p, const float* row, std::int64_t x_begin, std::int64_t x_end, float* out,
                std::int64_t patch) {
  // Output columns whose whole run lies inside the image, where it can be copied.
  std::int64_t inner_begin = x_end;
  std::int64_t inner_end = x_end;
  const std::int64_t reach = (p.kernel_w - 1) * p.dilation_w;
  if (row != nullptr && p.column_stride == 1 && p.dilation_w == 1 && p.in_w > reach) {
    inner_begin = min64(x_end, max64(x_begin, ceil_div(max64(0, p.pad_left), p.stride_w)));
    const std::int64_t last = p.in_w - 1 - reach + p.pad_left;  // the last start, in padded columns
    inner_end = max64(inner_begin, min64(x_end, last < 0 ? 0 : last / p.stride_w + 1));
    copy_runs(out + (inner_begin - x_begin) * patch, patch, row + inner_begin * p.stride_w - p.pad_left,
              p.stride_w, inner_end - inner_begin, p.kernel_w);
  }
  for (std::int64_t x = x_begin; x < x_end; ++x) {
    if (x == inner_begin) x = inner_end;
    if (x == x_end) break;
    float* to = out + (x - x_begin) * patch;
    for (std::int64_t kx = 0; kx < p.kernel_w; ++kx) {
      const std::int64_t at = x * p.stride_w - p.pad_left + kx * p.dilation_w;
      to[kx] = row != nullptr && at >= 0 && at < p.in_w ? row[at * p.column_stride] : 0.0F;
    }
  }
}

void gather(const PatchArgs& p, std::int64_t out_y, std::int64_t x_begin, std::int64_t x_end, float* out) {
  const std::int64_t patch = p.channels * p.kernel_h * p.kernel_w;
  for (std::int64_t c = 0; c < p.channels; ++c) {
    for (std::int64_t ky = 0; ky < p.kernel_h; ++ky) {
      const std::int64_t y = out_y * p.stride_h + ky * p.dilation_h - p.pad_top;
      const bool inside = y >= 0 && y < p.in_h;
      const float* row = inside ? p.input + c * p.channel_stride + y * p.row_stride : nullptr;
      gather_row(p, row, x_begin, x_end, out + (c * p.kernel_h + ky) * p.kernel_w, patch);
    }
  }
}

}  // namespace

extern const PatchKernels patch_kernels;
const PatchKernels patch_kernels{gather};

}  // namespace plumb::cpu::PLUMB_ISA
