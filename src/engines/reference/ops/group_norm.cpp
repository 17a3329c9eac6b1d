// Group normalisation: over groups of channels of each batch element, with a weight and bias for each
// channel.
#include "engines/reference/kernels.h"
#include "engines/reference/movement.h"
#include "engines/reference/statistics.h"
#include "engines/reference/visit.h"

namespace plumb::reference {
namespace {

double parameter(const Tensor* tensor, std::int64_t channel, double fallback) {
  return tensor == nullptr ? fallback : read<double>(*tensor, channel * tensor->stride(0));
}

void run_group_norm(const Call& call) {
  const Tensor& input = call.tensor("input");
  const Tensor* weight = call.optional_tensor("weight");
  const Tensor* bias = call.optional_tensor("bias");
  const std::int64_t groups = call.integer(call.has("group") ? "group" : "num_groups");
  const std::int64_t per_group = input.size(1) / groups;
  const double eps = call.number("eps", 1e-5);
  visit_floating(input.dtype(), [&]<typename T>() {
    call.pool->parallel_for(input.size(0) * groups, [&](std::int64_t task, int) {
      const std::int64_t n = task / groups;
      const std::int64_t group = task % groups;
      const auto part = [&](const Tensor& t) {
        return slice_of(select_of(t, 0, n), 0, group * per_group, per_group);
      };
      const Tensor in = part(input);
      const Tensor out = part(call.output());
      const Moments m = moments_of<T>(in);
      const double reciprocal = 1.0 / std::sqrt(m.variance + eps);
      for (std::int64_t c = 0; c < per_group; ++c) {
        const std::int64_t channel = group * per_group + c;
        const double scale = reciprocal * parameter(weight, channel, 1.0);
        const double shift = parameter(bias, channel, 0.0);
        const Tensor from = select_of(in, 0, c);
        const Tensor to = select_of(out, 0, c);
        const std::array<SpaceStrides, 2> strides{broadcast_strides(to, to.sizes()),
                                                  broadcast_strides(from, to.sizes())};
        for_each_offset(to.sizes(), strides, [&](const auto& at) {
          to.data<T>()[at[0]] =
              convert<T>((convert<double>(from.data<const T>()[at[1]]) - m.mean) * scale + shift);
        });
      }
      if (call.outputs.size() > 1) {
        const auto at = [&](const Tensor& t) { return n * t.stride(0) + group * t.stride(1); };
        write(call.output(1), at(call.output(1)), m.mean);
        write(call.output(2), at(call.output(2)), reciprocal);
      }
    });
  });
}

Verdict accepts_floating(const Call& call) {
  return expect_floating(call, "input");
}

}  // namespace

const KernelImpl group_norm{.accepts = accepts_floating, .run = run_group_norm};

}  // namespace plumb::reference
