// Batch and instance normalisation: per channel, with statistics that are given or those of the input itself.
// Updating running statistics (training) is not here.
#include "engines/reference/kernels.h"
#include "engines/reference/movement.h"
#include "engines/reference/statistics.h"
#include "engines/reference/visit.h"

namespace plumb::reference {
namespace {

double parameter(const Tensor* tensor, std::int64_t channel, double fallback) {
  return tensor == nullptr ? fallback : read<double>(*tensor, channel * tensor->stride(0));
}

// out = (in - mean) / sqrt(variance + eps) * weight + bias
template <typename T>
void normalize(const Call& call, const Tensor& in, const Tensor& out, std::int64_t channel,
               const Moments& m) {
  const double scale =
      parameter(call.optional_tensor("weight"), channel, 1.0) / std::sqrt(m.variance + call.number("eps"));
  const double bias = parameter(call.optional_tensor("bias"), channel, 0.0);
  const std::array<SpaceStrides, 2> strides{broadcast_strides(out, out.sizes()),
                                            broadcast_strides(in, out.sizes())};
  for_each_offset(out.sizes(), strides, [&](const auto& at) {
    out.data<T>()[at[0]] = convert<T>((convert<double>(in.data<const T>()[at[1]]) - m.mean) * scale + bias);
  });
}

bool uses_input_statistics(const Call& call) {
  return call.op == "aten.instance_norm.default" ? call.boolean("use_input_stats", true)
                                                 : call.boolean("training", false);
}

void run_batch_norm(const Call& call) {
  const Tensor& input = call.tensor("input");
  const bool own = uses_input_statistics(call);
  visit_floating(input.dtype(), [&]<typename T>() {
    call.pool->parallel_for(input.size(1), [&](std::int64_t channel, int) {
      const Tensor in = select_of(input, 1, channel);
      Moments m;
      if (own) {
        m = moments_of<T>(in);
      } else {
        m.mean = parameter(&call.tensor("running_mean"), channel, 0.0);
        m.variance = parameter(&call.tensor("running_var"), channel, 1.0);
      }
      normalize<T>(call, in, select_of(call.output(), 1, channel), channel, m);
      // Without own statistics the other outputs are empty.
      if (own && call.outputs.size() > 1) {
        write(call.output(1), channel * call.output(1).stride(0), m.mean);
        write(call.output(2), channel * call.output(2).stride(0),
              1.0 / std::sqrt(m.variance + call.number("eps")));
      }
    });
  });
}

// As batch normalisation, each element of the batch having statistics of its own.
void run_instance_norm(const Call& call) {
  if (!uses_input_statistics(call)) return run_batch_norm(call);
  const Tensor& input = call.tensor("input");
  const std::int64_t channels = input.size(1);
  visit_floating(input.dtype(), [&]<typename T>() {
    call.pool->parallel_for(input.size(0) * channels, [&](std::int64_t task, int) {
      const auto plane = [&](const Tensor& t) {
        return select_of(select_of(t, 0, task / channels), 0, task % channels);
      };
      const Tensor in = plane(input);
      normalize<T>(call, in, plane(call.output()), task % channels, moments_of<T>(in));
    });
  });
}

Verdict accepts_batch_norm(const Call& call) {
  const bool running = call.has("running_mean") && call.has("running_var");
  const bool own = uses_input_statistics(call);
  if (own && (call.has("running_mean") || call.has("running_var"))) {
    return Verdict::no("training, which updates the running statistics");
  }
  if (!own && !running) return Verdict::no("no running statistics");
  return expect_floating(call, "input");
}

}  // namespace

const KernelImpl batch_norm{.accepts = accepts_batch_norm, .run = run_batch_norm};
const KernelImpl instance_norm{.accepts = accepts_batch_norm, .run = run_instance_norm};

}  // namespace plumb::reference
