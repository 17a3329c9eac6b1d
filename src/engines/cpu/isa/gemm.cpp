// Packing of B, and the loops over row blocks, panels and tiles around the register tile.
#include "engines/cpu/gemm.h"

#include "activation.h"
#include "gemm_small.h"
#include "gemm_tile.h"

namespace plumb::cpu::PLUMB_ISA {
namespace {

// A block of rows of A stays in the second-level cache while all panels pass by.
constexpr std::int64_t kRowBlockBytes = 256 * 1024;
// Terms that are summed in one go; the sums of such pieces are then added. Rounding errors grow with the
// length of the longest chain of additions, so this keeps deep layers as accurate as shallow ones. It also
// bounds the part of a panel that has to stay in the cache.
constexpr std::int64_t kDepthStep = 256;

constexpr std::int64_t min64(std::int64_t a, std::int64_t b) {
  return a < b ? a : b;
}
constexpr std::int64_t max64(std::int64_t a, std::int64_t b) {
  return a > b ? a : b;
}

std::int64_t packed_size(std::int64_t k, std::int64_t n) {
  return k * (n / kPanelColumns * kPanelColumns + packed_columns(n % kPanelColumns));
}

// Rows of B are contiguous: copies them.
void pack_rows(const float* b, std::int64_t k_stride, std::int64_t k, int valid, int columns, float* out) {
  for (std::int64_t i = 0; i < k; ++i) {
    const float* row = b + i * k_stride;
    int n = 0;
    for (; n + kWidth <= valid; n += kWidth) store(out + n, load(row + n));
    if (n < columns) store_first(out + n, load_first(row + n, valid - n), columns - n);
    out += columns;
  }
}

// Four rows of four floats, the source's stride and the target's.
PLUMB_INLINE void transpose_4x4(const float* from, std::int64_t from_stride, float* to,
                                std::int64_t to_stride) {
  using F4 = float __attribute__((vector_size(16)));
  F4 r[4];
  for (int i = 0; i < 4; ++i) __builtin_memcpy(&r[i], from + i * from_stride, sizeof r[i]);
  const F4 a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
  const F4 b = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
  const F4 c = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
  const F4 d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
  const F4 t[4] = {__builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
                   __builtin_shufflevector(c, d, 0, 1, 4, 5), __builtin_shufflevector(c, d, 2, 3, 6, 7)};
  for (int i = 0; i < 4; ++i) __builtin_memcpy(to + i * to_stride, &t[i], sizeof t[i]);
}

// Columns of B are contiguous along k: transposes them.
void pack_transposed(const float* b, std::int64_t n_stride, std::int64_t k, int valid, int columns,
                     float* out) {
  const std::int64_t k_whole = k / 4 * 4;
  int n = 0;
  for (; n + 4 <= valid; n += 4) {
    const float* from = b + n * n_stride;
    for (std::int64_t i = 0; i < k_whole; i += 4)
      transpose_4x4(from + i, n_stride, out + i * columns + n, columns);
    for (std::int64_t i = k_whole; i < k; ++i) {
      for (int j = 0; j < 4; ++j) out[i * columns + n + j] = from[j * n_stride + i];
    }
  }
  for (; n < columns; ++n) {
    for (std::int64_t i = 0; i < k; ++i) out[i * columns + n] = n < valid ? b[n * n_stride + i] : 0.0F;
  }
}

// Any strides; takes a few k of all taps at a time, since that is where memory is contiguous in weights.
void pack_strided(const UnpackedB& b, std::int64_t k, int valid, int columns, float* out) {
  constexpr std::int64_t kStep = 16;
  for (std::int64_t k_begin = 0; k_begin < k; k_begin += kStep) {
    const std::int64_t count = min64(kStep, k - k_begin);
    for (int n = 0; n < columns; ++n) {
      for (std::int64_t tap = 0; tap < b.taps; ++tap) {
        const float* source = b.b + n * b.n_stride + tap * b.tap_stride + k_begin * b.k_stride;
        float* target = out + (tap * k + k_begin) * columns + n;
        for (std::int64_t i = 0; i < count; ++i)
          target[i * columns] = n < valid ? source[i * b.k_stride] : 0.0F;
      }
    }
  }
}

void pack(const UnpackedB& b, std::int64_t k, std::int64_t n_begin, std::int64_t n_end, float* packed) {
  for (std::int64_t n = n_begin; n < n_end; n += kPanelColumns) {
    const int valid = static_cast<int>(min64(kPanelColumns, n_end - n));
    const int columns = static_cast<int>(packed_columns(valid));
    UnpackedB from = b;
    from.b += n * b.n_stride;
    float* out = packed + n * k * b.taps;
    if (b.n_stride == 1 && b.taps == 1) {
      pack_rows(from.b, b.k_stride, k, valid, columns, out);
    } else if (b.k_stride == 1 && b.taps == 1) {
      pack_transposed(from.b, b.n_stride, k, valid, columns, out);
    } else {
      pack_strided(from, k, valid, columns, out);
    }
  }
}

// One panel of B in the terms of the tile kernels.
struct Panel {
  const float* b;
  std::int64_t n;  // first column
  int valid;       // columns of C
  int columns;     // columns as packed
  int vectors;
  bool half;
};

Panel panel_at(const GemmArgs& args, std::int64_t n, std::int64_t n_end) {
  Panel p;
  p.b = args.b + n * args.taps * args.k;
  p.n = n;
  p.valid = static_cast<int>(min64(kPanelColumns, n_end - n));
  p.columns = static_cast<int>(packed_columns(p.valid));
  p.vectors = (p.columns + kWidth - 1) / kWidth;
  p.half = p.columns % kWidth != 0;
  return p;
}

// A range of the summation: whole taps, or a part of the only one.
struct Depth {
  std::int64_t tap_begin, tap_end, k_begin, k_end;
};

void run_panel(const GemmArgs& args, const Panel& panel, const Depth& depth, std::int64_t m_begin,
               std::int64_t m_end) {
  const Epilogue& e = args.epilogue;
  const bool indirect = args.a_rows != nullptr;
  alignas(64) float bias[kPanelColumns];
  for (int i = 0; i < panel.columns; ++i) {
    bias[i] = e.bias != nullptr && i < panel.valid ? e.bias[panel.n + i] : 0.0F;
  }

  Tile t;
  t.a_stride = args.a_stride;
  t.a_rows_stride = args.a_rows_stride;
  t.taps = depth.tap_end - depth.tap_begin;
  t.k_offset = depth.k_begin;
  t.k = depth.k_end - depth.k_begin;
  t.b = panel.b + (depth.tap_begin * args.k + depth.k_begin) * panel.columns;
  t.c_stride = args.c_stride;
  t.bias = bias;
  t.residual_stride = e.residual_stride;
  t.last_lanes = panel.valid - (panel.vectors - 1) * kWidth;
  t.resume = depth.tap_begin > 0 || depth.k_begin > 0;
  t.finish = depth.tap_end == args.taps && depth.k_end == args.k;
  const Bounds bounds = t.finish ? clamp_bounds(e) : no_bounds();
  t.low = bounds.low;
  t.high = bounds.high;

  // Tiles as equal as possible: a lone last row would waste most of its tile's arithmetic.
  const std::int64_t rows = m_end - m_begin;
  const std::int64_t most = max_tile_rows(panel.vectors, indirect);
  const std::int64_t tiles = (rows + most - 1) / most;
  std::int64_t m = m_begin;
  for (std::int64_t i = 0; i < tiles; ++i) {
    const int count = static_cast<int>(rows / tiles + (i < rows % tiles ? 1 : 0));
    t.a = indirect ? nullptr : args.a + m * args.a_stride + depth.k_begin;
    t.a_rows = indirect ? args.a_rows + depth.tap_begin * args.a_rows_stride + m : nullptr;
    t.c = args.c + m * args.c_stride + panel.n;
    t.residual = e.residual != nullptr ? e.residual + m * e.residual_stride + panel.n : nullptr;
    (indirect ? indirect_tile : direct_tile)(count, panel.vectors, panel.half)(t);
    if (t.finish && !is_clamp(e.activation)) activate(e, t.c, args.c_stride, count, panel.valid);
    m += count;
  }
}

void run(const GemmArgs& args, std::int64_t m_begin, std::int64_t m_end, std::int64_t n_begin,
         std::int64_t n_end) {
  const std::int64_t depth_total = args.taps * args.k;
  const std::int64_t block_rows = max64(24, kRowBlockBytes / 4 / max64(1, depth_total) / 24 * 24);
  for (std::int64_t m = m_begin; m < m_end; m += block_rows) {
    const std::int64_t m_stop = min64(m_end, m + block_rows);
    for (std::int64_t n = n_begin; n < n_end; n += kPanelColumns) {
      const Panel panel = panel_at(args, n, n_end);
      if (args.taps == 1) {
        std::int64_t k = 0;
        do {
          const std::int64_t k_stop = min64(args.k, k + kDepthStep);
          run_panel(args, panel, Depth{0, 1, k, k_stop}, m, m_stop);
          k = k_stop;
        } while (k < args.k);
      } else {
        const std::int64_t tap_step = max64(1, kDepthStep / max64(1, args.k));
        for (std::int64_t tap = 0; tap < args.taps; tap += tap_step) {
          run_panel(args, panel, Depth{tap, min64(args.taps, tap + tap_step), 0, args.k}, m, m_stop);
        }
      }
    }
  }
}

}  // namespace

extern const GemmKernels gemm_kernels;
const GemmKernels gemm_kernels{kPanelColumns, packed_size, pack, run, run_small_gemm, activate};

}  // namespace plumb::cpu::PLUMB_ISA
