// Writing whole slices into a copy of a tensor: index_copy, index_add, select_scatter and slice_scatter.
#include "engines/arguments.h"
#include "engines/reference/kernels.h"
#include "engines/reference/movement.h"
#include "engines/reference/positions.h"
#include "engines/reference/visit.h"
#include "engines/slice.h"

namespace plumb::reference {
namespace {

// A tensor without dimensions as one of a single element; others as they are.
Tensor at_least_1d(const Tensor& tensor) {
  if (tensor.rank() > 0) return tensor;
  const std::int64_t one = 1;
  return view_at(tensor, 0, {&one, 1}, {&one, 1});
}

// Calls body(slice of the output, slice of source) for each index.
template <typename Body>
void for_each_slice(const Call& call, const Body& body) {
  const Tensor output = at_least_1d(call.output());
  const Tensor source = at_least_1d(call.tensor("source"));
  const Tensor index = at_least_1d(call.tensor("index"));
  const int dim = normalize_dim(call, call.integer("dim"), output.rank());
  copy_elements(call.output(), call.tensor("self"));
  for (std::int64_t i = 0; i < index.numel(); ++i) {
    const std::int64_t at = checked_index(call, index, i * index.stride(0), output.size(dim), false);
    body(select_of(output, dim, at), source.rank() == output.rank() ? select_of(source, dim, i) : source);
  }
}

void run_index_copy(const Call& call) {
  for_each_slice(call, [](const Tensor& target, const Tensor& source) { copy_elements(target, source); });
}

void run_index_add(const Call& call) {
  const double alpha = call.number("alpha", 1.0);
  visit_dtype(call.output().dtype(), [&]<typename T>() {
    using A = Accumulator<T>;
    for_each_slice(call, [&](const Tensor& target, const Tensor& source) {
      const std::array<SpaceStrides, 2> strides{broadcast_strides(target, target.sizes()),
                                                broadcast_strides(source, target.sizes())};
      for_each_offset(target.sizes(), strides, [&](const auto& at) {
        T& element = target.data<T>()[at[0]];
        element =
            convert<T>(convert<A>(element) + convert<A>(alpha) * convert<A>(source.data<const T>()[at[1]]));
      });
    });
  });
}

void run_select_scatter(const Call& call) {
  const Tensor& output = call.output();
  const int dim = normalize_dim(call, call.integer("dim"), output.rank());
  const std::int64_t index = call.integer("index");
  copy_elements(output, call.tensor("self"));
  copy_elements(select_of(output, dim, index < 0 ? index + output.size(dim) : index), call.tensor("src"));
}

void run_slice_scatter(const Call& call) {
  const Slice slice = read_slice(call);
  copy_elements(call.output(), call.tensor("self"));
  copy_elements(slice_of(call.output(), slice.dim, slice.start, slice.count, slice.step), call.tensor("src"));
}

Verdict accepts_same_dtype(const Call& call) {
  if (call.tensor("source").dtype() == call.tensor("self").dtype()) return Verdict::yes();
  return Verdict::no("self and source have different dtypes");
}

}  // namespace

const KernelImpl index_copy{.accepts = accepts_same_dtype, .run = run_index_copy};
const KernelImpl index_add{.accepts = accepts_same_dtype, .run = run_index_add};
const KernelImpl select_scatter{.run = run_select_scatter};
const KernelImpl slice_scatter{.run = run_slice_scatter};

}  // namespace plumb::reference
