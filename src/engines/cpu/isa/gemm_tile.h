// The register tile of the matrix product: a few rows of A times a panel of packed B, epilogue at the store.
#pragma once

#include "engines/cpu/simd.h"

namespace plumb::cpu::PLUMB_ISA {

// Vectors in a panel, and the rows of A that fit the registers beside them.
inline constexpr int kPanelVectors = kRegisters == 32 ? 4 : 2;
inline constexpr int kPanelColumns = kPanelVectors * kWidth;
// Whether the last vector of a panel may be a half one: only where that saves work.
inline constexpr bool kHasHalf = kHalfWidth < kWidth;

constexpr int max_tile_rows(int vectors, bool indirect) {
  if (kRegisters == 16) return vectors == 2 ? 6 : 8;
  if (vectors == 4) return 6;
  if (vectors == 3) return 8;
  return indirect ? 8 : 12;  // more row pointers than that leave no general registers
}

// Columns of a packed panel that holds `n` valid ones.
constexpr std::int64_t packed_columns(std::int64_t n) {
  const std::int64_t rest = n % kWidth;
  if (rest == 0) return n;
  return n - rest + (rest <= kHalfWidth ? kHalfWidth : kWidth);
}

struct Tile {
  const float* a;  // direct: first row
  std::int64_t a_stride;
  const float* const* a_rows;  // indirect: first row of the first tap
  std::int64_t a_rows_stride;
  std::int64_t taps;
  std::int64_t k_offset;  // indirect: where in each piece to start
  std::int64_t k;         // per tap
  const float* b;
  float* c;
  std::int64_t c_stride;
  const float* bias;  // a whole panel
  const float* residual;
  std::int64_t residual_stride;
  float low, high;  // clamp; infinities where sums are not yet finished
  int last_lanes;   // valid columns of the last vector
  bool resume;      // C holds the sum over earlier k, which is added at the end; otherwise the bias is
  bool finish;      // these are the last k: the residual is added
};

using TileFunction = void (*)(const Tile&);

// The tile kernel for 1 <= rows <= max_tile_rows(vectors, indirect); `half`: the last vector is half a one.
TileFunction direct_tile(int rows, int vectors, bool half);
TileFunction indirect_tile(int rows, int vectors, bool half);

template <int kRows, int kVectors, bool kHalf, bool kIndirect>
void run_tile(const Tile& t) {
  constexpr int kFull = kHalf ? kVectors - 1 : kVectors;
  constexpr int kColumns = kFull * kWidth + (kHalf ? kHalfWidth : 0);
  F32 sum[kRows][kFull + 1];
  Half tail[kRows];

  if (t.resume) {
#pragma GCC unroll 16
    for (int m = 0; m < kRows; ++m) {
#pragma GCC unroll 4
      for (int v = 0; v < kFull; ++v) sum[m][v] = zero();
      if constexpr (kHalf) tail[m] = lower_half(zero());
    }
  } else {
#pragma GCC unroll 4
    for (int v = 0; v < kFull; ++v) {
      const F32 bias = load(t.bias + v * kWidth);
#pragma GCC unroll 16
      for (int m = 0; m < kRows; ++m) sum[m][v] = bias;
    }
    if constexpr (kHalf) {
      const Half bias = load_half(t.bias + kFull * kWidth);
#pragma GCC unroll 16
      for (int m = 0; m < kRows; ++m) tail[m] = bias;
    }
  }

  const float* b = t.b;
  const std::int64_t a_stride = t.a_stride;
  for (std::int64_t tap = 0; tap < t.taps; ++tap) {
    const float* row[kRows];
    if constexpr (kIndirect) {
#pragma GCC unroll 16
      for (int m = 0; m < kRows; ++m) row[m] = t.a_rows[tap * t.a_rows_stride + m] + t.k_offset;
    }
    const float* a = t.a;
    for (std::int64_t k = 0; k < t.k; ++k) {
      F32 bv[kFull + 1];
#pragma GCC unroll 4
      for (int v = 0; v < kFull; ++v) bv[v] = load(b + v * kWidth);
      Half bh;
      if constexpr (kHalf) bh = load_half(b + kFull * kWidth);
#pragma GCC unroll 16
      for (int m = 0; m < kRows; ++m) {
        const F32 x = set1(kIndirect ? row[m][k] : a[m * a_stride]);
#pragma GCC unroll 4
        for (int v = 0; v < kFull; ++v) sum[m][v] = fma(x, bv[v], sum[m][v]);
        if constexpr (kHalf) tail[m] = fma(lower_half(x), bh, tail[m]);
      }
      b += kColumns;
      ++a;
    }
  }

  const F32 low = set1(t.low);
  const F32 high = set1(t.high);
  const bool add_residual = t.residual != nullptr && t.finish;
  const int last_lanes = t.last_lanes;
#pragma GCC unroll 16
  for (int m = 0; m < kRows; ++m) {
    float* c = t.c + m * t.c_stride;
    const float* residual = t.residual + m * t.residual_stride;
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      F32 x;
      if (v == kFull) {
        x = widen(tail[m]);
      } else {
        x = sum[m][v];
      }
      const int lanes = v < kVectors - 1 ? kWidth : last_lanes;
      if (t.resume) x = x + load_lanes(c + v * kWidth, lanes);
      if (add_residual) x = x + load_lanes(residual + v * kWidth, lanes);
      store_lanes(c + v * kWidth, clamp(x, low, high), lanes);
    }
  }
}

template <int kVectors, bool kHalf, bool kIndirect>
TileFunction tile_of(int rows) {
  constexpr int kMax = max_tile_rows(kVectors, kIndirect);
  constexpr auto at = [](int i) { return i < kMax ? i : kMax; };
  static constexpr TileFunction kTiles[12] = {
      run_tile<at(1), kVectors, kHalf, kIndirect>,  run_tile<at(2), kVectors, kHalf, kIndirect>,
      run_tile<at(3), kVectors, kHalf, kIndirect>,  run_tile<at(4), kVectors, kHalf, kIndirect>,
      run_tile<at(5), kVectors, kHalf, kIndirect>,  run_tile<at(6), kVectors, kHalf, kIndirect>,
      run_tile<at(7), kVectors, kHalf, kIndirect>,  run_tile<at(8), kVectors, kHalf, kIndirect>,
      run_tile<at(9), kVectors, kHalf, kIndirect>,  run_tile<at(10), kVectors, kHalf, kIndirect>,
      run_tile<at(11), kVectors, kHalf, kIndirect>, run_tile<at(12), kVectors, kHalf, kIndirect>};
  return kTiles[rows - 1];
}

template <bool kIndirect>
TileFunction tile_of(int rows, int vectors, bool half) {
  if constexpr (kHasHalf) {
    if (half) {
      switch (vectors) {
        case 1:
          return tile_of<1, true, kIndirect>(rows);
        case 2:
          return tile_of<2, true, kIndirect>(rows);
        case 3:
          return tile_of<3, true, kIndirect>(rows);
        default:
          return tile_of<4, true, kIndirect>(rows);
      }
    }
  }
  if constexpr (kPanelVectors == 4) {
    if (vectors == 4) return tile_of<4, false, kIndirect>(rows);
    if (vectors == 3) return tile_of<3, false, kIndirect>(rows);
  }
  return vectors == 2 ? tile_of<2, false, kIndirect>(rows) : tile_of<1, false, kIndirect>(rows);
}

}  // namespace plumb::cpu::PLUMB_ISA
