// Matrix products over a thread pool. The cut into tasks never changes a result's bits.
#pragma once

#include <cstdint>

#include "base/thread_pool.h"
#include "engines/cpu/gemm.h"

namespace plumb::cpu {

// All `rows` rows and args.n columns of C.
void gemm_parallel(const GemmKernels& gemm, ThreadPool& pool, const GemmArgs& args, std::int64_t rows);

// Packs a whole B; see GemmKernels::pack.
void pack_parallel(const GemmKernels& gemm, ThreadPool& pool, const UnpackedB& b, std::int64_t k,
                   std::int64_t n, float* packed);

// A cut of a product into tasks of about equal size: `row_tasks` ranges of rows by `column_tasks` ranges of
// panels.
struct GemmSplit {
  std::int64_t rows, columns, panel_columns;
  std::int64_t row_tasks, column_tasks;

  std::int64_t tasks() const { return row_tasks * column_tasks; }
  std::int64_t row_begin(std::int64_t task) const { return rows * (task / column_tasks) / row_tasks; }
  std::int64_t row_end(std::int64_t task) const { return rows * (task / column_tasks + 1) / row_tasks; }
  std::int64_t column_begin(std::int64_t task) const { return column_at(task % column_tasks); }
  std::int64_t column_end(std::int64_t task) const { return column_at(task % column_tasks + 1); }

 private:
  std::int64_t column_at(std::int64_t i) const;
};

// Enough tasks to keep `threads` busy, given that `batch` products of this size run at the same time.
GemmSplit split_gemm(const GemmKernels& gemm, std::int64_t rows, std::int64_t columns, int threads,
                     std::int64_t batch = 1);

}  // namespace plumb::cpu
