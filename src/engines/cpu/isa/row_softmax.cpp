// Softmax of rows and of columns: maximum, exponentials with their sum, scaling.
#include "engines/cpu/isa/row_functions.h"
#include "engines/cpu/isa/row_loops.h"
#include "engines/cpu/simd_double.h"
#include "engines/cpu/simd_log_trig.h"
#include "engines/cpu/simd_math.h"

namespace plumb::cpu::PLUMB_ISA {
namespace {

constexpr float kInfinity = __builtin_inff();

float log_of(float x) {
  float lanes[kWidth];
  store(lanes, log(set1(x)));
  return lanes[0];
}

// out = exp(in - shift), which may be in place; returns the sum.
float exponentials(float* out, const float* in, std::int64_t n, float shift) {
  const F32 offset = set1(shift);
  F64Pair sum{};
  std::int64_t i = 0;
  for (; i + 2 * kWidth <= n; i += 2 * kWidth) {
    F32 e[2];
    for (int a = 0; a < 2; ++a) {
      e[a] = exp(load(in + i + a * kWidth) - offset);
      store(out + i + a * kWidth, e[a]);
    }
    sum = sum + to_f64(e[0] + e[1]);
  }
  for (; i < n; i += kWidth) {
    const int lanes = static_cast<int>(n - i < kWidth ? n - i : kWidth);
    const F32 e = exp(load_filled(in + i, lanes, set1(-kInfinity)) - offset);
    store_lanes(out + i, e, lanes);
    sum = sum + to_f64(e);
  }
  return static_cast<float>(reduce_add(sum));
}

void multiply(float* row, std::int64_t n, float factor) {
  const F32 f = set1(factor);
  for_each_vector(
      n, [&](std::int64_t i, int lanes) { store_lanes(row + i, load_lanes(row + i, lanes) * f, lanes); });
}

template <typename Finish>
PLUMB_INLINE void softmax_down_columns(float* out, std::int64_t out_stride, const float* in,
                                       std::int64_t in_stride, std::int64_t n, std::int64_t cols,
                                       bool keep_exponentials, const Finish& finish) {
  for_each_vector(cols, [&](std::int64_t c, int lanes) {
    F32 largest = load_lanes(in + c, lanes);
    for (std::int64_t r = 1; r < n; ++r)
      largest = max_nan(largest, load_lanes(in + r * in_stride + c, lanes));
    F64Pair sum{};
    for (std::int64_t r = 0; r < n; ++r) {
      const F32 e = exp(load_lanes(in + r * in_stride + c, lanes) - largest);
      if (keep_exponentials) store_lanes(out + r * out_stride + c, e, lanes);
      sum = sum + to_f64(e);
    }
    finish(c, lanes, largest, to_f32(sum));
  });
}

}  // namespace

[[gnu::flatten]] void row_softmax(float* out, const float* in, std::int64_t n) {
  const float sum = exponentials(out, in, n, row_maximum(in, n));
  multiply(out, n, 1.0F / sum);
}

[[gnu::flatten]] void row_log_softmax(float* out, const float* in, std::int64_t n) {
  const float largest = row_maximum(in, n);
  const F32 offset = set1(largest);
  F64Pair sum{};
  for (std::int64_t i = 0; i < n; i += kWidth) {
    const int lanes = static_cast<int>(n - i < kWidth ? n - i : kWidth);
    sum = sum + to_f64(exp(load_filled(in + i, lanes, set1(-kInfinity)) - offset));
  }
  const F32 log_sum = set1(log_of(static_cast<float>(reduce_add(sum))));
  for_each_vector(n, [&](std::int64_t i, int lanes) {
    store_lanes(out + i, (load_lanes(in + i, lanes) - offset) - log_sum, lanes);
  });
}

[[gnu::flatten]] void column_softmax(float* out, std::int64_t out_stride, const float* in,
                                     std::int64_t in_stride, std::int64_t n, std::int64_t cols) {
  softmax_down_columns(out, out_stride, in, in_stride, n, cols, true,
                       [&](std::int64_t c, int lanes, F32, F32 sum) {
                         const F32 factor = set1(1.0F) / sum;
                         for (std::int64_t r = 0; r < n; ++r) {
                           float* p = out + r * out_stride + c;
                           store_lanes(p, load_lanes(p, lanes) * factor, lanes);
                         }
                       });
}

[[gnu::flatten]] void column_log_softmax(float* out, std::int64_t out_stride, const float* in,
                                         std::int64_t in_stride, std::int64_t n, std::int64_t cols) {
  softmax_down_columns(out, out_stride, in, in_stride, n, cols, false,
                       [&](std::int64_t c, int lanes, F32 largest, F32 sum) {
                         const F32 log_sum = log(sum);
                         for (std::int64_t r = 0; r < n; ++r) {
                           const F32 x = load_lanes(in + r * in_stride + c, lanes);
                           store_lanes(out + r * out_stride + c, (x - largest) - log_sum, lanes);
                         }
                       });
}

[[gnu::flatten]] void attention_softmax(float* row, std::int64_t n, float scale, const float* bias) {
  const F32 factor = set1(scale);
  for_each_vector(n, [&](std::int64_t i, int lanes) {
    F32 x = load_lanes(row + i, lanes) * factor;
    if (bias != nullptr) x = x + load_lanes(bias + i, lanes);
    store_lanes(row + i, x, lanes);
  });
  const float largest = row_maximum(row, n);
  if (largest == -kInfinity) {
    for (std::int64_t i = 0; i < n; ++i) row[i] = 0;
    return;
  }
  const float sum = exponentials(row, row, n, largest);
  multiply(row, n, 1.0F / sum);
}

}  // namespace plumb::cpu::PLUMB_ISA
