// Shapes of sorting and selection.
#include "plan/shapes/functions.h"

namespace plumb::shapes {
namespace {

int sorted_dim(const Call& call) {
  return normalize_dim(call, call.integer("dim", -1), call.tensor("self").rank());
}

}  // namespace

std::vector<TensorSpec> sort(const Call& call) {
  const Tensor& self = call.tensor("self");
  sorted_dim(call);
  return {{self.dtype(), sizes_of(self)}, {DType::kInt64, sizes_of(self)}};
}

std::vector<TensorSpec> argsort(const Call& call) {
  sorted_dim(call);
  return {{DType::kInt64, sizes_of(call.tensor("self"))}};
}

std::vector<TensorSpec> topk(const Call& call) {
  const Tensor& self = call.tensor("self");
  const int dim = sorted_dim(call);
  const std::int64_t k = call.integer("k");
  const std::int64_t available = self.rank() == 0 ? 1 : self.size(dim);
  if (k < 0 || k > available) {
    call.fail("k is " + std::to_string(k) + "; expected 0 to " + std::to_string(available));
  }
  Sizes sizes = sizes_of(self);
  if (!sizes.empty()) sizes[static_cast<std::size_t>(dim)] = k;
  return {{self.dtype(), sizes}, {DType::kInt64, sizes}};
}

}  // namespace plumb::shapes
