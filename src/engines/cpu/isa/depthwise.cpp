// Depthwise convolution, a vector of channels at a time. The usual kernels (3, 5 or 7 wide, stride 1 or 2,
// dilation 1) keep a run of output columns in registers, so that each input pixel is loaded once a kernel
// row; what touches the border takes the same code with a check a column. Everything else goes a few columns
// at a time, tap by tap.
#include "engines/cpu/depthwise.h"

#include "activation.h"

namespace plumb::cpu::PLUMB_ISA {
namespace {

constexpr std::int64_t min64(std::int64_t a, std::int64_t b) {
  return a < b ? a : b;
}

// One output row of one vector of channels. Pointers are those of the vector's first channel.
struct Row {
  const DepthwiseArgs* args;
  const float* input;     // of the image
  const float* weight;    // [taps][kWidth]
  const float* bias;      // null: none
  const float* residual;  // of the row; null: none
  float* output;          // of the row
  std::int64_t y;
  int lanes;  // channels in the vector
  F32 low, high;
};

template <bool kPartial>
PLUMB_INLINE F32 load_channels(const float* p, int lanes) {
  return kPartial ? load_first(p, lanes) : load(p);
}

// The usual kernels: kColumns output columns from out_x on. With kChecked, columns that only a border run can
// have outside the image are tested.
template <int kKernel, int kStride, int kColumns, bool kChecked, bool kPartial>
void run_columns(const Row& row, std::int64_t out_x) {
  const DepthwiseArgs& a = *row.args;
  constexpr int kInputColumns = (kColumns - 1) * kStride + kKernel;
  const std::int64_t pixel = a.channels;
  const int lanes = row.lanes;
  const std::int64_t in_h = a.in_h;
  const std::int64_t in_w = a.in_w;
  const std::int64_t first_x = out_x * kStride - a.pad_left;
  const std::int64_t first_y = row.y * a.stride_h - a.pad_top;

  F32 sum[kColumns];
  const F32 start = row.bias == nullptr ? zero() : load_channels<kPartial>(row.bias, lanes);
#pragma GCC unroll 16
  for (int i = 0; i < kColumns; ++i) sum[i] = start;

  const std::int64_t ky_begin = first_y < 0 ? -first_y : 0;
  const std::int64_t ky_end = min64(a.kernel_h, in_h - first_y);
  const float* w = row.weight + ky_begin * kKernel * kWidth;
  for (std::int64_t ky = ky_begin; ky < ky_end; ++ky, w += kKernel * kWidth) {
    // An offset, since the first columns may lie before the image.
    const std::int64_t at = ((first_y + ky) * in_w + first_x) * pixel;
    F32 weight[kKernel];
#pragma GCC unroll 8
    for (int k = 0; k < kKernel; ++k) weight[k] = load(w + k * kWidth);
#pragma GCC unroll 64
    for (int x = 0; x < kInputColumns; ++x) {
      const bool may_be_outside = x < kKernel - 1 || x > kInputColumns - kKernel;
      if (kChecked && may_be_outside &&
          static_cast<std::uint64_t>(first_x + x) >= static_cast<std::uint64_t>(in_w)) {
        continue;
      }
      const F32 value = load_channels<kPartial>(row.input + (at + x * pixel), lanes);
#pragma GCC unroll 8
      for (int k = 0; k < kKernel; ++k) {
        const int column = (x - k) / kStride;
        if (x >= k && (x - k) % kStride == 0 && column < kColumns) {
          sum[column] = fma(value, weight[k], sum[column]);
        }
      }
    }
  }

  if (row.residual != nullptr) {
    const float* residual = row.residual + out_x * pixel;
#pragma GCC unroll 16
    for (int i = 0; i < kColumns; ++i) sum[i] = sum[i] + load_channels<kPartial>(residual + i * pixel, lanes);
  }
  const F32 low = row.low;
  const F32 high = row.high;
  float* out = row.output + out_x * pixel;
#pragma GCC unroll 16
  for (int i = 0; i < kColumns; ++i) {
    const F32 result = clamp(sum[i], low, high);
    if constexpr (kPartial) {
      store_first(out + i * pixel, result, lanes);
    } else {
      store(out + i * pixel, result);
    }
  }
}

template <int kKernel, int kStride, int kColumns>
PLUMB_INLINE std::int64_t run_columns(const Row& row, std::int64_t out_x) {
  const std::int64_t first_x = out_x * kStride - row.args->pad_left;
  const bool inside = first_x >= 0 && first_x + (kColumns - 1) * kStride + kKernel <= row.args->in_w;
  if (row.lanes < kWidth) {
    run_columns<kKernel, kStride, kColumns, true, true>(row, out_x);
  } else if (inside) {
    run_columns<kKernel, kStride, kColumns, false, false>(row, out_x);
  } else {
    run_columns<kKernel, kStride, kColumns, true, false>(row, out_x);
  }
  return kColumns;
}

template <int kKernel, int kStride>
void run_row(const Row& row) {
  // The sums, the weights of a kernel row and a value have to fit the registers.
  constexpr int kLong = kRegisters == 32 ? 14 : 7;
  const std::int64_t out_w = row.args->out_w;
  std::int64_t x = 0;
  while (x < out_w) {
    const std::int64_t left = out_w - x;
    if (left >= kLong) {
      x += run_columns<kKernel, kStride, kLong>(row, x);
    } else if (left >= 7) {
      x += run_columns<kKernel, kStride, 7>(row, x);
    } else if (left >= 4) {
      x += run_columns<kKernel, kStride, 4>(row, x);
    } else if (left >= 2) {
      x += run_columns<kKernel, kStride, 2>(row, x);
    } else {
      x += run_columns<kKernel, kStride, 1>(row, x);
    }
  }
}

void run_row_any(const Row& row) {
  const DepthwiseArgs& a = *row.args;
  constexpr int kColumns = 4;
  const F32 start = row.bias == nullptr ? zero() : load_lanes(row.bias, row.lanes);
  for (std::int64_t out_x = 0; out_x < a.out_w; out_x += kColumns) {
    const int count = static_cast<int>(min64(kColumns, a.out_w - out_x));
    F32 sum[kColumns];
    for (F32& s : sum) s = start;
    const float* w = row.weight;
    for (std::int64_t ky = 0; ky < a.kernel_h; ++ky) {
      const std::int64_t y = row.y * a.stride_h + ky * a.dilation_h - a.pad_top;
      const bool row_inside = y >= 0 && y < a.in_h;
      for (std::int64_t kx = 0; kx < a.kernel_w; ++kx, w += kWidth) {
        if (!row_inside) continue;
        const F32 weight = load(w);
        for (int i = 0; i < count; ++i) {
          const std::int64_t x = (out_x + i) * a.stride_w + kx * a.dilation_w - a.pad_left;
          if (x < 0 || x >= a.in_w) continue;
          sum[i] = fma(load_lanes(row.input + (y * a.in_w + x) * a.channels, row.lanes), weight, sum[i]);
        }
      }
    }
    for (int i = 0; i < count; ++i) {
      const std::int64_t at = (out_x + i) * a.channels;
      if (row.residual != nullptr) sum[i] = sum[i] + load_lanes(row.residual + at, row.lanes);
      store_lanes(row.output + at, clamp(sum[i], row.low, row.high), row.lanes);
    }
  }
}

using RowFunction = void (*)(const Row&);

RowFunction row_function(const DepthwiseArgs& a) {
  // Wider padding would put more columns outside than the checks of run_columns look at.
  const std::int64_t last_x = (a.out_w - 1) * a.stride_w - a.pad_left + a.kernel_w - 1;
  const bool narrow = a.pad_left < a.kernel_w && last_x < a.in_w + a.kernel_w - 1;
  if (a.dilation_h == 1 && a.dilation_w == 1 && a.stride_w <= 2 && narrow) {
    switch (a.kernel_w * 10 + a.stride_w) {
      case 31:
        return run_row<3, 1>;
      case 32:
        return run_row<3, 2>;
      case 51:
        return run_row<5, 1>;
      case 52:
        return run_row<5, 2>;
      case 71:
        return run_row<7, 1>;
      case 72:
        return run_row<7, 2>;
      default:
        break;
    }
  }
  return run_row_any;
}

void run(const DepthwiseArgs& a, std::int64_t y_begin, std::int64_t y_end, std::int64_t c_begin,
         std::int64_t c_end) {
  const RowFunction run_row = row_function(a);
  const Epilogue& e = a.epilogue;
  const Bounds bounds = clamp_bounds(e);
  const F32 low = set1(bounds.low);
  const F32 high = set1(bounds.high);
  for (std::int64_t y = y_begin; y < y_end; ++y) {
    const std::int64_t row_offset = y * a.out_w * a.channels;
    for (std::int64_t c = c_begin; c < c_end; c += kWidth) {
      run_row(Row{
          .args = &a,
          .input = a.input + c,
          .weight = a.weight + c * a.kernel_h * a.kernel_w,
          .bias = e.bias == nullptr ? nullptr : e.bias + c,
          .residual = e.residual == nullptr ? nullptr : e.residual + row_offset + c,
          .output = a.output + row_offset + c,
          .y = y,
          .lanes = static_cast<int>(min64(kWidth, c_end - c)),
          .low = low,
          .high = high,
      });
    }
    if (!is_clamp(e.activation))
      activate(e, a.output + row_offset + c_begin, a.channels, a.out_w, c_end - c_begin);
  }
}

std::int64_t packed_size(std::int64_t channels, std::int64_t taps) {
  return (channels + kWidth - 1) / kWidth * kWidth * taps;
}

void pack(const float* weight, std::int64_t channels, std::int64_t taps, float* packed) {
  for (std::int64_t c = 0; c < channels; c += kWidth) {
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      for (int lane = 0; lane < kWidth; ++lane) {
        *packed++ = c + lane < channels ? weight[(c + lane) * taps + tap] : 0.0F;
      }
    }
  }
}

}  // namespace

extern const DepthwiseKernels depthwise_kernels;
const DepthwiseKernels depthwise_kernels{kWidth, packed_size, pack, run};

}  // namespace plumb::cpu::PLUMB_ISA
