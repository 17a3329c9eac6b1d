// Rows or slices picked by a list of indices: embedding and index_select.
#include "engines/arguments.h"
#include "engines/reference/kernels.h"
#include "engines/reference/movement.h"
#include "engines/reference/positions.h"

namespace plumb::reference {
namespace {

void run_embedding(const Call& call) {
  const Tensor& weight = call.tensor("weight");
  const Tensor& indices = call.tensor("indices");
  const Tensor& output = call.output();
  const std::array<SpaceStrides, 2> strides{broadcast_strides(indices, indices.sizes()), [&] {
                                              SpaceStrides rows{};
                                              for (int d = 0; d < indices.rank(); ++d) {
                                                rows[static_cast<std::size_t>(d)] = output.stride(d);
                                              }
                                              return rows;
                                            }()};
  const std::int64_t width = weight.size(1);
  const std::int64_t step = output.stride(-1);
  for_each_offset(indices.sizes(), strides, [&](const auto& at) {
    const std::int64_t row = checked_index(call, indices, at[0], weight.size(0), false);
    copy_elements(view_at(output, at[1], {&width, 1}, {&step, 1}), select_of(weight, 0, row));
  });
}

void run_index_select(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& index = call.tensor("index");
  if (self.rank() == 0) {
    if (index.numel() > 0) checked_index(call, index, 0, 1, false);
    copy_elements(call.output(), self);
    return;
  }
  const int dim = normalize_dim(call, call.integer("dim"), self.rank());
  const std::int64_t step = index.rank() == 0 ? 0 : index.stride(0);
  for (std::int64_t i = 0; i < index.numel(); ++i) {
    const std::int64_t at = checked_index(call, index, i * step, self.size(dim), false);
    copy_elements(select_of(call.output(), dim, i), select_of(self, dim, at));
  }
}

}  // namespace

const KernelImpl embedding{.run = run_embedding};
const KernelImpl index_select{.run = run_index_select};

}  // namespace plumb::reference
