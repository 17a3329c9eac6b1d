// Layer and RMS normalisation: over the last dimensions, with a weight (and bias) for each normalised
// element.
#include <limits>

#include "base/layout.h"
#include "engines/reference/kernels.h"
#include "engines/reference/movement.h"
#include "engines/reference/statistics.h"
#include "engines/reference/visit.h"

namespace plumb::reference {
namespace {

// The dimensions before the normalised ones, as sizes.
Sizes outer_sizes(const Call& call) {
  const Tensor& input = call.tensor("input");
  return {input.sizes().begin(), input.sizes().end() - std::ssize(call.ints("normalized_shape"))};
}

// The normalised part at position `index` of the outer dimensions.
Tensor part_at(Tensor tensor, const Sizes& outer, std::int64_t index) {
  std::int64_t offset = 0;
  for (std::size_t d = outer.size(); d-- > 0;) {
    offset += index % outer[d] * tensor.strides()[d];
    index /= outer[d];
  }
  return view_at(tensor, offset, tensor.sizes().subspan(outer.size()),
                 tensor.strides().subspan(outer.size()));
}

// Output `i`, if there is one, holds one value for each part.
void store_statistic(const Call& call, std::size_t i, const Sizes& outer, std::int64_t part, double value) {
  if (i < call.outputs.size()) write(part_at(call.output(i), outer, part), 0, value);
}

// out = (in - shift) * scale * weight + bias
template <typename T>
void normalize(const Call& call, const Tensor& in, const Tensor& out, double shift, double scale) {
  const Tensor* weight = call.optional_tensor("weight");
  const Tensor* bias = call.optional_tensor("bias");
  const std::array<SpaceStrides, 4> strides{
      broadcast_strides(out, out.sizes()), broadcast_strides(in, out.sizes()),
      weight == nullptr ? SpaceStrides{} : broadcast_strides(*weight, out.sizes()),
      bias == nullptr ? SpaceStrides{} : broadcast_strides(*bias, out.sizes())};
  for_each_offset(out.sizes(), strides, [&](const auto& at) {
    double value = (convert<double>(in.data<const T>()[at[1]]) - shift) * scale;
    if (weight != nullptr) value *= read<double>(*weight, at[2]);
    if (bias != nullptr) value += read<double>(*bias, at[3]);
    out.data<T>()[at[0]] = convert<T>(value);
  });
}

void run_layer_norm(const Call& call) {
  const Tensor& input = call.tensor("input");
  const Sizes outer = outer_sizes(call);
  const double eps = call.number("eps", 1e-5);
  visit_floating(input.dtype(), [&]<typename T>() {
    call.pool->parallel_for(element_count(outer), [&](std::int64_t part, int) {
      const Tensor in = part_at(input, outer, part);
      const Moments m = moments_of<T>(in);
      const double scale = 1.0 / std::sqrt(m.variance + eps);
      normalize<T>(call, in, part_at(call.output(), outer, part), m.mean, scale);
      store_statistic(call, 1, outer, part, m.mean);
      store_statistic(call, 2, outer, part, scale);
    });
  });
}

// Without eps PyTorch takes the spacing of the dtype in which it computes.
double rms_eps(const Call& call) {
  const bool is_double = call.tensor("input").dtype() == DType::kFloat64;
  return call.number("eps", is_double ? std::numeric_limits<double>::epsilon()
                                      : static_cast<double>(std::numeric_limits<float>::epsilon()));
}

void run_rms_norm(const Call& call) {
  const Tensor& input = call.tensor("input");
  const Sizes outer = outer_sizes(call);
  const double eps = rms_eps(call);
  visit_floating(input.dtype(), [&]<typename T>() {
    call.pool->parallel_for(element_count(outer), [&](std::int64_t part, int) {
      const Tensor in = part_at(input, outer, part);
      const double scale = 1.0 / std::sqrt(mean_square_of<T>(in) + eps);
      normalize<T>(call, in, part_at(call.output(), outer, part), 0.0, scale);
      store_statistic(call, 1, outer, part, scale);
    });
  });
}

Verdict accepts_floating(const Call& call) {
  return expect_floating(call, "input");
}

}  // namespace

const KernelImpl layer_norm{.accepts = accepts_floating, .run = run_layer_norm};
const KernelImpl rms_norm{.accepts = accepts_floating, .run = run_rms_norm};

}  // namespace plumb::reference
