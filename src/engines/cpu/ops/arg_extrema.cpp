// Where the extrema of a float tensor are, and on request what they are: argmax, argmin, max and min along
// one dimension. The first NaN wins, else the first extremum. Not here: extrema without places
// (reductions.cpp).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/reduced_view.h"
#include "engines/cpu/ops/strided_loop.h"

namespace plumb::cpu {
namespace {

Verdict accept(const Call& call) {
  const Tensor& self = call.tensor("self");
  if (self.dtype() != DType::kFloat32) return Verdict::no("self is not float32");
  if (self.numel() == 0) return Verdict::no("self has no elements");
  if (!call.has("dim") && self.rank() != 1) return Verdict::no("all dimensions of a tensor that has several");
  if (self.rank() == 0) return Verdict::no("self has no dimensions");
  return Verdict::yes();
}

// Dense rows: the vectorised extremum first, then the search for its place.
std::int64_t first_place(float best, const float* row) {
  std::int64_t i = 0;
  if (std::isnan(best)) {
    while (!std::isnan(row[i])) ++i;
  } else {
    while (row[i] != best) ++i;
  }
  return i;
}

std::int64_t first_place(bool maximum, const float* data, std::int64_t n, std::int64_t step) {
  std::int64_t best = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const float value = data[i * step];
    if (std::isnan(value)) return i;
    const float old = data[best * step];
    if (maximum ? value > old : value < old) best = i;
  }
  return best;
}

// `values` may be null.
void run(const Call& call, bool maximum, const Tensor* values, const Tensor& places) {
  const RowKernels& kernels = *isa_kernels(call).rows;
  const auto extremum = maximum ? kernels.maximum : kernels.minimum;
  const Tensor& self = call.tensor("self");
  const std::int64_t given = call.integer("dim", 0);
  const auto dim = static_cast<int>(given < 0 ? given + self.rank() : given);
  const std::int64_t dims[] = {dim};
  const std::vector<bool> flags = reduced_flags(dims, self.rank());
  const auto kept = [&](const Tensor& t) { return t.rank() == self.rank() ? kept_view(t, flags) : t; };
  const Tensor in = kept_view(self, flags);
  // The loop's last operand is written too.
  const Tensor second = kept(values == nullptr ? places : *values);
  const Tensor* operands[] = {&in, &second};
  const std::int64_t n = self.size(dim);
  const std::int64_t step = n == 1 ? 1 : self.stride(dim);
  const std::int64_t grain = std::max<std::int64_t>((16 << 10) / n, 1);
  StridedLoop(kept(places), operands).for_each_tile(call.pool, grain, [&](const StridedTile& tile) {
    for (std::int64_t r = 0; r < tile.rows; ++r) {
      for (std::int64_t c = 0; c < tile.cols; ++c) {
        const auto at = [&](std::size_t i) {
          return tile.data[i] + r * tile.row_step[i] + c * tile.col_step[i];
        };
        const auto* data = reinterpret_cast<const float*>(at(1));
        const std::int64_t place =
            step == 1 ? first_place(extremum(data, n), data) : first_place(maximum, data, n, step);
        *reinterpret_cast<std::int64_t*>(at(0)) = place;
        if (values != nullptr) *reinterpret_cast<float*>(at(2)) = data[place * step];
      }
    }
  });
}

template <bool maximum>
void run_place(const Call& call) {
  run(call, maximum, nullptr, call.output());
}
template <bool maximum>
void run_value_and_place(const Call& call) {
  run(call, maximum, &call.output(0), call.output(1));
}

}  // namespace

const KernelImpl argmax_float{.accepts = accept, .run = run_place<true>};
const KernelImpl argmin_float{.accepts = accept, .run = run_place<false>};
const KernelImpl max_dim_float{.accepts = accept, .run = run_value_and_place<true>};
const KernelImpl min_dim_float{.accepts = accept, .run = run_value_and_place<false>};

}  // namespace plumb::cpu
