// Sorting and merging of reduced dimensions.
#include "engines/cpu/ops/reduced_view.h"

#include <algorithm>
#include <cstddef>

namespace plumb::cpu {

std::vector<bool> reduced_flags(std::span<const std::int64_t> dims, int rank) {
  std::vector<bool> flags(static_cast<std::size_t>(rank), dims.empty());
  if (rank == 0) return flags;
  for (const std::int64_t dim : dims) flags[static_cast<std::size_t>(dim < 0 ? dim + rank : dim)] = true;
  return flags;
}

ReducedDims reduced_dims(const Tensor& tensor, const std::vector<bool>& reduced) {
  std::vector<int> order;
  for (int d = tensor.rank(); d-- > 0;) {
    if (reduced[static_cast<std::size_t>(d)] && tensor.size(d) != 1) order.push_back(d);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return tensor.stride(a) < tensor.stride(b); });
  ReducedDims dims;
  for (const int d : order) {
    dims.count *= tensor.size(d);
    const auto last = static_cast<std::size_t>(dims.rank - 1);
    if (dims.rank > 0 && tensor.stride(d) == dims.steps[last] * dims.sizes[last]) {
      dims.sizes[last] *= tensor.size(d);
      continue;
    }
    dims.sizes[static_cast<std::size_t>(dims.rank)] = tensor.size(d);
    dims.steps[static_cast<std::size_t>(dims.rank)] = tensor.stride(d);
    ++dims.rank;
  }
  if (dims.rank == 0) {
    dims.rank = 1;
    dims.sizes[0] = 1;
    dims.steps[0] = 1;
  }
  return dims;
}

Tensor kept_view(const Tensor& tensor, const std::vector<bool>& reduced) {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  for (int d = 0; d < tensor.rank(); ++d) {
    if (reduced[static_cast<std::size_t>(d)]) continue;
    sizes.push_back(tensor.size(d));
    strides.push_back(tensor.stride(d));
  }
  return Tensor(tensor.raw(), tensor.dtype(), sizes, strides);
}

}  // namespace plumb::cpu
