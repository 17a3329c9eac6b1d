// aten.index.Tensor and aten.index_put: elements addressed by broadcast index tensors, one for each indexed
// dimension.
#include "engines/index_list.h"
#include "engines/reference/kernels.h"
#include "engines/reference/movement.h"
#include "engines/reference/positions.h"
#include "engines/reference/visit.h"

namespace plumb::reference {
namespace {

// Calls body(offset in self, offset in other) for each position of the result space, where `other` has that
// shape or broadcasts to it.
template <typename Body>
void for_each_indexed(const Call& call, const IndexList& list, const Tensor& self, const Tensor& other,
                      const Body& body) {
  // The space is the result: kept dimensions step through self, those of the broadcast indices through the
  // indices.
  const std::size_t position = static_cast<std::size_t>(list.position);
  const std::size_t broadcast_rank = list.broadcast.size();
  SpaceStrides self_strides{};
  for (std::size_t i = 0; i < list.kept.size(); ++i) {
    self_strides[i < position ? i : i + broadcast_rank] = self.stride(list.kept[i]);
  }
  std::vector<SpaceStrides> index_strides;
  for (const Tensor& index : list.indices) {
    const SpaceStrides own = broadcast_strides(index, list.broadcast);
    SpaceStrides placed{};
    for (std::size_t i = 0; i < broadcast_rank; ++i) placed[position + i] = own[i];
    index_strides.push_back(placed);
  }
  const std::array<SpaceStrides, 2> strides{self_strides, broadcast_strides(other, list.result)};
  std::vector<std::int64_t> at(list.result.size());
  for_each_offset(std::span<const std::int64_t>(list.result), strides, [&](const auto& offsets) {
    std::int64_t offset = offsets[0];
    for (std::size_t k = 0; k < list.indices.size(); ++k) {
      std::int64_t index_offset = 0;
      for (std::size_t d = position; d < position + broadcast_rank; ++d)
        index_offset += at[d] * index_strides[k][d];
      const int dim = list.dims[k];
      offset += checked_index(call, list.indices[k], index_offset, self.size(dim), true) * self.stride(dim);
    }
    body(offset, offsets[1]);
    for (std::size_t d = at.size(); d-- > 0;) {
      if (++at[d] < list.result[d]) break;
      at[d] = 0;
    }
  });
}

void run_index(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& output = call.output();
  const IndexList list = read_index_list(call);
  visit_size(self.dtype(), [&]<typename T>() {
    for_each_indexed(call, list, self, output, [&](std::int64_t from, std::int64_t to) {
      output.data<T>()[to] = self.data<const T>()[from];
    });
  });
}

void run_index_put(const Call& call) {
  const Tensor& values = call.tensor("values");
  const Tensor& output = call.output();
  const Combine how = call.boolean("accumulate", false) ? Combine::kAdd : Combine::kReplace;
  copy_elements(output, call.tensor("self"));
  const IndexList list = read_index_list(call);
  // A mask decides the shape of the values only now, when its data are known.
  bool fits = values.sizes().size() <= list.result.size();
  for (int i = 1; fits && i <= values.rank(); ++i) {
    fits = values.size(-i) == 1 ||
           values.size(-i) == list.result[list.result.size() - static_cast<std::size_t>(i)];
  }
  if (!fits) {
    call.fail("values of shape " + shape_string(values.sizes()) + " do not expand to the indexed shape " +
              shape_string(list.result));
  }
  visit_dtype(output.dtype(), [&]<typename T>() {
    for_each_indexed(call, list, output, values, [&](std::int64_t to, std::int64_t from) {
      combine_into(output.data<T>()[to], values.data<const T>()[from], how);
    });
  });
}

}  // namespace

const KernelImpl index{.run = run_index};
const KernelImpl index_put{.run = run_index_put};

}  // namespace plumb::reference
