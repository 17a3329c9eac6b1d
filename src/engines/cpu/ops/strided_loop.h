// Iteration over tensors of one logical shape with any strides: dimensions that are one run of memory for
// every operand are merged, the rest is walked as 2-D tiles. Not here: what is computed (elementwise.cpp,
// copy.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engines/cpu/ops/parallel.h"
#include "plumb/tensor.h"

namespace plumb::cpu {

inline constexpr int kMaxOperands = 4;

// rows x cols elements of every operand; steps count bytes and are 0 where an operand is broadcast.
struct StridedTile {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::array<std::byte*, kMaxOperands> data{};
  std::array<std::int64_t, kMaxOperands> row_step{};
  std::array<std::int64_t, kMaxOperands> col_step{};
};

// Operand 0 is the output and gives the order of the dimensions: its innermost one runs along the columns.
// When the first input jumps along the columns, the rows run where that input is contiguous, so that a tile
// is a transposition.
class StridedLoop {
 public:
  // Inputs are broadcast to the output's sizes, which they must be compatible with.
  StridedLoop(const Tensor& output, std::span<const Tensor* const> inputs);

  std::int64_t element_count() const { return count_; }
  std::int64_t inner_size() const { return sizes_[0]; }

  // body(tile) once for each part of the index space, in parallel when there are more than `grain` elements.
  // Which tiles there are depends on the thread count only in how rows are grouped, so a body must treat
  // elements (or whole rows) independently of each other.
  template <typename Body>
  void for_each_tile(ThreadPool* pool, std::int64_t grain, const Body& body) const {
    run(
        pool, grain,
        [](const void* context, const StridedTile& tile) { (*static_cast<const Body*>(context))(tile); },
        &body);
  }

 private:
  using Visit = void (*)(const void* context, const StridedTile& tile);
  using Steps = std::array<std::int64_t, kMaxOperands>;

  void run(ThreadPool* pool, std::int64_t grain, Visit visit, const void* context) const;
  void visit_rows(std::int64_t begin, std::int64_t end, Visit visit, const void* context) const;
  void visit_columns(std::int64_t row, std::int64_t begin, std::int64_t end, Visit visit,
                     const void* context) const;

  int operands_ = 0;
  int rank_ = 1;  // at least 1; dimension 0 is the innermost
  std::int64_t count_ = 0;
  std::array<std::int64_t, kMaxRank + 1> sizes_{};
  std::array<Steps, kMaxRank + 1> steps_{};
  std::array<std::byte*, kMaxOperands> data_{};
};

}  // namespace plumb::cpu
