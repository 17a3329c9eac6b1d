// Combining a few rows into one: pooling windows, interpolation, layer normalisation, and the vector-matrix
// products of attention for single queries.
#include "engines/cpu/isa/row_functions.h"
#include "engines/cpu/isa/row_loops.h"

namespace plumb::cpu::PLUMB_ISA {
namespace {

// Taps whose sum stays in one accumulator; longer sums are sums of such sums.
constexpr std::int64_t kTapBlock = 64;

}  // namespace

[[gnu::flatten]] void row_normalize(float* out, const float* in, std::int64_t n, float mean, float rstd,
                                    const float* weight, const float* bias) {
  const F32 center = set1(mean);
  const F32 factor = set1(rstd);
  for_each_vector(n, [&](std::int64_t i, int lanes) {
    F32 y = (load_lanes(in + i, lanes) - center) * factor;
    if (weight != nullptr && bias != nullptr) {
      y = fma(y, load_lanes(weight + i, lanes), load_lanes(bias + i, lanes));
    } else if (weight != nullptr) {
      y = y * load_lanes(weight + i, lanes);
    } else if (bias != nullptr) {
      y = y + load_lanes(bias + i, lanes);
    }
    store_lanes(out + i, y, lanes);
  });
}

[[gnu::flatten]] void max_taps(float* out, const float* const* taps, std::int64_t count,
                               std::int64_t channels) {
  for_each_vector(channels, [&](std::int64_t c, int lanes) {
    F32 best = load_lanes(taps[0] + c, lanes);
    for (std::int64_t t = 1; t < count; ++t) best = max_nan(best, load_lanes(taps[t] + c, lanes));
    store_lanes(out + c, best, lanes);
  });
}

[[gnu::flatten]] void max_taps_with_index(float* out, float* index, const float* const* taps,
                                          std::int64_t count, std::int64_t channels) {
  for_each_vector(channels, [&](std::int64_t c, int lanes) {
    F32 best = load_lanes(taps[0] + c, lanes);
    F32 where = zero();
    for (std::int64_t t = 1; t < count; ++t) {
      const F32 x = load_lanes(taps[t] + c, lanes);
      const Mask wins = mask_or(less(best, x), is_nan(x));
      best = select(wins, x, best);
      where = select(wins, set1(static_cast<float>(t)), where);
    }
    store_lanes(out + c, best, lanes);
    store_lanes(index + c, where, lanes);
  });
}

[[gnu::flatten]] void sum_taps(float* out, const float* const* taps, std::int64_t count,
                               std::int64_t channels, float scale) {
  const F32 factor = set1(scale);
  for_each_vector(channels, [&](std::int64_t c, int lanes) {
    F32 total = zero();
    for (std::int64_t begin = 0; begin < count; begin += kTapBlock) {
      const std::int64_t end = begin + kTapBlock < count ? begin + kTapBlock : count;
      F32 sum = zero();
      for (std::int64_t t = begin; t < end; ++t) sum = sum + load_lanes(taps[t] + c, lanes);
      total = total + sum;
    }
    store_lanes(out + c, total * factor, lanes);
  });
}

[[gnu::flatten]] void weighted_taps(float* out, const float* const* taps, const float* weights,
                                    std::int64_t count, std::int64_t channels) {
  for_each_vector(channels, [&](std::int64_t c, int lanes) {
    F32 sum = zero();
    for (std::int64_t t = 0; t < count; ++t) sum = fma(set1(weights[t]), load_lanes(taps[t] + c, lanes), sum);
    store_lanes(out + c, sum, lanes);
  });
}

[[gnu::flatten]] void dots(float* out, const float* x, const float* rows, std::int64_t stride,
                           std::int64_t count, std::int64_t n) {
  std::int64_t j = 0;
  // Four rows at once hide the latency of the sums.
  for (; j + 4 <= count; j += 4) {
    F32 sums[4] = {zero(), zero(), zero(), zero()};
    const float* row = rows + j * stride;
    for_each_vector(n, [&](std::int64_t i, int lanes) {
      const F32 v = load_lanes(x + i, lanes);
      for (int a = 0; a < 4; ++a) sums[a] = fma(v, load_lanes(row + a * stride + i, lanes), sums[a]);
    });
    for (int a = 0; a < 4; ++a) out[j + a] = reduce_add(sums[a]);
  }
  for (; j < count; ++j) {
    F32 sum = zero();
    const float* row = rows + j * stride;
    for_each_vector(n, [&](std::int64_t i, int lanes) {
      sum = fma(load_lanes(x + i, lanes), load_lanes(row + i, lanes), sum);
    });
    out[j] = reduce_add(sum);
  }
}

[[gnu::flatten]] void weighted_rows(float* out, const float* weights, const float* rows, std::int64_t stride,
                                    std::int64_t count, std::int64_t n) {
  std::int64_t i = 0;
  for (; i + 4 * kWidth <= n; i += 4 * kWidth) {
    F32 sums[4] = {zero(), zero(), zero(), zero()};
    for (std::int64_t j = 0; j < count; ++j) {
      const F32 w = set1(weights[j]);
      for (int a = 0; a < 4; ++a) sums[a] = fma(w, load(rows + j * stride + i + a * kWidth), sums[a]);
    }
    for (int a = 0; a < 4; ++a) store(out + i + a * kWidth, sums[a]);
  }
  for_each_vector(n - i, [&](std::int64_t k, int lanes) {
    F32 sum = zero();
    for (std::int64_t j = 0; j < count; ++j) {
      sum = fma(set1(weights[j]), load_lanes(rows + j * stride + i + k, lanes), sum);
    }
    store_lanes(out + i + k, sum, lanes);
  });
}

}  // namespace plumb::cpu::PLUMB_ISA
