// Task grids over rows and panels.
#include "engines/cpu/gemm_parallel.h"

#include <algorithm>

namespace plumb::cpu {
namespace {

// Several tasks a thread even out what other processes take away.
constexpr std::int64_t kTasksPerThread = 4;
// Fewer rows a task than this reload the panels too often.
constexpr std::int64_t kMinTaskRows = 48;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace

std::int64_t GemmSplit::column_at(std::int64_t i) const {
  const std::int64_t panels = ceil_div(columns, panel_columns);
  return std::min(columns, panels * i / column_tasks * panel_columns);
}

GemmSplit split_gemm(const GemmKernels& gemm, std::int64_t rows, std::int64_t columns, int threads,
                     std::int64_t batch) {
  GemmSplit split{rows, columns, gemm.panel_columns, 1, 1};
  if (threads <= 1) return split;
  const std::int64_t wanted = ceil_div(kTasksPerThread * threads, std::max<std::int64_t>(1, batch));
  split.row_tasks = std::clamp<std::int64_t>(rows / kMinTaskRows, 1, wanted);
  split.column_tasks = std::clamp<std::int64_t>(
      ceil_div(wanted, split.row_tasks), 1, std::max<std::int64_t>(1, ceil_div(columns, gemm.panel_columns)));
  return split;
}

void gemm_parallel(const GemmKernels& gemm, ThreadPool& pool, const GemmArgs& args, std::int64_t rows) {
  const GemmSplit split = split_gemm(gemm, rows, args.n, pool.threads());
  pool.parallel_for(split.tasks(), [&](std::int64_t task, int) {
    gemm.run(args, split.row_begin(task), split.row_end(task), split.column_begin(task),
             split.column_end(task));
  });
}

void pack_parallel(const GemmKernels& gemm, ThreadPool& pool, const UnpackedB& b, std::int64_t k,
                   std::int64_t n, float* packed) {
  const std::int64_t panels = ceil_div(n, gemm.panel_columns);
  pool.parallel_for(panels, [&](std::int64_t i, int) {
    gemm.pack(b, k, i * gemm.panel_columns, std::min(n, (i + 1) * gemm.panel_columns), packed);
  });
}

}  // namespace plumb::cpu
