// Merging of dimensions and the walk over tiles.
#include "engines/cpu/ops/strided_loop.h"

#include <algorithm>
#include <numeric>

namespace plumb::cpu {
namespace {

// A piece of a long single row; a multiple of every vector length, so that pieces start where vectors do.
constexpr std::int64_t kColumnUnit = 64;

std::int64_t byte_step(const Tensor& tensor, int dim) {
  return tensor.size(dim) == 1 ? 0
                               : tensor.stride(dim) * static_cast<std::int64_t>(dtype_size(tensor.dtype()));
}

}  // namespace

StridedLoop::StridedLoop(const Tensor& output, std::span<const Tensor* const> inputs)
    : operands_(1 + static_cast<int>(inputs.size())), count_(output.numel()) {
  const int rank = output.rank();
  std::array<int, kMaxRank> order{};
  std::iota(order.begin(), order.begin() + rank, 0);
  // Innermost first. Dimensions of size 1 vanish below, so their strides do not matter.
  std::stable_sort(order.begin(), order.begin() + rank, [&](int a, int b) {
    if (output.stride(a) != output.stride(b)) return output.stride(a) < output.stride(b);
    return a > b;
  });

  data_[0] = static_cast<std::byte*>(output.raw());
  for (std::size_t i = 0; i < inputs.size(); ++i) data_[i + 1] = static_cast<std::byte*>(inputs[i]->raw());

  int used = 0;
  for (int k = 0; k < rank; ++k) {
    const int dim = order[static_cast<std::size_t>(k)];
    const std::int64_t size = output.size(dim);
    if (size == 1) continue;
    Steps step{};
    step[0] = byte_step(output, dim);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const int own = dim - (rank - inputs[i]->rank());
      step[i + 1] = own < 0 ? 0 : byte_step(*inputs[i], own);
    }
    if (used > 0) {
      const auto last = static_cast<std::size_t>(used - 1);
      bool mergeable = true;
      for (std::size_t i = 0; i < static_cast<std::size_t>(operands_); ++i) {
        mergeable = mergeable && step[i] == steps_[last][i] * sizes_[last];
      }
      if (mergeable) {
        sizes_[last] *= size;
        continue;
      }
    }
    sizes_[static_cast<std::size_t>(used)] = size;
    steps_[static_cast<std::size_t>(used)] = step;
    ++used;
  }
  if (used == 0) {
    sizes_[0] = 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(operands_); ++i) {
      const Tensor& tensor = i == 0 ? output : *inputs[i - 1];
      steps_[0][i] = static_cast<std::int64_t>(dtype_size(tensor.dtype()));
    }
    used = 1;
  }
  rank_ = used;

  if (inputs.empty()) return;
  const auto item = static_cast<std::int64_t>(dtype_size(inputs[0]->dtype()));
  if (steps_[0][1] == item || steps_[0][1] == 0) return;
  for (int d = 2; d < rank_; ++d) {
    if (steps_[static_cast<std::size_t>(d)][1] == item) {
      std::rotate(sizes_.begin() + 1, sizes_.begin() + d, sizes_.begin() + d + 1);
      std::rotate(steps_.begin() + 1, steps_.begin() + d, steps_.begin() + d + 1);
      return;
    }
  }
}

void StridedLoop::run(ThreadPool* pool, std::int64_t grain, Visit visit, const void* context) const {
  if (count_ == 0) return;
  const std::int64_t cols = sizes_[0];
  const std::int64_t rows = count_ / cols;
  if (rows >= task_count(pool, count_, grain)) {
    parallel_ranges(pool, rows, std::max<std::int64_t>(grain / cols, 1),
                    [&](std::int64_t begin, std::int64_t end) { visit_rows(begin, end, visit, context); });
    return;
  }
  const std::int64_t units = (cols + kColumnUnit - 1) / kColumnUnit;
  for (std::int64_t row = 0; row < rows; ++row) {
    parallel_ranges(pool, units, grain / kColumnUnit, [&](std::int64_t begin, std::int64_t end) {
      visit_columns(row, begin * kColumnUnit, std::min(end * kColumnUnit, cols), visit, context);
    });
  }
}

void StridedLoop::visit_rows(std::int64_t begin, std::int64_t end, Visit visit, const void* context) const {
  StridedTile tile;
  tile.cols = sizes_[0];
  tile.col_step = steps_[0];
  const std::int64_t tile_rows = rank_ > 1 ? sizes_[1] : 1;
  if (rank_ > 1) tile.row_step = steps_[1];
  for (std::int64_t row = begin; row < end;) {
    std::int64_t rest = row;
    tile.data = data_;
    std::int64_t first = 0;
    for (int d = 1; d < rank_; ++d) {
      const auto dim = static_cast<std::size_t>(d);
      const std::int64_t index = rest % sizes_[dim];
      rest /= sizes_[dim];
      if (d == 1) first = index;
      for (std::size_t i = 0; i < static_cast<std::size_t>(operands_); ++i)
        tile.data[i] += index * steps_[dim][i];
    }
    tile.rows = std::min(tile_rows - first, end - row);
    visit(context, tile);
    row += tile.rows;
  }
}

void StridedLoop::visit_columns(std::int64_t row, std::int64_t begin, std::int64_t end, Visit visit,
                                const void* context) const {
  StridedTile tile;
  tile.rows = 1;
  tile.cols = end - begin;
  tile.col_step = steps_[0];
  tile.data = data_;
  std::int64_t rest = row;
  for (int d = 1; d < rank_; ++d) {
    const auto dim = static_cast<std::size_t>(d);
    const std::int64_t index = rest % sizes_[dim];
    rest /= sizes_[dim];
    for (std::size_t i = 0; i < static_cast<std::size_t>(operands_); ++i)
      tile.data[i] += index * steps_[dim][i];
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(operands_); ++i)
    tile.data[i] += begin * tile.col_step[i];
  visit(context, tile);
}

}  // namespace plumb::cpu
