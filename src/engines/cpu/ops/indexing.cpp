// Operators that pick or replace slices by index: embedding, index_select, gather, index.Tensor, index_put.
// Every index is checked.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/common_arguments.h"
#include "engines/cpu/ops/copy_strided.h"
#include "engines/cpu/ops/index_positions.h"
#include "engines/cpu/ops/parallel.h"

namespace plumb::cpu {
namespace {

constexpr std::int64_t kGrainBytes = 64 << 10;

// Element i of contiguous indices.
std::int64_t index_at(const Tensor& index, std::int64_t i) {
  return index.dtype() == DType::kInt64 ? index.data<const std::int64_t>()[i]
                                        : index.data<const std::int32_t>()[i];
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
  return accept_index(call, call.tensor("weight"), call.tensor("indices"));
}

void run_embedding(const Call& call) {
  const Tensor& weight = call.tensor("weight");
  const Tensor& indices = call.tensor("indices");
  const auto row = weight.size(1) * static_cast<std::int64_t>(dtype_size(weight.dtype()));
  pick_slices(call, weight, 1, weight.size(0), indices.numel(), row,
              [&](std::int64_t i) { return checked(call, index_at(indices, i), weight.size(0), 0); });
}

Verdict accept_index_select(const Call& call) {
  if (call.tensor("self").rank() == 0) return Verdict::no("self has no dimensions");
  return accept_index(call, call.tensor("self"), call.tensor("index"));
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
  return accept_index(call, self, index);
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

Verdict accept_index_tensor(const Call& call) {
  return accept_indices(call);
}

std::size_t index_tensor_scratch(const Call& call, int) {
  return IndexedDims(call).offset_bytes();
}

void run_index_tensor(const Call& call) {
  const Tensor& self = call.tensor("self");
  const IndexedDims dims(call);
  const std::int64_t* offsets = dims.write_offsets(call);
  const Blocks blocks = blocks_around(self, dims.first, dims.last);
  const auto item = static_cast<std::int64_t>(dtype_size(self.dtype()));
  pick_slices(call, self, blocks.outer, blocks.size, dims.count(), blocks.inner * item,
              [&](std::int64_t i) { return offsets[i]; });
}

// Where values of one dtype go: one for all places, or one each in the order of memory.
Verdict accept_index_put(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& values = call.tensor("values");
  if (call.boolean("accumulate", false)) return Verdict::no("accumulates");
  if (values.dtype() != self.dtype()) return Verdict::no("self and values differ in dtype");
  if (Verdict verdict = accept_indices(call); !verdict.accepted()) return verdict;
  const IndexedDims dims(call);
  const Blocks blocks = blocks_around(self, dims.first, dims.last);
  if (values.numel() != 1 && values.numel() != blocks.outer * dims.count() * blocks.inner)
    return Verdict::no("the values are broadcast");
  return Verdict::yes();
}

void run_index_put(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& values = call.tensor("values");
  const IndexedDims dims(call);
  const std::int64_t* offsets = dims.write_offsets(call);
  const Blocks blocks = blocks_around(self, dims.first, dims.last);
  const std::size_t item = dtype_size(self.dtype());
  const std::size_t slice = static_cast<std::size_t>(blocks.inner) * item;
  copy_strided(call, call.output(), self);
  auto* target = call.output().data<std::byte>();
  const auto* source = values.data<const std::byte>();
  const std::int64_t count = dims.count();
  const bool one_each = values.numel() == blocks.outer * count * blocks.inner;
  const std::int64_t grain =
      kGrainBytes / static_cast<std::int64_t>(slice * static_cast<std::size_t>(count) + 1);
  // A place that is named twice belongs to one task, and the last value stays.
  parallel_ranges(call.pool, blocks.outer, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin * count; i < end * count; ++i) {
      std::byte* place =
          target + static_cast<std::size_t>(i / count * blocks.size + offsets[i % count]) * slice;
      if (one_each) {
        copy_run(place, source + static_cast<std::size_t>(i) * slice, slice);
      } else {
        for (std::size_t at = 0; at < slice; at += item) copy_run(place + at, source, item);
      }
    }
  });
}

Layout index_tensor_input(const Call&, std::string_view argument) {
  return argument == "indices" ? Layout::kAny : Layout::kContiguous;
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
const KernelImpl index_put_slices{.accepts = accept_index_put,
                                  .input_layout = index_tensor_input,
                                  .scratch_bytes = index_tensor_scratch,
                                  .run = run_index_put};

}  // namespace plumb::cpu
