// Operators that put copies of their inputs side by side: cat, stack, constant_pad_nd, roll, repeat.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/common_arguments.h"
#include "engines/cpu/ops/convert_elements.h"
#include "engines/cpu/ops/copy_strided.h"
#include "engines/cpu/ops/scalar_tensor.h"

namespace plumb::cpu {
namespace {

Verdict accept_list(const Call& call) {
  for (const Tensor* tensor : call.tensors("tensors")) {
    if (tensor->dtype() != call.output().dtype() &&
        find_conversion(tensor->dtype(), call.output().dtype()) == nullptr) {
      return Verdict::no("no conversion from " + std::string(dtype_name(tensor->dtype())));
    }
  }
  return Verdict::yes();
}

Layout layout_of_first(const Call& call) {
  const auto tensors = call.tensors("tensors");
  return tensors.empty() ? Layout::kContiguous : channels_last_or_contiguous(*tensors.front());
}
Layout layout_of_self(const Call& call) {
  return channels_last_or_contiguous(call.tensor("self"));
}

void run_cat(const Call& call) {
  const Tensor& out = call.output();
  const int dim = dim_argument(call, out.rank());
  std::int64_t begin = 0;
  for (const Tensor* tensor : call.tensors("tensors")) {
    // PyTorch lets empty vectors join tensors of any rank.
    if (tensor->rank() == 1 && tensor->size(0) == 0) continue;
    copy_strided(narrow(out, dim, begin, tensor->size(dim)), *tensor, call.pool);
    begin += tensor->size(dim);
  }
}

void run_stack(const Call& call) {
  const Tensor& out = call.output();
  const int dim = dim_argument(call, out.rank());
  std::int64_t index = 0;
  for (const Tensor* tensor : call.tensors("tensors")) {
    std::vector<std::int64_t> sizes(tensor->sizes().begin(), tensor->sizes().end());
    std::vector<std::int64_t> strides(tensor->strides().begin(), tensor->strides().end());
    sizes.insert(sizes.begin() + dim, 1);
    strides.insert(strides.begin() + dim, 0);
    copy_strided(narrow(out, dim, index++, 1), Tensor(tensor->raw(), tensor->dtype(), sizes, strides),
                 call.pool);
  }
}

Verdict accept_pad(const Call& call) {
  if (call.tensor("self").dtype() != call.output().dtype())
    return Verdict::no("self and output differ in dtype");
  return accept_scalar(call.output().dtype());
}

void run_pad(const Call& call) {
  const ScalarTensor value(call, "value", call.output().dtype(), 0);
  const std::vector<std::int64_t> pad = call.ints("pad");
  Tensor out = call.output();
  Tensor in = call.tensor("self");
  // From the last dimension on: fill what lies before and after, go on with what is left of both.
  for (std::size_t i = 0; 2 * i + 1 < pad.size(); ++i) {
    const int dim = out.rank() - 1 - static_cast<int>(i);
    const std::int64_t before = pad[2 * i];
    const std::int64_t after = pad[2 * i + 1];
    if (before > 0) fill_strided(narrow(out, dim, 0, before), value.tensor().raw(), call.pool);
    if (after > 0)
      fill_strided(narrow(out, dim, out.size(dim) - after, after), value.tensor().raw(), call.pool);
    const std::int64_t cut_before = std::max<std::int64_t>(-before, 0);
    const std::int64_t cut_after = std::max<std::int64_t>(-after, 0);
    in = narrow(in, dim, cut_before, in.size(dim) - cut_before - cut_after);
    out = narrow(out, dim, std::max<std::int64_t>(before, 0), in.size(dim));
  }
  copy_strided(out, in, call.pool);
}

Verdict accept_roll(const Call& call) {
  if (call.ints("dims").size() != call.ints("shifts").size())
    return Verdict::no("dims and shifts differ in number");
  if (call.ints("dims").size() > 4) return Verdict::no("more than 4 dims");
  return Verdict::yes();
}

void roll_from(const Call& call, const Tensor& out, const Tensor& in, std::size_t i) {
  const std::vector<std::int64_t> dims = call.ints("dims");
  if (i == dims.size()) return copy_strided(out, in, call.pool);
  const int dim = static_cast<int>(dims[i] < 0 ? dims[i] + out.rank() : dims[i]);
  const std::int64_t size = out.size(dim);
  if (size == 0) return;
  const std::int64_t shift = ((call.ints("shifts")[i] % size) + size) % size;
  roll_from(call, narrow(out, dim, shift, size - shift), narrow(in, dim, 0, size - shift), i + 1);
  if (shift > 0) roll_from(call, narrow(out, dim, 0, shift), narrow(in, dim, size - shift, shift), i + 1);
}

void run_roll(const Call& call) {
  roll_from(call, call.output(), call.tensor("self"), 0);
}

Verdict accept_repeat(const Call& call) {
  return 2 * call.output().rank() <= kMaxRank ? Verdict::yes() : Verdict::no("too many dimensions");
}

void run_repeat(const Call& call) {
  const Tensor& out = call.output();
  const Tensor& in = call.tensor("self");
  const std::vector<std::int64_t> repeats = call.ints("repeats");
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> out_strides;
  std::vector<std::int64_t> in_strides;
  for (int d = 0; d < out.rank(); ++d) {
    const int own = d - (out.rank() - in.rank());
    const std::int64_t size = own < 0 ? 1 : in.size(own);
    sizes.insert(sizes.end(), {repeats[static_cast<std::size_t>(d)], size});
    out_strides.insert(out_strides.end(), {size * out.stride(d), out.stride(d)});
    in_strides.insert(in_strides.end(), {0, own < 0 ? 0 : in.stride(own)});
  }
  copy_strided(Tensor(out.raw(), out.dtype(), sizes, out_strides),
               Tensor(in.raw(), in.dtype(), sizes, in_strides), call.pool);
}

}  // namespace

const KernelImpl cat_runs{.accepts = accept_list, .output_layout = layout_of_first, .run = run_cat};
const KernelImpl stack_runs{.accepts = accept_list, .run = run_stack};
const KernelImpl pad_runs{.accepts = accept_pad, .output_layout = layout_of_self, .run = run_pad};
const KernelImpl roll_runs{.accepts = accept_roll, .output_layout = any_layout, .run = run_roll};
const KernelImpl repeat_runs{.accepts = accept_repeat, .run = run_repeat};

}  // namespace plumb::cpu
