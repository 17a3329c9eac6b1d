// Vectorised pieces of reductions, softmax, normalisation, pooling and attention: functions over one row of
// floats or a few rows. Sums run in a fixed order. Types only, see isa_kernels.h.
#pragma once

#include <cstdint>

namespace plumb::cpu {

// The most columns that the functions over columns take at once.
inline constexpr std::int64_t kColumnBlock = 64;

struct RowKernels {
  double (*sum)(const float* row, std::int64_t n);
  // The sum of (x - mean)^2.
  double (*squared_deviation)(const float* row, std::int64_t n, float mean);
  // NaN when one is in the row; n > 0.
  float (*maximum)(const float* row, std::int64_t n);
  float (*minimum)(const float* row, std::int64_t n);

  // Over columns of `count` rows that lie `stride` floats apart, cols <= kColumnBlock: sums are added to
  // `sums`, extrema combined with `extrema`.
  void (*column_sums)(double* sums, const float* rows, std::int64_t stride, std::int64_t count,
                      std::int64_t cols);
  void (*column_squared_deviations)(double* sums, const float* rows, std::int64_t stride, std::int64_t count,
                                    std::int64_t cols, const float* means);
  void (*column_maxima)(float* extrema, const float* rows, std::int64_t stride, std::int64_t count,
                        std::int64_t cols);
  void (*column_minima)(float* extrema, const float* rows, std::int64_t stride, std::int64_t count,
                        std::int64_t cols);

  // out may be in. A row of -infinity alone gives NaN.
  void (*softmax)(float* out, const float* in, std::int64_t n);
  void (*log_softmax)(float* out, const float* in, std::int64_t n);
  // Softmax down the columns of n rows, cols <= kColumnBlock.
  void (*column_softmax)(float* out, std::int64_t out_stride, const float* in, std::int64_t in_stride,
                         std::int64_t n, std::int64_t cols);
  void (*column_log_softmax)(float* out, std::int64_t out_stride, const float* in, std::int64_t in_stride,
                             std::int64_t n, std::int64_t cols);
  // In place: softmax of row * scale + bias (bias may be null); a row of -infinity alone gives zeros.
  void (*attention_softmax)(float* row, std::int64_t n, float scale, const float* bias);

  // out = (in - mean) * rstd * weight + bias; weight and bias may be null.
  void (*normalize)(float* out, const float* in, std::int64_t n, float mean, float rstd, const float* weight,
                    const float* bias);

  // Pooling over `count` taps of `channels` floats each.
  void (*max_taps)(float* out, const float* const* taps, std::int64_t count, std::int64_t channels);
  // Also the number of the first tap that holds the maximum (or a NaN), as a float.
  void (*max_taps_with_index)(float* out, float* index, const float* const* taps, std::int64_t count,
                              std::int64_t channels);
  void (*sum_taps)(float* out, const float* const* taps, std::int64_t count, std::int64_t channels,
                   float scale);
  void (*weighted_taps)(float* out, const float* const* taps, const float* weights, std::int64_t count,
                        std::int64_t channels);

  // out[j] = dot(x, rows + j * stride)
  void (*dots)(float* out, const float* x, const float* rows, std::int64_t stride, std::int64_t count,
               std::int64_t n);
  // out = sum over j of weights[j] * (rows + j * stride)
  void (*weighted_rows)(float* out, const float* weights, const float* rows, std::int64_t stride,
                        std::int64_t count, std::int64_t n);
};

}  // namespace plumb::cpu
