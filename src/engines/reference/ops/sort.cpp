// sort, argsort and topk along one dimension. NaN counts as larger than every number; equal elements keep
// their order.
#include <algorithm>
#include <numeric>
#include <vector>

#include "engines/arguments.h"
#include "engines/reference/kernels.h"
#include "engines/reference/movement.h"
#include "engines/reference/visit.h"

namespace plumb::reference {
namespace {

template <typename V>
bool less(V a, V b) {
  if constexpr (std::is_floating_point_v<V>) {
    if (a != a) return false;
    if (b != b) return true;
  }
  return a < b;
}

// The positions of `count` elements, `step` apart, in sorted order.
template <typename T>
std::vector<std::int64_t> sorted_positions(const T* data, std::int64_t step, std::int64_t count,
                                           bool descending) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto value = [&](std::int64_t i) { return convert<Comparable<T>>(data[i * step]); };
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return descending ? less(value(b), value(a)) : less(value(a), value(b));
  });
  return order;
}

// Sorts each line of self along "dim" and stores the first `count` elements and positions, where wanted.
void sort_lines(const Call& call, const Tensor* values, const Tensor* indices, bool descending) {
  const Tensor& self = call.tensor("self");
  const Tensor& shape = values != nullptr ? *values : *indices;
  if (shape.numel() == 0) return;
  const int dim = normalize_dim(call, call.integer("dim", -1), self.rank());
  const bool scalar = self.rank() == 0;
  const auto step = [&](const Tensor& t) { return scalar ? 0 : t.stride(dim); };
  const std::int64_t length = scalar ? 1 : self.size(dim);
  const std::int64_t count = scalar ? 1 : shape.size(dim);
  const auto line_strides = [&](const Tensor& t) {
    SpaceStrides strides{};
    for (int d = 0; d < t.rank(); ++d) strides[static_cast<std::size_t>(d)] = t.stride(d);
    return strides;
  };
  Sizes lines(self.sizes().begin(), self.sizes().end());
  if (!scalar) lines[static_cast<std::size_t>(dim)] = 1;
  const std::array<SpaceStrides, 3> strides{line_strides(self),
                                            line_strides(values == nullptr ? shape : *values),
                                            line_strides(indices == nullptr ? shape : *indices)};
  visit_dtype(self.dtype(), [&]<typename T>() {
    for_each_offset(std::span<const std::int64_t>(lines), strides, [&](const auto& at) {
      const T* line = self.data<const T>() + at[0];
      const auto order = sorted_positions(line, step(self), length, descending);
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t from = order[static_cast<std::size_t>(i)];
        if (values != nullptr) values->data<T>()[at[1] + i * step(*values)] = line[from * step(self)];
        if (indices != nullptr) indices->data<std::int64_t>()[at[2] + i * step(*indices)] = from;
      }
    });
  });
}

void run_sort(const Call& call) {
  sort_lines(call, &call.output(0), &call.output(1), call.boolean("descending", false));
}

void run_argsort(const Call& call) {
  sort_lines(call, nullptr, &call.output(), call.boolean("descending", false));
}

// Sorted even when the caller does not ask for it.
void run_topk(const Call& call) {
  sort_lines(call, &call.output(0), &call.output(1), call.boolean("largest", true));
}

}  // namespace

const KernelImpl sort{.run = run_sort};
const KernelImpl argsort{.run = run_argsort};
const KernelImpl topk{.run = run_topk};

}  // namespace plumb::reference
