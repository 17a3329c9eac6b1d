// Placing index tensors as PyTorch does.
#include "engines/index_list.h"

#include <algorithm>
#include <span>
#include <string>

#include "engines/arguments.h"
#include "plumb/tensor.h"

namespace plumb {
namespace {

bool is_mask(const Tensor& index) {
  return index.dtype() == DType::kBool || index.dtype() == DType::kUInt8;
}

// Replaces a mask by one index tensor for each of its dimensions, in row-major order of the true positions.
void append_mask(const Call& call, const Tensor& mask, int dim, IndexList& list) {
  if (mask.raw() == nullptr) {
    call.fail("a bool mask as index makes a shape that depends on the data, which a plan cannot hold");
  }
  const Tensor& self = call.tensor("self");
  const int rank = mask.rank();
  if (rank < 1 || dim + rank > self.rank()) {
    call.fail("mask of shape " + shape_string(mask.sizes()) + " does not fit into " +
              shape_string(self.sizes()));
  }
  for (int i = 0; i < rank; ++i) {
    if (mask.size(i) != self.size(dim + i)) {
      call.fail("mask of shape " + shape_string(mask.sizes()) + " at dimension " + std::to_string(dim) +
                " of " + shape_string(self.sizes()));
    }
  }
  std::vector<std::vector<std::int64_t>> positions(static_cast<std::size_t>(rank));
  const std::int64_t count = mask.numel();
  for (std::int64_t linear = 0; linear < count; ++linear) {
    std::vector<std::int64_t> at(static_cast<std::size_t>(rank));
    std::int64_t rest = linear;
    std::int64_t offset = 0;
    for (int i = rank - 1; i >= 0; --i) {
      at[static_cast<std::size_t>(i)] = rest % mask.size(i);
      rest /= mask.size(i);
      offset += at[static_cast<std::size_t>(i)] * mask.stride(i);
    }
    if (mask.data<const std::uint8_t>()[offset] == 0) continue;
    for (std::size_t i = 0; i < at.size(); ++i) positions[i].push_back(at[i]);
  }
  for (int i = 0; i < rank; ++i) {
    const auto& column = positions[static_cast<std::size_t>(i)];
    auto memory = std::make_unique<std::int64_t[]>(column.size());
    std::copy(column.begin(), column.end(), memory.get());
    const std::int64_t size = std::ssize(column);
    list.dims.push_back(dim + i);
    list.indices.emplace_back(memory.get(), DType::kInt64, std::span(&size, 1));
    list.expanded.push_back(std::move(memory));
  }
}

}  // namespace

IndexList read_index_list(const Call& call) {
  const Tensor& self = call.tensor("self");
  IndexList list;
  int dim = 0;
  for (const Tensor* index : call.tensors("indices")) {
    if (index == nullptr) {
      ++dim;
      continue;
    }
    if (is_mask(*index)) {
      append_mask(call, *index, dim, list);
      dim += index->rank();
      continue;
    }
    if (index->dtype() != DType::kInt64 && index->dtype() != DType::kInt32) {
      call.fail("an index has dtype " + std::string(dtype_name(index->dtype())) +
                "; expected int64, int32 or bool");
    }
    list.dims.push_back(dim++);
    list.indices.push_back(*index);
  }
  if (dim > self.rank()) {
    call.fail("indices for " + std::to_string(dim) + " dimensions of a tensor of shape " +
              shape_string(self.sizes()));
  }
  for (const Tensor& index : list.indices) {
    list.broadcast = broadcast_sizes(call, list.broadcast, {index.sizes().begin(), index.sizes().end()});
  }

  // Indexed dimensions that stand together are replaced in place; otherwise the indexed part comes first.
  const bool adjacent =
      list.dims.empty() || list.dims.back() - list.dims.front() + 1 == static_cast<int>(list.dims.size());
  if (adjacent && !list.dims.empty()) list.position = list.dims.front();
  list.kept = remaining_dims(list.dims, self.rank());
  for (const int kept : list.kept) list.result.push_back(self.size(kept));
  list.result.insert(list.result.begin() + list.position, list.broadcast.begin(), list.broadcast.end());
  return list;
}

}  // namespace plumb
