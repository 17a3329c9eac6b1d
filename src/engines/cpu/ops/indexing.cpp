// Operators that pick slices by index: embedding, index_select, gather, index.Tensor. Every index is checked.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/layout.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/common_arguments.h"
#include "engines/cpu/ops/parallel.h"
#include "engines/cpu/ops/strided_loop.h"

namespace plumb::cpu {
namespace {

constexpr std::int64_t kGrainBytes = 64 << 10;

bool is_index_type(DType dtype) {
  return dtype == DType::kInt64 || dtype == DType::kInt32;
}

Verdict accept_index(const Tensor& data, const Tensor& index, const Call& call) {
  if (!is_index_type(index.dtype())) return Verdict::no("the indices are neither int64 nor int32");
  if (data.dtype() != call.output().dtype()) return Verdict::no("data and output differ in dtype");
  return Verdict::yes();
}

// Element i of contiguous indices.
std::int64_t index_at(const Tensor& index, std::int64_t i) {
  return index.dtype() == DType::kInt64 ? index.data<const std::int64_t>()[i]
                                        : index.data<const std::int32_t>()[i];
}

std::int64_t checked(const Call& call, std::int64_t index, std::int64_t size, int dim) {
  if (index < 0 || index >= size) {
    call.fail("index " + std::to_string(index) + " is out of bounds for dimension " + std::to_string(dim) +
              " with size " + std::to_string(size));
  }
  return index;
}

void copy_run(std::byte* out, const std::byte* in, std::size_t bytes) {
  // Constant lengths become single moves.
  switch (bytes) {
    case 1:
      std::memcpy(out, in, 1);
      break;
    case 2:
      std::memcpy(out, in, 2);
      break;
    case 4:
      std::memcpy(out, in, 4);
      break;
    case 8:
      std::memcpy(out, in, 8);
      break;
    default:
      std::memcpy(out, in, bytes);
      break;
  }
}

// out[o, j, :] = in[o, offset(j), :] for `outer` blocks of `size` slices of `inner` bytes each.
template <typename Offset>
void pick_slices(const Call& call, const Tensor& in, std::int64_t outer, std::int64_t size,
                 std::int64_t count, std::int64_t inner, const Offset& offset) {
  const auto* source = in.data<const std::byte>();
  auto* target = call.output().data<std::byte>();
  const std::int64_t grain = std::max<std::int64_t>(kGrainBytes / std::max<std::int64_t>(inner, 8), 1);
  parallel_ranges(call.pool, outer * count, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      copy_run(target + i * inner, source + (i / count * size + offset(i % count)) * inner,
               static_cast<std::size_t>(inner));
    }
  });
}

Verdict accept_embedding(const Call& call) {
  return accept_index(call.tensor("weight"), call.tensor("indices"), call);
}

void run_embedding(const Call& call) {
  const Tensor& weight = call.tensor("weight");
  const Tensor& indices = call.tensor("indices");
  const auto row = weight.size(1) * static_cast<std::int64_t>(dtype_size(weight.dtype()));
  pick_slices(call, weight, 1, weight.size(0), indices.numel(), row,
              [&](std::int64_t i) { return checked(call, index_at(indices, i), weight.size(0), 0); });
}

// Sizes of what lies before, at and after a dimension.
struct Blocks {
  std::int64_t outer = 1, size = 1, inner = 1;
};
Blocks blocks_around(const Tensor& tensor, int first, int last) {
  const auto sizes = tensor.sizes();
  return {
      element_count(sizes.subspan(0, static_cast<std::size_t>(first))),
      element_count(sizes.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first))),
      element_count(sizes.subspan(static_cast<std::size_t>(last)))};
}

Verdict accept_index_select(const Call& call) {
  if (call.tensor("self").rank() == 0) return Verdict::no("self has no dimensions");
  return accept_index(call.tensor("self"), call.tensor("index"), call);
}

void run_index_select(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& index = call.tensor("index");
  const int dim = dim_argument(call, self.rank());
  const Blocks blocks = blocks_around(self, dim, dim + 1);
  const auto item = static_cast<std::int64_t>(dtype_size(self.dtype()));
  pick_slices(call, self, blocks.outer, blocks.size, index.numel(), blocks.inner * item,
              [&](std::int64_t i) { return checked(call, index_at(index, i), blocks.size, dim); });
}

Verdict accept_gather(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& index = call.tensor("index");
  if (self.rank() == 0 || self.rank() != index.rank()) return Verdict::no("self and index differ in rank");
  const int dim = dim_argument(call, self.rank());
  for (int d = 0; d < self.rank(); ++d) {
    if (d != dim && self.size(d) != index.size(d))
      return Verdict::no("index is smaller than self beside dim");
  }
  return accept_index(self, index, call);
}

void run_gather(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& index = call.tensor("index");
  const int dim = dim_argument(call, self.rank());
  const Blocks from = blocks_around(self, dim, dim + 1);
  const std::int64_t block = index.size(dim) * from.inner;
  const std::size_t item = dtype_size(self.dtype());
  const auto* source = self.data<const std::byte>();
  auto* target = call.output().data<std::byte>();
  parallel_ranges(call.pool, index.numel(), kGrainBytes / 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t at = checked(call, index_at(index, i), from.size, dim);
      const std::int64_t element = (i / block * from.size + at) * from.inner + i % from.inner;
      copy_run(target + static_cast<std::size_t>(i) * item, source + static_cast<std::size_t>(element) * item,
               item);
    }
  });
}

// The run of neighbouring dimensions of self that have index tensors.
struct IndexedDims {
  int first = -1;
  int last = -1;  // exclusive
};
IndexedDims indexed_dims(std::span<const Tensor* const> indices) {
  IndexedDims dims;
  for (int d = 0; d < static_cast<int>(indices.size()); ++d) {
    if (indices[static_cast<std::size_t>(d)] == nullptr) continue;
    if (dims.first < 0) dims.first = d;
    dims.last = d + 1;
  }
  return dims;
}

Verdict accept_index_tensor(const Call& call) {
  const auto indices = call.tensors("indices");
  const IndexedDims dims = indexed_dims(indices);
  if (dims.first < 0) return Verdict::no("no dimension is indexed");
  for (int d = dims.first; d < dims.last; ++d) {
    const Tensor* index = indices[static_cast<std::size_t>(d)];
    if (index == nullptr) return Verdict::no("the indexed dimensions are not neighbours");
    if (Verdict verdict = accept_index(call.tensor("self"), *index, call); !verdict.accepted())
      return verdict;
  }
  return Verdict::yes();
}

// The sizes that the index tensors broadcast to: the output's in the place of the indexed dimensions.
std::span<const std::int64_t> index_sizes(const Call& call, IndexedDims dims) {
  const int rest = call.tensor("self").rank() - (dims.last - dims.first);
  return call.output().sizes().subspan(static_cast<std::size_t>(dims.first),
                                       static_cast<std::size_t>(call.output().rank() - rest));
}

std::size_t index_tensor_scratch(const Call& call, int) {
  const IndexedDims dims = indexed_dims(call.tensors("indices"));
  return static_cast<std::size_t>(element_count(index_sizes(call, dims))) * sizeof(std::int64_t);
}

void run_index_tensor(const Call& call) {
  const Tensor& self = call.tensor("self");
  const auto indices = call.tensors("indices");
  const IndexedDims dims = indexed_dims(indices);
  const auto sizes = index_sizes(call, dims);
  auto* offsets = reinterpret_cast<std::int64_t*>(call.scratch.data());
  const std::int64_t count = element_count(sizes);
  std::fill_n(offsets, count, 0);
  for (int d = dims.first; d < dims.last; ++d) {
    const Tensor& index = *indices[static_cast<std::size_t>(d)];
    const std::int64_t size = self.size(d);
    const Tensor positions(offsets, DType::kInt64, sizes);
    const Tensor* inputs[] = {&index};
    StridedLoop(positions, inputs).for_each_tile(nullptr, 1, [&](const StridedTile& tile) {
      for (std::int64_t row = 0; row < tile.rows; ++row) {
        for (std::int64_t col = 0; col < tile.cols; ++col) {
          const std::byte* in = tile.data[1] + row * tile.row_step[1] + col * tile.col_step[1];
          std::int64_t at = index.dtype() == DType::kInt64 ? *reinterpret_cast<const std::int64_t*>(in)
                                                           : *reinterpret_cast<const std::int32_t*>(in);
          if (at < 0 && at >= -size) at += size;
          auto* out = tile.data[0] + row * tile.row_step[0] + col * tile.col_step[0];
          auto& offset = *reinterpret_cast<std::int64_t*>(out);
          offset = offset * size + checked(call, at, size, d);
        }
      }
    });
  }
  const Blocks blocks = blocks_around(self, dims.first, dims.last);
  const auto item = static_cast<std::int64_t>(dtype_size(self.dtype()));
  pick_slices(call, self, blocks.outer, blocks.size, count, blocks.inner * item,
              [&](std::int64_t i) { return offsets[i]; });
}

Layout index_tensor_input(const Call&, std::string_view argument) {
  return argument == "self" ? Layout::kContiguous : Layout::kAny;
}

}  // namespace

const KernelImpl embedding_rows{
    .accepts = accept_embedding, .input_layout = contiguous_input, .run = run_embedding};
const KernelImpl index_select_slices{
    .accepts = accept_index_select, .input_layout = contiguous_input, .run = run_index_select};
const KernelImpl gather_elements{
    .accepts = accept_gather, .input_layout = contiguous_input, .run = run_gather};
const KernelImpl index_slices{.accepts = accept_index_tensor,
                              .input_layout = index_tensor_input,
                              .scratch_bytes = index_tensor_scratch,
                              .run = run_index_tensor};

}  // namespace plumb::cpu
