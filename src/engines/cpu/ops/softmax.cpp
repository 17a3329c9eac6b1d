// softmax and log_softmax along any dimension of a float tensor with any strides.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/common_arguments.h"
#include "engines/cpu/ops/reduced_view.h"
#include "engines/cpu/ops/strided_loop.h"

namespace plumb::cpu {
namespace {

constexpr std::int64_t kGrain = 8 << 10;  // exponentials

Verdict accept_softmax(const Call& call) {
  if (call.tensor("self").rank() == 0) return Verdict::no("self has no dimensions");
  if (call.tensor("self").dtype() != DType::kFloat32) return Verdict::no("self is not float32");
  if (call.output().dtype() != DType::kFloat32) return Verdict::no("the output is not float32");
  return Verdict::yes();
}

void run(const Call& call, bool logarithm) {
  const RowKernels& rows = *isa_kernels(call).rows;
  const Tensor& self = call.tensor("self");
  const Tensor& out = call.output();
  const std::int64_t dims[] = {call.integer("dim")};
  const std::vector<bool> flags = reduced_flags(dims, self.rank());
  const int dim = static_cast<int>(dims[0] < 0 ? dims[0] + self.rank() : dims[0]);
  const std::int64_t n = self.size(dim);
  if (n == 0) return;
  const std::int64_t in_step = n == 1 ? 1 : self.stride(dim);
  const std::int64_t out_step = n == 1 ? 1 : out.stride(dim);
  const auto row_function = logarithm ? rows.log_softmax : rows.softmax;
  const auto column_function = logarithm ? rows.column_log_softmax : rows.column_softmax;

  const Tensor kept_in = kept_view(self, flags);
  const Tensor* inputs[] = {&kept_in};
  const StridedLoop loop(kept_view(out, flags), inputs);
  loop.for_each_tile(call.pool, std::max<std::int64_t>(kGrain / n, 1), [&](const StridedTile& tile) {
    const bool by_columns = (in_step != 1 || out_step != 1) && tile.col_step[0] == 4 && tile.col_step[1] == 4;
    std::vector<float> buffer;
    for (std::int64_t r = 0; r < tile.rows; ++r) {
      std::byte* target = tile.data[0] + r * tile.row_step[0];
      const std::byte* source = tile.data[1] + r * tile.row_step[1];
      if (by_columns) {
        for (std::int64_t c = 0; c < tile.cols; c += kColumnBlock) {
          column_function(reinterpret_cast<float*>(target) + c, out_step,
                          reinterpret_cast<const float*>(source) + c, in_step, n,
                          std::min(kColumnBlock, tile.cols - c));
        }
        continue;
      }
      for (std::int64_t c = 0; c < tile.cols; ++c) {
        auto* to = reinterpret_cast<float*>(target + c * tile.col_step[0]);
        const auto* from = reinterpret_cast<const float*>(source + c * tile.col_step[1]);
        if (in_step == 1 && out_step == 1) {
          row_function(to, from, n);
          continue;
        }
        buffer.resize(static_cast<std::size_t>(n));
        for (std::int64_t i = 0; i < n; ++i) buffer[static_cast<std::size_t>(i)] = from[i * in_step];
        row_function(buffer.data(), buffer.data(), n);
        for (std::int64_t i = 0; i < n; ++i) to[i * out_step] = buffer[static_cast<std::size_t>(i)];
      }
    }
  });
}

void run_softmax(const Call& call) {
  run(call, false);
}
void run_log_softmax(const Call& call) {
  run(call, true);
}

}  // namespace

const KernelImpl softmax_float{.accepts = accept_softmax, .output_layout = any_layout, .run = run_softmax};
const KernelImpl log_softmax_float{
    .accepts = accept_softmax, .output_layout = any_layout, .run = run_log_softmax};

}  // namespace plumb::cpu
