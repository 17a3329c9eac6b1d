// Layer and RMS normalisation over the last dimensions. Not here: normalisation per channel
// (channel_norm.cpp).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "base/layout.h"
#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/common_arguments.h"
#include "engines/cpu/ops/parallel.h"

namespace plumb::cpu {
namespace {

constexpr std::int64_t kGrain = 16 << 10;

Verdict accept_floats(const Call& call) {
  for (const char* name : {"input", "weight", "bias"}) {
    const Tensor* tensor = call.optional_tensor(name);
    if (tensor != nullptr && tensor->dtype() != DType::kFloat32) {
      return Verdict::no("'" + std::string(name) + "' is not float32");
    }
  }
  return Verdict::yes();
}

const float* data_or_null(const Tensor* tensor) {
  return tensor == nullptr ? nullptr : tensor->data<const float>();
}

void run_layer_norm(const Call& call) {
  const RowKernels& kernels = *isa_kernels(call).rows;
  const Tensor& input = call.tensor("input");
  const float* weight = data_or_null(call.optional_tensor("weight"));
  const float* bias = data_or_null(call.optional_tensor("bias"));
  const std::int64_t n = element_count(call.ints("normalized_shape"));
  const double eps = call.number("eps", 1e-5);
  if (n == 0) return;
  const std::int64_t rows = input.numel() / n;
  const auto* in = input.data<const float>();
  auto* out = call.output().data<float>();
  // native_layer_norm also returns the statistics.
  float* means = call.outputs.size() > 1 ? call.output(1).data<float>() : nullptr;
  float* rstds = call.outputs.size() > 2 ? call.output(2).data<float>() : nullptr;
  parallel_ranges(
      call.pool, rows, std::max<std::int64_t>(kGrain / n, 1), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
          const float* row = in + r * n;
          const double mean = kernels.sum(row, n) / static_cast<double>(n);
          const auto center = static_cast<float>(mean);
          const double shift = mean - static_cast<double>(center);
          const double variance = std::max(
              kernels.squared_deviation(row, n, center) / static_cast<double>(n) - shift * shift, 0.0);
          const auto rstd = static_cast<float>(1.0 / std::sqrt(variance + eps));
          kernels.normalize(out + r * n, row, n, center, rstd, weight, bias);
          if (means != nullptr) means[r] = center;
          if (rstds != nullptr) rstds[r] = rstd;
        }
      });
}

void run_rms_norm(const Call& call) {
  const RowKernels& kernels = *isa_kernels(call).rows;
  const Tensor& input = call.tensor("input");
  const float* weight = data_or_null(call.optional_tensor("weight"));
  const std::int64_t n = element_count(call.ints("normalized_shape"));
  const double eps = call.has("eps") ? call.number("eps") : std::numeric_limits<float>::epsilon();
  if (n == 0) return;
  const auto* in = input.data<const float>();
  auto* out = call.output().data<float>();
  // _fused_rms_norm also returns the factors.
  float* rstds = call.outputs.size() > 1 ? call.output(1).data<float>() : nullptr;
  parallel_ranges(call.pool, input.numel() / n, std::max<std::int64_t>(kGrain / n, 1),
                  [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t r = begin; r < end; ++r) {
                      const float* row = in + r * n;
                      const double mean_square =
                          kernels.squared_deviation(row, n, 0.0F) / static_cast<double>(n);
                      const auto rstd = static_cast<float>(1.0 / std::sqrt(mean_square + eps));
                      kernels.normalize(out + r * n, row, n, 0.0F, rstd, weight, nullptr);
                      if (rstds != nullptr) rstds[r] = rstd;
                    }
                  });
}

}  // namespace

const KernelImpl layer_norm_rows{
    .accepts = accept_floats, .input_layout = contiguous_input, .run = run_layer_norm};
const KernelImpl rms_norm_rows{
    .accepts = accept_floats, .input_layout = contiguous_input, .run = run_rms_norm};

}  // namespace plumb::cpu
