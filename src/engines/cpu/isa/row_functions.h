// The functions that the table of row kernels points at; what each does is said in row_kernels.h.
#pragma once

#include <cstdint>

#include "engines/cpu/row_kernels.h"

namespace plumb::cpu::PLUMB_ISA {

double row_sum(const float* row, std::int64_t n);
double row_squared_deviation(const float* row, std::int64_t n, float mean);
float row_maximum(const float* row, std::int64_t n);
float row_minimum(const float* row, std::int64_t n);
void column_sums(double* sums, const float* rows, std::int64_t stride, std::int64_t count, std::int64_t cols);
void column_squared_deviations(double* sums, const float* rows, std::int64_t stride, std::int64_t count,
                               std::int64_t cols, const float* means);
void column_maxima(float* extrema, const float* rows, std::int64_t stride, std::int64_t count,
                   std::int64_t cols);
void column_minima(float* extrema, const float* rows, std::int64_t stride, std::int64_t count,
                   std::int64_t cols);

void row_softmax(float* out, const float* in, std::int64_t n);
void row_log_softmax(float* out, const float* in, std::int64_t n);
void column_softmax(float* out, std::int64_t out_stride, const float* in, std::int64_t in_stride,
                    std::int64_t n, std::int64_t cols);
void column_log_softmax(float* out, std::int64_t out_stride, const float* in, std::int64_t in_stride,
                        std::int64_t n, std::int64_t cols);
void attention_softmax(float* row, std::int64_t n, float scale, const float* bias);

void row_normalize(float* out, const float* in, std::int64_t n, float mean, float rstd, const float* weight,
                   const float* bias);

void max_taps(float* out, const float* const* taps, std::int64_t count, std::int64_t channels);
void max_taps_with_index(float* out, float* index, const float* const* taps, std::int64_t count,
                         std::int64_t channels);
void sum_taps(float* out, const float* const* taps, std::int64_t count, std::int64_t channels, float scale);
void weighted_taps(float* out, const float* const* taps, const float* weights, std::int64_t count,
                   std::int64_t channels);

void dots(float* out, const float* x, const float* rows, std::int64_t stride, std::int64_t count,
          std::int64_t n);
void weighted_rows(float* out, const float* weights, const float* rows, std::int64_t stride,
                   std::int64_t count, std::int64_t n);

}  // namespace plumb::cpu::PLUMB_ISA
