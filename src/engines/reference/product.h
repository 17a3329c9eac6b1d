// Batched matrix products of strided views, the core of linear, mm, matmul and their relatives.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/layout.h"
#include "engines/engine.h"
#include "engines/reference/strided.h"
#include "engines/reference/visit.h"

namespace plumb::reference {

// A view as a stack of matrices; strides of 0 broadcast.
struct Matrices {
  const Tensor* tensor = nullptr;
  SpaceStrides batch{};
  std::int64_t row = 0;
  std::int64_t column = 0;
};

// out[batch, i, j] = finish(sum over k of a[batch, i, k] * b[batch, k, j], addends[batch, i, j]…)
struct Product {
  Sizes batch;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t inner = 0;
  Matrices a;
  Matrices b;
  Matrices out;
  std::array<Matrices, 2> addends{};  // handed to finish; without a tensor: 0
};

inline std::int64_t batch_offset(const Matrices& matrices, const Sizes& batch, std::int64_t index) {
  std::int64_t offset = 0;
  for (std::size_t d = batch.size(); d-- > 0;) {
    offset += index % batch[d] * matrices.batch[d];
    index /= batch[d];
  }
  return offset;
}

// `finish` takes and returns accumulators: (sum, addend, addend). T is the dtype of both factors.
template <typename T, typename Finish>
void multiply(const Call& call, const Product& p, const Finish& finish) {
  using A = Accumulator<T>;
  constexpr std::int64_t kColumnsPerTask = 128;
  const std::int64_t column_tasks = (p.columns + kColumnsPerTask - 1) / kColumnsPerTask;
  call.pool->parallel_for(element_count(p.batch) * p.rows * column_tasks, [&](std::int64_t task, int) {
    const std::int64_t first_column = task % column_tasks * kColumnsPerTask;
    const std::int64_t end_column = std::min(first_column + kColumnsPerTask, p.columns);
    const std::int64_t i = task / column_tasks % p.rows;
    const std::int64_t stack = task / column_tasks / p.rows;
    const auto start = [&](const Matrices& m) { return batch_offset(m, p.batch, stack) + i * m.row; };
    const T* a = p.a.tensor->data<const T>() + start(p.a);
    const T* b = p.b.tensor->data<const T>() + batch_offset(p.b, p.batch, stack);
    for (std::int64_t j = first_column; j < end_column; ++j) {
      A sum{};
      for (std::int64_t k = 0; k < p.inner; ++k) {
        sum += convert<A>(a[k * p.a.column]) * convert<A>(b[k * p.b.row + j * p.b.column]);
      }
      std::array<A, 2> addends{};
      for (std::size_t n = 0; n < 2; ++n) {
        const Matrices& m = p.addends[n];
        if (m.tensor != nullptr) addends[n] = read<A>(*m.tensor, start(m) + j * m.column);
      }
      write(*p.out.tensor, start(p.out) + j * p.out.column, finish(sum, addends[0], addends[1]));
    }
  });
}

}  // namespace plumb::reference
