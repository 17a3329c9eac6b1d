// Operators that are one copy: clone and conversions, fills, and scatters into a slice.
#include <algorithm>
#include <limits>
#include <string>

#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/common_arguments.h"
#include "engines/cpu/ops/convert_elements.h"
#include "engines/cpu/ops/copy_strided.h"
#include "engines/cpu/ops/scalar_tensor.h"

namespace plumb::cpu {
namespace {

Verdict accept_conversion(DType from, DType to) {
  if (from == to || find_conversion(from, to) != nullptr) return Verdict::yes();
  return Verdict::no("no conversion from " + std::string(dtype_name(from)) + " to " +
                     std::string(dtype_name(to)));
}

Verdict accept_clone(const Call& call) {
  return accept_conversion(call.tensor("self").dtype(), call.output().dtype());
}
void run_clone(const Call& call) {
  copy_strided(call, call.output(), call.tensor("self"));
}

Verdict accept_copy(const Call& call) {
  return accept_conversion(call.tensor("src").dtype(), call.output().dtype());
}
void run_copy(const Call& call) {
  copy_strided(call, call.output(), call.tensor("src"));
}

Verdict accept_fill(const Call& call) {
  return accept_scalar(call.output().dtype());
}

void run_fill(const Call& call) {
  const bool full = call.find("fill_value") != nullptr;
  const ScalarTensor value(call, full ? "fill_value" : "value", call.output().dtype());
  fill_strided(call.output(), value.tensor().raw(), call.pool);
}

template <int value>
void run_constant(const Call& call) {
  const ScalarTensor scalar(value, call.output().dtype());
  fill_strided(call.output(), scalar.tensor().raw(), call.pool);
}

Verdict accept_scatter(const Call& call) {
  if (call.tensor("self").dtype() != call.output().dtype())
    return Verdict::no("self and output differ in dtype");
  return accept_conversion(call.tensor("src").dtype(), call.output().dtype());
}

void run_slice_scatter(const Call& call) {
  const Tensor& out = call.output();
  const Tensor& src = call.tensor("src");
  const int dim = dim_argument(call, out.rank());
  const std::int64_t size = out.size(dim);
  std::int64_t start = call.integer("start", 0);
  if (start < 0) start += size;
  start = std::clamp<std::int64_t>(start, 0, size);
  const std::int64_t step = call.integer("step", 1);
  copy_strided(call, out, call.tensor("self"));
  if (src.size(dim) == 0) return;
  if (start + (src.size(dim) - 1) * step >= size) {
    call.fail("src of shape " + shape_string(src.sizes()) + " does not fit into " +
              shape_string(out.sizes()));
  }
  const Tensor first = narrow(out, dim, start, src.size(dim));
  std::vector<std::int64_t> strides(first.strides().begin(), first.strides().end());
  strides[static_cast<std::size_t>(dim)] *= step;
  copy_strided(call, Tensor(first.raw(), first.dtype(), first.sizes(), strides), src);
}

void run_select_scatter(const Call& call) {
  const Tensor& out = call.output();
  const int dim = dim_argument(call, out.rank());
  std::int64_t index = call.integer("index");
  if (index < 0) index += out.size(dim);
  if (index < 0 || index >= out.size(dim)) call.fail("index is outside of " + shape_string(out.sizes()));
  copy_strided(call, out, call.tensor("self"));
  const Tensor slice = narrow(out, dim, index, 1);
  std::vector<std::int64_t> sizes(slice.sizes().begin(), slice.sizes().end());
  std::vector<std::int64_t> strides(slice.strides().begin(), slice.strides().end());
  sizes.erase(sizes.begin() + dim);
  strides.erase(strides.begin() + dim);
  copy_strided(call, Tensor(slice.raw(), slice.dtype(), sizes, strides), call.tensor("src"));
}

}  // namespace

const KernelImpl copy_clone{.accepts = accept_clone, .output_layout = any_layout, .run = run_clone};
const KernelImpl copy_source{.accepts = accept_copy, .output_layout = any_layout, .run = run_copy};
const KernelImpl fill_value{.accepts = accept_fill, .output_layout = any_layout, .run = run_fill};
const KernelImpl fill_zeros{.accepts = accept_fill, .output_layout = any_layout, .run = run_constant<0>};
const KernelImpl fill_ones{.accepts = accept_fill, .output_layout = any_layout, .run = run_constant<1>};
const KernelImpl slice_scatter_copy{
    .accepts = accept_scatter, .output_layout = any_layout, .run = run_slice_scatter};
const KernelImpl select_scatter_copy{
    .accepts = accept_scatter, .output_layout = any_layout, .run = run_select_scatter};

}  // namespace plumb::cpu
