// Running sums along one dimension: floats in double as PyTorch has it, integers and bools in int64.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/common_arguments.h"
#include "engines/cpu/ops/reduced_view.h"
#include "engines/cpu/ops/strided_loop.h"

namespace plumb::cpu {
namespace {

bool sums_in_int64(DType dtype) {
  return dtype == DType::kInt64 || dtype == DType::kInt32 || dtype == DType::kBool;
}

Verdict accept(const Call& call) {
  const DType from = call.tensor("self").dtype();
  const DType to = call.output().dtype();
  if (from == DType::kFloat32 && to == DType::kFloat32) return Verdict::yes();
  if (sums_in_int64(from) && to == DType::kInt64) return Verdict::yes();
  return Verdict::no("sums of " + std::string(dtype_name(from)) + " in " + std::string(dtype_name(to)));
}

// `Sum` is unsigned for integers, whose sums wrap.
template <typename In, typename Out, typename Sum>
void run_typed(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& out = call.output();
  if (self.rank() == 0) {
    *out.data<Out>() = static_cast<Out>(static_cast<Sum>(*self.data<const In>()));
    return;
  }
  const int dim = dim_argument(call, self.rank());
  const std::int64_t dims[] = {dim};
  const std::vector<bool> flags = reduced_flags(dims, self.rank());
  const Tensor starts = kept_view(self, flags);
  const Tensor* inputs[] = {&starts};
  const std::int64_t n = self.size(dim);
  const std::int64_t in_step = self.stride(dim);
  const std::int64_t out_step = out.stride(dim);
  const std::int64_t grain = (16 << 10) / std::clamp<std::int64_t>(n, 1, 16 << 10);
  StridedLoop(kept_view(out, flags), inputs).for_each_tile(call.pool, grain, [&](const StridedTile& tile) {
    for (std::int64_t r = 0; r < tile.rows; ++r) {
      for (std::int64_t c = 0; c < tile.cols; ++c) {
        auto* target = reinterpret_cast<Out*>(tile.data[0] + r * tile.row_step[0] + c * tile.col_step[0]);
        const auto* source =
            reinterpret_cast<const In*>(tile.data[1] + r * tile.row_step[1] + c * tile.col_step[1]);
        Sum sum = 0;
        for (std::int64_t i = 0; i < n; ++i) {
          sum += static_cast<Sum>(source[i * in_step]);
          target[i * out_step] = static_cast<Out>(sum);
        }
      }
    }
  });
}

void run(const Call& call) {
  switch (call.tensor("self").dtype()) {
    case DType::kFloat32:
      return run_typed<float, float, double>(call);
    case DType::kInt64:
      return run_typed<std::int64_t, std::int64_t, std::uint64_t>(call);
    case DType::kInt32:
      return run_typed<std::int32_t, std::int64_t, std::uint64_t>(call);
    default:
      return run_typed<bool, std::int64_t, std::uint64_t>(call);
  }
}

}  // namespace

const KernelImpl cumsum_runs{.accepts = accept, .output_layout = any_layout, .run = run};

}  // namespace plumb::cpu
