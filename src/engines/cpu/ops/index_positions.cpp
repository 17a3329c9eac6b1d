// Broadcasting of index tensors and the arithmetic of their offsets.
#include "engines/cpu/ops/index_positions.h"

#include <algorithm>
#include <string>

#include "base/layout.h"
#include "engines/cpu/ops/strided_loop.h"

namespace plumb::cpu {
namespace {

std::int64_t read_index(DType dtype, const std::byte* at) {
  return dtype == DType::kInt64 ? *reinterpret_cast<const std::int64_t*>(at)
                                : *reinterpret_cast<const std::int32_t*>(at);
}

}  // namespace

Verdict accept_index(const Call& call, const Tensor& data, const Tensor& index) {
  if (index.dtype() != DType::kInt64 && index.dtype() != DType::kInt32)
    return Verdict::no("the indices are neither int64 nor int32");
  if (data.dtype() != call.output().dtype()) return Verdict::no("data and output differ in dtype");
  return Verdict::yes();
}

std::int64_t checked(const Call& call, std::int64_t index, std::int64_t size, int dim) {
  if (index < 0 || index >= size) {
    call.fail("index " + std::to_string(index) + " is out of bounds for dimension " + std::to_string(dim) +
              " with size " + std::to_string(size));
  }
  return index;
}

Blocks blocks_around(const Tensor& tensor, int first, int last) {
  const auto sizes = tensor.sizes();
  return {
      element_count(sizes.subspan(0, static_cast<std::size_t>(first))),
      element_count(sizes.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first))),
      element_count(sizes.subspan(static_cast<std::size_t>(last)))};
}

IndexedDims::IndexedDims(const Call& call) {
  const auto indices = call.tensors("indices");
  for (int d = 0; d < static_cast<int>(indices.size()); ++d) {
    const Tensor* index = indices[static_cast<std::size_t>(d)];
    if (index == nullptr) continue;
    if (first < 0) first = d;
    last = d + 1;
    const auto rank = static_cast<std::size_t>(index->rank());
    if (rank > sizes.size()) sizes.insert(sizes.begin(), rank - sizes.size(), 1);
    for (std::size_t i = 0; i < rank; ++i) {
      const std::int64_t size = index->sizes()[i];
      if (size != 1) sizes[sizes.size() - rank + i] = size;
    }
  }
}

std::int64_t IndexedDims::count() const {
  return element_count(sizes);
}

std::size_t IndexedDims::offset_bytes() const {
  return static_cast<std::size_t>(count()) * sizeof(std::int64_t);
}

Verdict accept_indices(const Call& call) {
  const auto indices = call.tensors("indices");
  const IndexedDims dims(call);
  if (dims.first < 0) return Verdict::no("no dimension is indexed");
  for (int d = dims.first; d < dims.last; ++d) {
    const Tensor* index = indices[static_cast<std::size_t>(d)];
    if (index == nullptr) return Verdict::no("the indexed dimensions are not neighbours");
    if (Verdict verdict = accept_index(call, call.tensor("self"), *index); !verdict.accepted())
      return verdict;
  }
  return Verdict::yes();
}

const std::int64_t* IndexedDims::write_offsets(const Call& call) const {
  const Tensor& self = call.tensor("self");
  const auto indices = call.tensors("indices");
  auto* offsets = reinterpret_cast<std::int64_t*>(call.scratch.data());
  std::fill_n(offsets, count(), 0);
  const Tensor positions(offsets, DType::kInt64, sizes);
  for (int d = first; d < last; ++d) {
    const Tensor& index = *indices[static_cast<std::size_t>(d)];
    const std::int64_t size = self.size(d);
    const Tensor* inputs[] = {&index};
    StridedLoop(positions, inputs).for_each_tile(nullptr, 1, [&](const StridedTile& tile) {
      for (std::int64_t row = 0; row < tile.rows; ++row) {
        for (std::int64_t col = 0; col < tile.cols; ++col) {
          const auto at = [&](std::size_t i) {
            return tile.data[i] + row * tile.row_step[i] + col * tile.col_step[i];
          };
          std::int64_t position = read_index(index.dtype(), at(1));
          if (position < 0 && position >= -size) position += size;
          auto& offset = *reinterpret_cast<std::int64_t*>(at(0));
          offset = offset * size + checked(call, position, size, d);
        }
      }
    });
  }
  return offsets;
}

}  // namespace plumb::cpu
