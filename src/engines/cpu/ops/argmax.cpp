// argmax of a float tensor: along one dimension or over all elements; the first NaN wins, else the first
// maximum.
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

Verdict accept_argmax(const Call& call) {
  const Tensor& self = call.tensor("self");
  if (self.dtype() != DType::kFloat32) return Verdict::no("self is not float32");
  if (self.numel() == 0) return Verdict::no("self has no elements");
  if (!call.has("dim") && self.rank() != 1) return Verdict::no("all dimensions of a tensor that has several");
  if (self.rank() == 0) return Verdict::no("self has no dimensions");
  return Verdict::yes();
}

// Dense rows: the vectorised maximum first, then the search for its place.
std::int64_t first_maximum(const RowKernels& kernels, const float* row, std::int64_t n) {
  const float best = kernels.maximum(row, n);
  std::int64_t i = 0;
  if (std::isnan(best)) {
    while (!std::isnan(row[i])) ++i;
  } else {
    while (row[i] != best) ++i;
  }
  return i;
}

std::int64_t first_maximum(const float* data, std::int64_t n, std::int64_t step) {
  std::int64_t best = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const float value = data[i * step];
    if (std::isnan(value)) return i;
    if (value > data[best * step]) best = i;
  }
  return best;
}

void run_argmax(const Call& call) {
  const RowKernels& kernels = *isa_kernels(call).rows;
  const Tensor& self = call.tensor("self");
  const std::int64_t given = call.integer("dim", 0);
  const auto dim = static_cast<int>(given < 0 ? given + self.rank() : given);
  const std::int64_t dims[] = {dim};
  const std::vector<bool> flags = reduced_flags(dims, self.rank());
  const Tensor in = kept_view(self, flags);
  const Tensor out = call.output().rank() == self.rank() ? kept_view(call.output(), flags) : call.output();
  const Tensor* inputs[] = {&in};
  const std::int64_t n = self.size(dim);
  const std::int64_t step = n == 1 ? 1 : self.stride(dim);
  const std::int64_t grain = std::max<std::int64_t>((16 << 10) / n, 1);
  StridedLoop(out, inputs).for_each_tile(call.pool, grain, [&](const StridedTile& tile) {
    for (std::int64_t r = 0; r < tile.rows; ++r) {
      for (std::int64_t c = 0; c < tile.cols; ++c) {
        std::byte* target = tile.data[0] + r * tile.row_step[0] + c * tile.col_step[0];
        const auto* data =
            reinterpret_cast<const float*>(tile.data[1] + r * tile.row_step[1] + c * tile.col_step[1]);
        *reinterpret_cast<std::int64_t*>(target) =
            step == 1 ? first_maximum(kernels, data, n) : first_maximum(data, n, step);
      }
    }
  });
}

}  // namespace

const KernelImpl argmax_float{.accepts = accept_argmax, .run = run_argmax};

}  // namespace plumb::cpu
