// cat and stack: each tensor is copied into its part of the output.
#include "engines/arguments.h"
#include "engines/reference/kernels.h"
#include "engines/reference/movement.h"

namespace plumb::reference {
namespace {

void run_cat(const Call& call) {
  const Tensor& output = call.output();
  const int dim = normalize_dim(call, call.integer("dim", 0), output.rank());
  std::int64_t start = 0;
  for (const Tensor* tensor : call.tensors("tensors")) {
    if (tensor->numel() == 0) continue;
    const std::int64_t count = tensor->size(dim);
    copy_elements(slice_of(output, dim, start, count), *tensor);
    start += count;
  }
}

void run_stack(const Call& call) {
  const Tensor& output = call.output();
  const int dim = normalize_dim(call, call.integer("dim", 0), output.rank());
  std::int64_t index = 0;
  for (const Tensor* tensor : call.tensors("tensors"))
    copy_elements(select_of(output, dim, index++), *tensor);
}

}  // namespace

const KernelImpl cat{.run = run_cat};
const KernelImpl stack{.run = run_stack};

}  // namespace plumb::reference
