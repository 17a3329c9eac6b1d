// Both orders of an unpacked B: rows along n are scaled and added, rows along k are multiplied with A's and
// summed.
#include "gemm_small.h"

#include "activation.h"

namespace plumb::cpu::PLUMB_ISA {
namespace {

constexpr int kTogether = 4;  // vectors of columns, or dot products, at a time: independent sums hide latency

constexpr std::int64_t min64(std::int64_t a, std::int64_t b) {
  return a < b ? a : b;
}

void sum_rows(const SmallGemmArgs& g, std::int64_t m, std::int64_t n_begin, std::int64_t n_end) {
  const float* a = g.a + m * g.a_stride;
  float* c = g.c + m * g.c_stride;
  const float* bias = g.epilogue.bias;
  std::int64_t n = n_begin;
  for (; n + kTogether * kWidth <= n_end; n += kTogether * kWidth) {
    F32 sum[kTogether];
    for (int i = 0; i < kTogether; ++i) sum[i] = bias == nullptr ? zero() : load(bias + n + i * kWidth);
    const float* b = g.b.b + n;
    for (std::int64_t k = 0; k < g.k; ++k, b += g.b.k_stride) {
      const F32 x = set1(a[k]);
      for (int i = 0; i < kTogether; ++i) sum[i] = fma(x, load(b + i * kWidth), sum[i]);
    }
    for (int i = 0; i < kTogether; ++i) store(c + n + i * kWidth, sum[i]);
  }
  for (; n < n_end; n += kWidth) {
    const int lanes = static_cast<int>(min64(kWidth, n_end - n));
    F32 sum = bias == nullptr ? zero() : load_first(bias + n, lanes);
    const float* b = g.b.b + n;
    for (std::int64_t k = 0; k < g.k; ++k, b += g.b.k_stride)
      sum = fma(set1(a[k]), load_first(b, lanes), sum);
    store_first(c + n, sum, lanes);
  }
}

// Dot products of one row of A with `kCount` columns of B.
template <int kCount>
PLUMB_INLINE void dots(const SmallGemmArgs& g, std::int64_t m, std::int64_t n) {
  const float* a = g.a + m * g.a_stride;
  const float* b = g.b.b + n * g.b.n_stride;
  F32 sum[kCount];
  for (F32& s : sum) s = zero();
  std::int64_t k = 0;
  for (; k + kWidth <= g.k; k += kWidth) {
    const F32 x = load(a + k);
    for (int i = 0; i < kCount; ++i) sum[i] = fma(x, load(b + i * g.b.n_stride + k), sum[i]);
  }
  const int rest = static_cast<int>(g.k - k);
  if (rest > 0) {
    const F32 x = load_first(a + k, rest);
    for (int i = 0; i < kCount; ++i) sum[i] = fma(x, load_first(b + i * g.b.n_stride + k, rest), sum[i]);
  }
  for (int i = 0; i < kCount; ++i) {
    const float start = g.epilogue.bias == nullptr ? 0.0F : g.epilogue.bias[n + i];
    g.c[m * g.c_stride + n + i] = start + reduce_add(sum[i]);
  }
}

void add_residual(const SmallGemmArgs& g, std::int64_t n_begin, std::int64_t n_end) {
  for (std::int64_t m = 0; m < g.rows; ++m) {
    float* c = g.c + m * g.c_stride;
    const float* residual = g.epilogue.residual + m * g.epilogue.residual_stride;
    for (std::int64_t n = n_begin; n < n_end; ++n) c[n] += residual[n];
  }
}

}  // namespace

void run_small_gemm(const SmallGemmArgs& g, std::int64_t n_begin, std::int64_t n_end) {
  for (std::int64_t m = 0; m < g.rows; ++m) {
    if (g.b.n_stride == 1) {
      sum_rows(g, m, n_begin, n_end);
      continue;
    }
    std::int64_t n = n_begin;
    for (; n + kTogether <= n_end; n += kTogether) dots<kTogether>(g, m, n);
    for (; n < n_end; ++n) dots<1>(g, m, n);
  }
  if (g.epilogue.residual != nullptr) add_residual(g, n_begin, n_end);
  activate(g.epilogue, g.c + n_begin, g.c_stride, g.rows, n_end - n_begin);
}

}  // namespace plumb::cpu::PLUMB_ISA
