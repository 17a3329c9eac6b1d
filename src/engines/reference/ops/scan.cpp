// Operators that work along one dimension and keep the shape: running sums and products, softmax.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engines/reference/elementwise.h"
#include "engines/reference/kernels.h"

namespace plumb::reference {
namespace {

// Replaces each line along "dim", converted to the output's dtype and held in C, by what body(line) makes of
// it.
template <typename C, typename Body>
void for_each_line(const Call& call, const Body& body) {
  const Tensor& self = call.tensor("self");
  const Tensor& out = call.output();
  const int dim = normalize_dim(call, call.integer("dim"), self.rank());
  const bool has_dim = self.rank() > 0;
  const std::vector<int> others =
      has_dim ? remaining_dims(std::vector<int>{dim}, self.rank()) : std::vector<int>{};
  const std::int64_t length = has_dim ? self.size(dim) : 1;
  const std::int64_t step = has_dim ? self.stride(dim) : 0;
  const std::int64_t out_step = has_dim ? out.stride(dim) : 0;

  std::vector<C> line(static_cast<std::size_t>(length));
  for_each_offset<2>(
      sizes_of(self, others), {strides_of(self, others), strides_of(out, others)}, [&](const auto& offsets) {
        for (std::int64_t i = 0; i < length; ++i) {
          line[static_cast<std::size_t>(i)] = rounded_to(out.dtype(), read<C>(self, offsets[0] + i * step));
        }
        body(line);
        for (std::int64_t i = 0; i < length; ++i) {
          write(out, offsets[1] + i * out_step, line[static_cast<std::size_t>(i)]);
        }
      });
}

template <auto op>
void run_cumulative(const Call& call) {
  visit_compute_type(call.output().dtype(), [&]<typename C>() {
    for_each_line<C>(call, [](std::vector<C>& line) {
      for (std::size_t i = 1; i < line.size(); ++i) line[i] = op(line[i - 1], line[i]);
    });
  });
}

double largest_of(const std::vector<double>& line) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const double x : line) largest = std::max(largest, x);
  return largest;
}

// A line that is -inf throughout has no softmax: it becomes NaN, or zeros where `masked_rows_are_zero`.
template <bool masked_rows_are_zero>
void run_softmax(const Call& call) {
  for_each_line<double>(call, [](std::vector<double>& line) {
    const double largest = largest_of(line);
    if (masked_rows_are_zero &&
        std::all_of(line.begin(), line.end(), [](double x) { return x < 0 && std::isinf(x); })) {
      std::fill(line.begin(), line.end(), 0.0);
      return;
    }
    double sum = 0;
    for (double& x : line) {
      x = std::exp(x - largest);
      sum += x;
    }
    for (double& x : line) x /= sum;
  });
}

void run_log_softmax(const Call& call) {
  for_each_line<double>(call, [](std::vector<double>& line) {
    const double largest = largest_of(line);
    double sum = 0;
    for (const double x : line) sum += std::exp(x - largest);
    for (double& x : line) x = x - largest - std::log(sum);
  });
}

}  // namespace

const KernelImpl cumsum{.run = run_cumulative<[](auto sum, auto x) { return wrapping_add(sum, x); }>};
const KernelImpl cumprod{
    .run = run_cumulative<[](auto product, auto x) { return wrapping_multiply(product, x); }>};
const KernelImpl softmax{.run = run_softmax<false>};
const KernelImpl safe_softmax{.run = run_softmax<true>};
const KernelImpl log_softmax{.run = run_log_softmax};

}  // namespace plumb::reference
