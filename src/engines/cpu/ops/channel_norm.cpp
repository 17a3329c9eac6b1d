// Normalisation with one scale and shift a channel: batch norm with running statistics, and group norm.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/common_arguments.h"
#include "engines/cpu/ops/elementwise.h"
#include "engines/cpu/ops/parallel.h"

namespace plumb::cpu {
namespace {

Verdict accept_floats(const Call& call) {
  for (const char* name : {"input", "weight", "bias", "running_mean", "running_var"}) {
    const Tensor* tensor = call.optional_tensor(name);
    if (tensor != nullptr && tensor->dtype() != DType::kFloat32) {
      return Verdict::no("'" + std::string(name) + "' is not float32");
    }
  }
  return Verdict::yes();
}

Verdict accept_batch_norm(const Call& call) {
  if (call.find("training") != nullptr && call.boolean("training")) return Verdict::no("training statistics");
  if (call.optional_tensor("running_mean") == nullptr || call.optional_tensor("running_var") == nullptr) {
    return Verdict::no("no running statistics");
  }
  if (call.tensor("input").rank() < 2) return Verdict::no("the input has no channel dimension");
  return accept_floats(call);
}

Verdict accept_group_norm(const Call& call) {
  if (call.tensor("input").rank() < 2) return Verdict::no("the input has no channel dimension");
  if (call.tensor("input").numel() == 0) return Verdict::no("the input is empty");
  return accept_floats(call);
}

float value_or(const Tensor* tensor, std::int64_t i, float fallback) {
  return tensor == nullptr ? fallback : tensor->data<const float>()[i * tensor->stride(0)];
}

// Room for scale and shift of each of `count` channels.
struct Affine {
  float* scale;
  float* shift;
};
Affine affine_in(const Call& call, std::int64_t count) {
  auto* p = reinterpret_cast<float*>(call.scratch.data());
  return {p, p + count};
}

// out = input * scale + shift, with `batch` sets of channel values (1: the same for all).
void apply(const Call& call, Affine affine, std::int64_t batch) {
  const Tensor& input = call.tensor("input");
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(input.rank()), 1);
  sizes[0] = batch;
  sizes[1] = input.size(1);
  const Tensor scale(affine.scale, DType::kFloat32, sizes);
  const Tensor shift(affine.shift, DType::kFloat32, sizes);
  const Tensor* inputs[] = {&input, &scale, &shift};
  run_elementwise(call, ElementOp::kScaleShift, call.output(), inputs, {});
}

std::size_t batch_norm_scratch(const Call& call, int) {
  return 2 * sizeof(float) * static_cast<std::size_t>(call.tensor("input").size(1));
}

void run_batch_norm(const Call& call) {
  const Tensor& input = call.tensor("input");
  const Tensor* weight = call.optional_tensor("weight");
  const Tensor* bias = call.optional_tensor("bias");
  const Tensor& mean = call.tensor("running_mean");
  const Tensor& var = call.tensor("running_var");
  const double eps = call.number("eps", 1e-5);
  const Affine affine = affine_in(call, input.size(1));
  for (std::int64_t c = 0; c < input.size(1); ++c) {
    const double rstd = 1.0 / std::sqrt(static_cast<double>(value_or(&var, c, 1)) + eps);
    const double scale = static_cast<double>(value_or(weight, c, 1)) * rstd;
    affine.scale[c] = static_cast<float>(scale);
    affine.shift[c] = static_cast<float>(static_cast<double>(value_or(bias, c, 0)) -
                                         static_cast<double>(value_or(&mean, c, 0)) * scale);
  }
  apply(call, affine, 1);
}

std::int64_t group_count(const Call& call) {
  return call.integer(call.find("group") != nullptr ? "group" : "num_groups");
}

Layout group_norm_layout(const Call& call) {
  return channels_last_or_contiguous(call.tensor("input"));
}
Layout group_norm_input(const Call& call, std::string_view argument) {
  return argument == "input" ? group_norm_layout(call) : Layout::kAny;
}

std::size_t group_norm_scratch(const Call& call, int) {
  const Tensor& input = call.tensor("input");
  return 2 * sizeof(float) * static_cast<std::size_t>(input.size(0) * input.size(1));
}

// Sum of f over the elements of one group, as rows for RowKernels::sum and squared_deviation.
template <typename Row>
double sum_rows(const float* data, bool channels_last, std::int64_t channels, std::int64_t group_channels,
                std::int64_t pixels, const Row& row) {
  if (!channels_last) return row(data, group_channels * pixels);
  double total = 0;
  for (std::int64_t p = 0; p < pixels; ++p) total += row(data + p * channels, group_channels);
  return total;
}

void run_group_norm(const Call& call) {
  const RowKernels& kernels = *isa_kernels(call).rows;
  const Tensor& input = call.tensor("input");
  const Tensor* weight = call.optional_tensor("weight");
  const Tensor* bias = call.optional_tensor("bias");
  const std::int64_t batch = input.size(0);
  const std::int64_t channels = input.size(1);
  const std::int64_t pixels = input.numel() / (batch * channels);
  const std::int64_t groups = group_count(call);
  const std::int64_t group_channels = channels / groups;
  const bool channels_last = group_norm_layout(call) == Layout::kChannelsLast;
  const double eps = call.number("eps", 1e-5);
  const Affine affine = affine_in(call, batch * channels);
  float* means = call.outputs.size() > 1 ? call.output(1).data<float>() : nullptr;
  float* rstds = call.outputs.size() > 2 ? call.output(2).data<float>() : nullptr;
  const std::int64_t size = group_channels * pixels;
  const std::int64_t grain = std::max<std::int64_t>((16 << 10) / size, 1);
  parallel_ranges(call.pool, batch * groups, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t n = i / groups;
      const std::int64_t first = i % groups * group_channels;
      const float* data =
          input.data<const float>() + n * channels * pixels + first * (channels_last ? 1 : pixels);
      const auto over = [&](const auto& row) {
        return sum_rows(data, channels_last, channels, group_channels, pixels, row);
      };
      const double mean = over(kernels.sum) / static_cast<double>(size);
      const auto center = static_cast<float>(mean);
      const double shift = mean - static_cast<double>(center);
      const double squares = over([&](const float* row, std::int64_t count) {
        return kernels.squared_deviation(row, count, center);
      });
      const double rstd =
          1.0 / std::sqrt(std::max(squares / static_cast<double>(size) - shift * shift, 0.0) + eps);
      if (means != nullptr) means[i] = center;
      if (rstds != nullptr) rstds[i] = static_cast<float>(rstd);
      for (std::int64_t c = first; c < first + group_channels; ++c) {
        const double scale = static_cast<double>(value_or(weight, c, 1)) * rstd;
        affine.scale[n * channels + c] = static_cast<float>(scale);
        affine.shift[n * channels + c] =
            static_cast<float>(static_cast<double>(value_or(bias, c, 0)) - mean * scale);
      }
    }
  });
  apply(call, affine, batch);
}

}  // namespace

const KernelImpl batch_norm_affine{.accepts = accept_batch_norm,
                                   .output_layout = any_layout,
                                   .scratch_bytes = batch_norm_scratch,
                                   .run = run_batch_norm};
const KernelImpl group_norm_affine{.accepts = accept_group_norm,
                                   .input_layout = group_norm_input,
                                   .output_layout = group_norm_layout,
                                   .scratch_bytes = group_norm_scratch,
                                   .run = run_group_norm};

}  // namespace plumb::cpu
