// Sums and extrema of rows and of columns. Four floats at a time are added as floats, the rest of a sum is
// double: about as fast as float, and a few roundings of single terms are all that it loses.
#include "engines/cpu/isa/row_functions.h"
#include "engines/cpu/isa/row_loops.h"
#include "engines/cpu/simd_double.h"

namespace plumb::cpu::PLUMB_ISA {
namespace {

constexpr int kAccumulators = 4;

PLUMB_INLINE F64Pair sum_of_four(const F32 (&terms)[kAccumulators]) {
  return to_f64((terms[0] + terms[1]) + (terms[2] + terms[3]));
}

// The sum of term(v) over the row's vectors, `term` giving 0 for lanes that hold `neutral`.
template <typename Term>
PLUMB_INLINE double sum_of(const float* row, std::int64_t n, F32 neutral, const Term& term) {
  F64Pair sum{};
  std::int64_t i = 0;
  for (; i + kAccumulators * kWidth <= n; i += kAccumulators * kWidth) {
    F32 terms[kAccumulators];
    for (int a = 0; a < kAccumulators; ++a) terms[a] = term(load(row + i + a * kWidth));
    sum = sum + sum_of_four(terms);
  }
  for (; i < n; i += kWidth) {
    const int lanes = static_cast<int>(n - i < kWidth ? n - i : kWidth);
    sum = sum + to_f64(term(load_filled(row + i, lanes, neutral)));
  }
  return reduce_add(sum);
}

// Rows that stay in the cache while one vector of columns after the other walks down them.
constexpr std::int64_t kRowBlock = 32;

template <typename Term>
PLUMB_INLINE void column_sums_of(double* sums, const float* rows, std::int64_t stride, std::int64_t count,
                                 std::int64_t cols, const Term& term) {
  for (std::int64_t begin = 0; begin < count; begin += kRowBlock) {
    const std::int64_t end = begin + kRowBlock < count ? begin + kRowBlock : count;
    for_each_vector(cols, [&](std::int64_t c, int lanes) {
      const auto at = [&](std::int64_t r) {
        return term(load_lanes(rows + r * stride + c, lanes), c, lanes);
      };
      F64Pair sum{};
      std::int64_t r = begin;
      for (; r + kAccumulators <= end; r += kAccumulators) {
        const F32 terms[kAccumulators] = {at(r), at(r + 1), at(r + 2), at(r + 3)};
        sum = sum + sum_of_four(terms);
      }
      for (; r < end; ++r) sum = sum + to_f64(at(r));
      double part[kWidth];
      __builtin_memcpy(part, &sum, sizeof part);
      for (int i = 0; i < lanes; ++i) sums[c + i] += part[i];
    });
  }
}

template <typename Combine>
PLUMB_INLINE F32 extremum_of(const float* row, std::int64_t n, const Combine& combine) {
  const F32 first = set1(row[0]);
  F32 best[kAccumulators] = {first, first, first, first};
  std::int64_t i = 0;
  for (; i + kAccumulators * kWidth <= n; i += kAccumulators * kWidth) {
    for (int a = 0; a < kAccumulators; ++a) best[a] = combine(best[a], load(row + i + a * kWidth));
  }
  for (; i < n; i += kWidth) {
    const int lanes = static_cast<int>(n - i < kWidth ? n - i : kWidth);
    best[0] = combine(best[0], load_filled(row + i, lanes, first));
  }
  return combine(combine(best[0], best[1]), combine(best[2], best[3]));
}

template <typename Combine>
PLUMB_INLINE void column_extrema(float* extrema, const float* rows, std::int64_t stride, std::int64_t count,
                                 std::int64_t cols, const Combine& combine) {
  for_each_vector(cols, [&](std::int64_t c, int lanes) {
    F32 best = load_lanes(extrema + c, lanes);
    for (std::int64_t r = 0; r < count; ++r) best = combine(best, load_lanes(rows + r * stride + c, lanes));
    store_lanes(extrema + c, best, lanes);
  });
}

}  // namespace

[[gnu::flatten]] double row_sum(const float* row, std::int64_t n) {
  return sum_of(row, n, zero(), [](F32 x) { return x; });
}

[[gnu::flatten]] double row_squared_deviation(const float* row, std::int64_t n, float mean) {
  const F32 center = set1(mean);
  return sum_of(row, n, center, [=](F32 x) {
    const F32 d = x - center;
    return d * d;
  });
}

[[gnu::flatten]] float row_maximum(const float* row, std::int64_t n) {
  const F32 best = extremum_of(row, n, [](F32 a, F32 b) { return max_nan(a, b); });
  return any(is_nan(best)) ? __builtin_nanf("") : reduce_max(best);
}

[[gnu::flatten]] float row_minimum(const float* row, std::int64_t n) {
  const F32 best = extremum_of(row, n, [](F32 a, F32 b) { return min_nan(a, b); });
  return any(is_nan(best)) ? __builtin_nanf("") : reduce_min(best);
}

[[gnu::flatten]] void column_sums(double* sums, const float* rows, std::int64_t stride, std::int64_t count,
                                  std::int64_t cols) {
  column_sums_of(sums, rows, stride, count, cols, [](F32 x, std::int64_t, int) { return x; });
}

[[gnu::flatten]] void column_squared_deviations(double* sums, const float* rows, std::int64_t stride,
                                                std::int64_t count, std::int64_t cols, const float* means) {
  column_sums_of(sums, rows, stride, count, cols, [=](F32 x, std::int64_t c, int lanes) {
    const F32 d = x - load_lanes(means + c, lanes);
    return d * d;
  });
}

[[gnu::flatten]] void column_maxima(float* extrema, const float* rows, std::int64_t stride,
                                    std::int64_t count, std::int64_t cols) {
  column_extrema(extrema, rows, stride, count, cols, [](F32 a, F32 b) { return max_nan(a, b); });
}

[[gnu::flatten]] void column_minima(float* extrema, const float* rows, std::int64_t stride,
                                    std::int64_t count, std::int64_t cols) {
  column_extrema(extrema, rows, stride, count, cols, [](F32 a, F32 b) { return min_nan(a, b); });
}

}  // namespace plumb::cpu::PLUMB_ISA
