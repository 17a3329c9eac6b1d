// Sums, products, moments and truth over dimensions. Extremes are in extremum.cpp, running sums in scan.cpp.
#include <cmath>
#include <limits>

#include "engines/reference/kernels.h"
#include "engines/reference/reduction.h"

namespace plumb::reference {
namespace {

// No "dim", or an empty list, means all dimensions.
std::vector<int> reduced_dims(const Call& call) {
  return normalize_dims(call, call.ints("dim"), call.tensor("self").rank());
}

// result = finish(op(… op(op(start, x0), x1) …)), where x are the values in the dtype `common`.
template <typename C, typename Op>
void fold(const Call& call, DType common, C start, const Op& op) {
  const Tensor& self = call.tensor("self");
  const Tensor& out = call.output();
  const ReductionSpace space = reduction_space(self, reduced_dims(call), out);
  for_each_kept(space, [&](std::int64_t base, std::int64_t target) {
    C result = start;
    for_each_reduced<C>(space, self, common, base, [&](C x) { result = op(result, x); });
    write(out, target, result);
  });
}

void run_sum(const Call& call) {
  const DType dtype = call.output().dtype();
  visit_compute_type(dtype, [&]<typename C>() {
    fold<C>(call, dtype, C{0}, [](C sum, C x) { return wrapping_add(sum, x); });
  });
}

void run_prod(const Call& call) {
  const DType dtype = call.output().dtype();
  visit_compute_type(dtype, [&]<typename C>() {
    fold<C>(call, dtype, C{1}, [](C product, C x) { return wrapping_multiply(product, x); });
  });
}

void run_any(const Call& call) {
  const DType dtype = call.tensor("self").dtype();
  visit_compute_type(dtype, [&]<typename C>() {
    fold<C>(call, dtype, C{0}, [](C seen, C x) { return seen != C{0} || x != C{0} ? C{1} : C{0}; });
  });
}

void run_all(const Call& call) {
  const DType dtype = call.tensor("self").dtype();
  visit_compute_type(dtype, [&]<typename C>() {
    fold<C>(call, dtype, C{1}, [](C so_far, C x) { return so_far != C{0} && x != C{0} ? C{1} : C{0}; });
  });
}

double mean_at(const ReductionSpace& space, const Tensor& self, DType dtype, std::int64_t base) {
  double sum = 0;
  for_each_reduced<double>(space, self, dtype, base, [&](double x) { sum += x; });
  return sum / static_cast<double>(space.reduced_count);
}

void run_mean(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& out = call.output();
  const ReductionSpace space = reduction_space(self, reduced_dims(call), out);
  for_each_kept(space, [&](std::int64_t base, std::int64_t target) {
    write(out, target, mean_at(space, self, out.dtype(), base));
  });
}

// Older overloads say `unbiased` instead of a correction of 1.
double correction_of(const Call& call) {
  if (call.has("unbiased")) return call.boolean("unbiased") ? 1.0 : 0.0;
  return call.number("correction", 1.0);
}

// Bessel-corrected variance in two passes. Too few elements give NaN or infinity, as in PyTorch.
double variance_at(const ReductionSpace& space, const Tensor& self, std::int64_t base, double mean,
                   double correction) {
  double sum = 0;
  for_each_reduced<double>(space, self, self.dtype(), base,
                           [&](double x) { sum += (x - mean) * (x - mean); });
  return sum / std::max(0.0, static_cast<double>(space.reduced_count) - correction);
}

// Output 0 receives the variance or its root; output 1, where there is one, the mean.
template <bool root>
void run_variance(const Call& call) {
  const Tensor& self = call.tensor("self");
  const double correction = correction_of(call);
  const ReductionSpace space = reduction_space(self, reduced_dims(call), call.output());
  for_each_kept(space, [&](std::int64_t base, std::int64_t target) {
    const double mean = mean_at(space, self, self.dtype(), base);
    const double variance = variance_at(space, self, base, mean, correction);
    write(call.output(), target, root ? std::sqrt(variance) : variance);
  });
  if (call.outputs.size() < 2) return;
  const ReductionSpace mean_space = reduction_space(self, reduced_dims(call), call.output(1));
  for_each_kept(mean_space, [&](std::int64_t base, std::int64_t target) {
    write(call.output(1), target, mean_at(mean_space, self, self.dtype(), base));
  });
}

// The largest value is taken out of the sum, so that nothing overflows; an infinite one is not subtracted.
void run_logsumexp(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& out = call.output();
  const ReductionSpace space = reduction_space(self, reduced_dims(call), out);
  for_each_kept(space, [&](std::int64_t base, std::int64_t target) {
    double largest = -std::numeric_limits<double>::infinity();
    for_each_reduced<double>(space, self, out.dtype(), base,
                             [&](double x) { largest = std::max(largest, x); });
    const double shift = std::isinf(largest) ? 0.0 : largest;
    double sum = 0;
    for_each_reduced<double>(space, self, out.dtype(), base, [&](double x) { sum += std::exp(x - shift); });
    write(out, target, std::log(sum) + shift);
  });
}

}  // namespace

const KernelImpl sum{.run = run_sum};
const KernelImpl prod{.run = run_prod};
const KernelImpl any{.run = run_any};
const KernelImpl all{.run = run_all};
const KernelImpl mean{.run = run_mean};
const KernelImpl var{.run = run_variance<false>};
const KernelImpl std_dev{.run = run_variance<true>};
const KernelImpl logsumexp{.run = run_logsumexp};

}  // namespace plumb::reference
