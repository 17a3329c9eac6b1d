// Largest and smallest values over dimensions, and where they are: the first of equals, the first NaN before
// all.
#include "engines/reference/kernels.h"
#include "engines/reference/reduction.h"

namespace plumb::reference {
namespace {

struct Larger {
  template <typename C>
  bool operator()(C candidate, C best) const {
    return candidate > best;
  }
};

struct Smaller {
  template <typename C>
  bool operator()(C candidate, C best) const {
    return candidate < best;
  }
};

template <typename C>
struct Extremum {
  C value{};
  std::int64_t index = -1;  // in row-major order of the reduced dimensions
};

template <typename C, typename Better>
Extremum<C> extremum_at(const ReductionSpace& space, const Tensor& self, std::int64_t base, Better better) {
  Extremum<C> best;
  std::int64_t index = 0;
  for_each_reduced<C>(space, self, self.dtype(), base, [&](C x) {
    const bool replaces = best.index < 0 || (!is_nan(best.value) && (is_nan(x) || better(x, best.value)));
    if (replaces) best = {x, index};
    ++index;
  });
  return best;
}

// Calls body(best, output's offset) for each point that stays.
template <typename Better, typename Body>
void for_each_extremum(const Call& call, const Tensor& out, const Body& body) {
  const Tensor& self = call.tensor("self");
  const std::vector<int> dims = normalize_dims(call, call.ints("dim"), self.rank());
  const ReductionSpace space = reduction_space(self, dims, out);
  if (space.reduced_count == 0 && element_count(space.kept_sizes) > 0) {
    call.fail("no elements to choose from: shape " + shape_string(self.sizes()));
  }
  visit_compute_type(self.dtype(), [&]<typename C>() {
    for_each_kept(space, [&](std::int64_t base, std::int64_t target) {
      body(extremum_at<C>(space, self, base, Better{}), target);
    });
  });
}

template <typename Better>
void run_value(const Call& call) {
  const Tensor& out = call.output();
  for_each_extremum<Better>(call, out,
                            [&](const auto& best, std::int64_t target) { write(out, target, best.value); });
}

template <typename Better>
void run_index(const Call& call) {
  const Tensor& out = call.output();
  for_each_extremum<Better>(call, out,
                            [&](const auto& best, std::int64_t target) { write(out, target, best.index); });
}

template <typename Better>
void run_value_and_index(const Call& call) {
  const Tensor& values = call.output(0);
  const Tensor& indices = call.output(1);
  for_each_extremum<Better>(
      call, values, [&](const auto& best, std::int64_t target) { write(values, target, best.value); });
  for_each_extremum<Better>(
      call, indices, [&](const auto& best, std::int64_t target) { write(indices, target, best.index); });
}

}  // namespace

const KernelImpl amax{.run = run_value<Larger>};
const KernelImpl amin{.run = run_value<Smaller>};
const KernelImpl argmax{.run = run_index<Larger>};
const KernelImpl argmin{.run = run_index<Smaller>};
const KernelImpl max_dim{.run = run_value_and_index<Larger>};
const KernelImpl min_dim{.run = run_value_and_index<Smaller>};

}  // namespace plumb::reference
