// Sums, means, variances and extrema over any set of dimensions of a float tensor. Each result is the work of
// one task in a fixed order. Not here: softmax, normalisation, argmax.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/reduced_view.h"
#include "engines/cpu/ops/strided_loop.h"

namespace plumb::cpu {
namespace {

constexpr std::int64_t kGrain = 32 << 10;  // elements read
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A reduction of one run and of a block of columns over `reduced`.
//   row(data, reduced) -> float            data: the first element
//   columns(out, data, reduced, cols)      out[c] for neighbouring elements, cols <= kColumnBlock
template <typename Row, typename Columns>
void reduce(const Call& call, const Tensor& output, const Row& row, const Columns& columns) {
  const Tensor& self = call.tensor("self");
  const std::vector<bool> flags = reduced_flags(call.ints("dim"), self.rank());
  const ReducedDims reduced = reduced_dims(self, flags);
  const Tensor in = kept_view(self, flags);
  // With keepdim the output has the reduced dimensions as ones.
  const Tensor out = output.rank() == self.rank() ? kept_view(output, flags) : output;
  const Tensor* inputs[] = {&in};
  const std::int64_t grain = std::max<std::int64_t>(kGrain / std::max<std::int64_t>(reduced.count, 1), 1);
  const StridedLoop loop(out, inputs);
  loop.for_each_tile(call.pool, grain, [&](const StridedTile& tile) {
    // Not by tile.cols, which depends on how the work was cut: the two ways add in different orders.
    const bool by_columns = loop.inner_size() > 1 && tile.col_step[0] == 4 && tile.col_step[1] == 4;
    for (std::int64_t r = 0; r < tile.rows; ++r) {
      std::byte* target = tile.data[0] + r * tile.row_step[0];
      const std::byte* source = tile.data[1] + r * tile.row_step[1];
      if (by_columns) {
        for (std::int64_t c = 0; c < tile.cols; c += kColumnBlock) {
          columns(reinterpret_cast<float*>(target) + c, reinterpret_cast<const float*>(source) + c, reduced,
                  std::min(kColumnBlock, tile.cols - c));
        }
      } else {
        for (std::int64_t c = 0; c < tile.cols; ++c) {
          *reinterpret_cast<float*>(target + c * tile.col_step[0]) =
              row(reinterpret_cast<const float*>(source + c * tile.col_step[1]), reduced);
        }
      }
    }
  });
}

// Runs that are not contiguous are copied to a small buffer, a piece at a time: piece(data, count).
template <typename Piece>
void for_each_piece(const ReducedDims& reduced, const float* data, const Piece& piece) {
  reduced.for_each_run(data, [&](const float* run) {
    const std::int64_t n = reduced.sizes[0];
    const std::int64_t step = reduced.steps[0];
    if (step == 1) return piece(run, n);
    std::array<float, 256> buffer;
    for (std::int64_t begin = 0; begin < n; begin += 256) {
      const std::int64_t count = std::min<std::int64_t>(256, n - begin);
      for (std::int64_t i = 0; i < count; ++i) buffer[static_cast<std::size_t>(i)] = run[(begin + i) * step];
      piece(static_cast<const float*>(buffer.data()), count);
    }
  });
}

double sum_of(const RowKernels& rows, const ReducedDims& reduced, const float* data) {
  double total = 0;
  for_each_piece(reduced, data, [&](const float* p, std::int64_t n) { total += rows.sum(p, n); });
  return total;
}

using ColumnSums = std::array<double, kColumnBlock>;

ColumnSums column_sums_of(const RowKernels& rows, const ReducedDims& reduced, const float* data,
                          std::int64_t cols) {
  ColumnSums sums{};
  reduced.for_each_run(data, [&](const float* run) {
    rows.column_sums(sums.data(), run, reduced.steps[0], reduced.sizes[0], cols);
  });
  return sums;
}

Verdict accept_float(const Call& call) {
  if (call.tensor("self").dtype() != DType::kFloat32) return Verdict::no("self is not float32");
  if (call.output().dtype() != DType::kFloat32) return Verdict::no("the output is not float32");
  return Verdict::yes();
}

// PyTorch's kernels look at an explicit empty list as "all dimensions", except amax's and amin's of nothing.
Verdict accept_extremum(const Call& call) {
  if (call.tensor("self").numel() == 0) return Verdict::no("self has no elements");
  return accept_float(call);
}

void run_scaled_sum(const Call& call, const Tensor& output, bool mean) {
  const RowKernels& rows = *isa_kernels(call).rows;
  const auto finish = [mean](double sum, const ReducedDims& reduced) {
    return static_cast<float>(mean ? sum / static_cast<double>(reduced.count) : sum);
  };
  reduce(
      call, output,
      [&](const float* data, const ReducedDims& reduced) {
        return finish(sum_of(rows, reduced, data), reduced);
      },
      [&](float* out, const float* data, const ReducedDims& reduced, std::int64_t cols) {
        const ColumnSums sums = column_sums_of(rows, reduced, data, cols);
        for (std::int64_t c = 0; c < cols; ++c) out[c] = finish(sums[static_cast<std::size_t>(c)], reduced);
      });
}

void run_sum(const Call& call) {
  run_scaled_sum(call, call.output(), false);
}
void run_mean(const Call& call) {
  run_scaled_sum(call, call.output(), true);
}

double correction(const Call& call) {
  if (call.find("unbiased") != nullptr) return call.boolean("unbiased") ? 1.0 : 0.0;
  return call.number("correction", 1.0);
}

void run_spread(const Call& call, bool deviation) {
  const RowKernels& rows = *isa_kernels(call).rows;
  const double ddof = correction(call);
  // `center` is `mean` rounded to float; the identity below removes what that adds to the sum of squares.
  const auto finish = [=](double squares, double mean, float center, const ReducedDims& reduced) {
    const auto count = static_cast<double>(reduced.count);
    const double shift = mean - static_cast<double>(center);
    const double var = std::max(squares - count * shift * shift, 0.0) / std::max(count - ddof, 0.0);
    return static_cast<float>(deviation ? std::sqrt(var) : var);
  };
  reduce(
      call, call.output(),
      [&](const float* data, const ReducedDims& reduced) {
        const double mean = sum_of(rows, reduced, data) / static_cast<double>(reduced.count);
        const auto center = static_cast<float>(mean);
        double squares = 0;
        for_each_piece(reduced, data, [&](const float* p, std::int64_t n) {
          squares += rows.squared_deviation(p, n, center);
        });
        return finish(squares, mean, center, reduced);
      },
      [&](float* out, const float* data, const ReducedDims& reduced, std::int64_t cols) {
        ColumnSums means = column_sums_of(rows, reduced, data, cols);
        std::array<float, kColumnBlock> centers;
        for (std::size_t c = 0; c < means.size(); ++c) {
          means[c] /= static_cast<double>(reduced.count);
          centers[c] = static_cast<float>(means[c]);
        }
        ColumnSums squares{};
        reduced.for_each_run(data, [&](const float* run) {
          rows.column_squared_deviations(squares.data(), run, reduced.steps[0], reduced.sizes[0], cols,
                                         centers.data());
        });
        for (std::int64_t i = 0; i < cols; ++i) {
          const auto c = static_cast<std::size_t>(i);
          out[i] = finish(squares[c], means[c], centers[c], reduced);
        }
      });
}

void run_var(const Call& call) {
  run_spread(call, false);
}
void run_std(const Call& call) {
  run_spread(call, true);
}
void run_var_mean(const Call& call) {
  run_spread(call, false);
  run_scaled_sum(call, call.output(1), true);
}

void run_extremum(const Call& call, bool maximum) {
  const RowKernels& rows = *isa_kernels(call).rows;
  const auto of_row = maximum ? rows.maximum : rows.minimum;
  const auto of_columns = maximum ? rows.column_maxima : rows.column_minima;
  const float start = maximum ? -kInfinity : kInfinity;
  reduce(
      call, call.output(),
      [&](const float* data, const ReducedDims& reduced) {
        float best = start;
        for_each_piece(reduced, data, [&](const float* p, std::int64_t n) {
          const float other = of_row(p, n);
          if (std::isnan(other) || (maximum ? other > best : other < best))
            best = std::isnan(best) ? best : other;
        });
        return best;
      },
      [&](float* out, const float* data, const ReducedDims& reduced, std::int64_t cols) {
        std::fill_n(out, cols, start);
        reduced.for_each_run(
            data, [&](const float* run) { of_columns(out, run, reduced.steps[0], reduced.sizes[0], cols); });
      });
}

void run_amax(const Call& call) {
  run_extremum(call, true);
}
void run_amin(const Call& call) {
  run_extremum(call, false);
}

}  // namespace

const KernelImpl reduce_sum{.accepts = accept_float, .run = run_sum};
const KernelImpl reduce_mean{.accepts = accept_float, .run = run_mean};
const KernelImpl reduce_var{.accepts = accept_float, .run = run_var};
const KernelImpl reduce_std{.accepts = accept_float, .run = run_std};
const KernelImpl reduce_var_mean{.accepts = accept_float, .run = run_var_mean};
const KernelImpl reduce_amax{.accepts = accept_extremum, .run = run_amax};
const KernelImpl reduce_amin{.accepts = accept_extremum, .run = run_amin};

}  // namespace plumb::cpu
