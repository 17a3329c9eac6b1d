// Operators that put copies of their inputs side by side: cat, stack, constant_pad_nd, roll, repeat.
#include <algorithm>
#include <cstdint>
#include <span>
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
    copy_strided(call, narrow(out, dim, begin, tensor->size(dim)), *tensor);
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
    copy_strided(call, narrow(out, dim, index++, 1), Tensor(tensor->raw(), tensor->dtype(), sizes, strides));
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
  copy_strided(call, out, in);
}

struct Shift {
  int dim;
  std::int64_t distance;  // in [0, size), towards the end
};

// One shift a dimension: a dimension that is named twice moves by the sum.
std::vector<Shift> shifts_of(const Call& call) {
  const Tensor& self = call.tensor("self");
  const std::vector<std::int64_t> dims = call.ints("dims");
  const std::vector<std::int64_t> distances = call.ints("shifts");
  std::vector<Shift> shifts;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const int dim = static_cast<int>(dims[i] < 0 ? dims[i] + self.rank() : dims[i]);
    const std::int64_t size = std::max<std::int64_t>(self.size(dim), 1);
    auto shift = std::find_if(shifts.begin(), shifts.end(), [&](const Shift& s) { return s.dim == dim; });
    if (shift == shifts.end()) shift = shifts.insert(shift, {dim, 0});
    shift->distance = ((shift->distance + distances[i] % size) % size + size) % size;
  }
  return shifts;
}

Verdict accept_roll(const Call& call) {
  if (call.ints("dims").size() != call.ints("shifts").size())
    return Verdict::no("dims and shifts differ in number");
  if (shifts_of(call).size() > 4) return Verdict::no("more than 4 dims");
  return Verdict::yes();
}

// Each shift cuts what is left in two.
void roll(const Call& call, const Tensor& out, const Tensor& in, std::span<const Shift> shifts) {
  if (out.numel() == 0) return;
  if (shifts.empty()) return copy_strided(call, out, in);
  const auto [dim, distance] = shifts.front();
  const std::int64_t rest = out.size(dim) - distance;
  roll(call, narrow(out, dim, distance, rest), narrow(in, dim, 0, rest), shifts.subspan(1));
  roll(call, narrow(out, dim, 0, distance), narrow(in, dim, rest, distance), shifts.subspan(1));
}

void run_roll(const Call& call) {
  roll(call, call.output(), call.tensor("self"), shifts_of(call));
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
  copy_strided(call, Tensor(out.raw(), out.dtype(), sizes, out_strides),
               Tensor(in.raw(), in.dtype(), sizes, in_strides));
}

}  // namespace

const KernelImpl cat_runs{.accepts = accept_list, .output_layout = layout_of_first, .run = run_cat};
const KernelImpl stack_runs{.accepts = accept_list, .run = run_stack};
const KernelImpl pad_runs{.accepts = accept_pad, .output_layout = layout_of_self, .run = run_pad};
const KernelImpl roll_runs{.accepts = accept_roll, .output_layout = any_layout, .run = run_roll};
const KernelImpl repeat_runs{.accepts = accept_repeat, .run = run_repeat};

}  // namespace plumb::cpu
