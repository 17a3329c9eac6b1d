// 2-D nearest and bilinear interpolation of float tensors, channels-last or row-major as the input comes.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/common_arguments.h"
#include "engines/cpu/ops/parallel.h"

namespace plumb::cpu {
namespace {

constexpr std::int64_t kGrain = 16 << 10;

const Tensor& input_of(const Call& call) {
  return call.tensor(call.find("input") != nullptr ? "input" : "self");
}

Layout upsample_layout(const Call& call) {
  return channels_last_or_contiguous(input_of(call));
}
Layout upsample_input(const Call& call, std::string_view) {
  return upsample_layout(call);
}

Verdict accept_upsample(const Call& call) {
  const Tensor& input = input_of(call);
  if (input.rank() != 4) return Verdict::no("the input is not 4-dimensional");
  if (input.dtype() != DType::kFloat32) return Verdict::no("the input is not float32");
  return Verdict::yes();
}

// Input pixels per output pixel along a dimension, from the given factor where there is one.
float source_scale(const Call& call, int dim, std::int64_t in, std::int64_t out) {
  double factor = 0;
  if (const std::vector<double> factors = call.numbers("scale_factors"); !factors.empty()) {
    factor = factors[static_cast<std::size_t>(dim)];
  } else if (const std::string_view name = dim == 0 ? "scales_h" : "scales_w"; call.has(name)) {
    factor = call.number(name);
  }
  return factor > 0 ? static_cast<float>(1.0 / factor) : static_cast<float>(in) / static_cast<float>(out);
}

// Where an output position reads: two neighbours and the weight of the second.
struct Source {
  std::int64_t first, second;
  float weight;
};

std::vector<Source> nearest_sources(const Call& call, int dim, std::int64_t in, std::int64_t out) {
  const float scale = source_scale(call, dim, in, out);
  std::vector<Source> sources(static_cast<std::size_t>(out));
  for (std::int64_t o = 0; o < out; ++o) {
    const auto at = std::min(static_cast<std::int64_t>(std::floor(static_cast<float>(o) * scale)), in - 1);
    sources[static_cast<std::size_t>(o)] = {at, at, 0};
  }
  return sources;
}

std::vector<Source> bilinear_sources(const Call& call, int dim, std::int64_t in, std::int64_t out) {
  const bool align = call.boolean("align_corners");
  const float scale = !align    ? source_scale(call, dim, in, out)
                      : out > 1 ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                                : 0.0F;
  std::vector<Source> sources(static_cast<std::size_t>(out));
  for (std::int64_t o = 0; o < out; ++o) {
    const auto position = static_cast<float>(o);
    // PyTorch's kernels round the second expression once, being compiled for processors with fused
    // multiply-add.
    const float real = align ? position * scale : std::max(std::fma(scale, position + 0.5F, -0.5F), 0.0F);
    const auto first = std::min(static_cast<std::int64_t>(real), in - 1);
    const float weight = std::min(std::max(real - static_cast<float>(first), 0.0F), 1.0F);
    sources[static_cast<std::size_t>(o)] = {first, std::min(first + 1, in - 1), weight};
  }
  return sources;
}

// Channels-last: whole rows of channels are copied or combined.
void run_channels_last(const Call& call, const std::vector<Source>& ys, const std::vector<Source>& xs,
                       bool nearest) {
  const RowKernels& kernels = *isa_kernels(call).rows;
  const Tensor& input = input_of(call);
  const std::int64_t channels = input.size(1);
  const std::int64_t width = input.size(3);
  const auto out_height = static_cast<std::int64_t>(ys.size());
  const auto out_width = static_cast<std::int64_t>(xs.size());
  const std::int64_t grain =
      std::max<std::int64_t>(kGrain / std::max<std::int64_t>(out_width * channels, 1), 1);
  parallel_ranges(call.pool, input.size(0) * out_height, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Source& y = ys[static_cast<std::size_t>(i % out_height)];
      const float* plane = input.data<const float>() + i / out_height * input.size(2) * width * channels;
      float* out = call.output().data<float>() + i * out_width * channels;
      for (std::int64_t ox = 0; ox < out_width; ++ox, out += channels) {
        const Source& x = xs[static_cast<std::size_t>(ox)];
        const float* top = plane + y.first * width * channels;
        if (nearest) {
          std::memcpy(out, top + x.first * channels, static_cast<std::size_t>(channels) * sizeof(float));
          continue;
        }
        const float* bottom = plane + y.second * width * channels;
        const std::array<const float*, 4> taps = {top + x.first * channels, top + x.second * channels,
                                                  bottom + x.first * channels, bottom + x.second * channels};
        const float y0 = 1.0F - y.weight;
        const float x0 = 1.0F - x.weight;
        const std::array<float, 4> weights = {y0 * x0, y0 * x.weight, y.weight * x0, y.weight * x.weight};
        kernels.weighted_taps(out, taps.data(), weights.data(), 4, channels);
      }
    }
  });
}

// Row-major: one output row of one plane at a time.
void run_planes(const Call& call, const std::vector<Source>& ys, const std::vector<Source>& xs,
                bool nearest) {
  const Tensor& input = input_of(call);
  const std::int64_t width = input.size(3);
  const auto out_height = static_cast<std::int64_t>(ys.size());
  const auto out_width = static_cast<std::int64_t>(xs.size());
  const std::int64_t rows = input.size(0) * input.size(1) * out_height;
  const std::int64_t grain = std::max<std::int64_t>(kGrain / std::max<std::int64_t>(out_width, 1), 1);
  parallel_ranges(call.pool, rows, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Source& y = ys[static_cast<std::size_t>(i % out_height)];
      const float* plane = input.data<const float>() + i / out_height * input.size(2) * width;
      const float* top = plane + y.first * width;
      const float* bottom = plane + y.second * width;
      float* out = call.output().data<float>() + i * out_width;
      const float y0 = 1.0F - y.weight;
      for (std::int64_t ox = 0; ox < out_width; ++ox) {
        const Source& x = xs[static_cast<std::size_t>(ox)];
        if (nearest) {
          out[ox] = top[x.first];
          continue;
        }
        const float x0 = 1.0F - x.weight;
        out[ox] = y0 * (x0 * top[x.first] + x.weight * top[x.second]) +
                  y.weight * (x0 * bottom[x.first] + x.weight * bottom[x.second]);
      }
    }
  });
}

using MakeSources = std::vector<Source> (*)(const Call&, int, std::int64_t, std::int64_t);

void run(const Call& call, MakeSources make, bool nearest) {
  const Tensor& input = input_of(call);
  const Tensor& out = call.output();
  const std::vector<Source> ys = make(call, 0, input.size(2), out.size(2));
  const std::vector<Source> xs = make(call, 1, input.size(3), out.size(3));
  if (upsample_layout(call) == Layout::kChannelsLast) {
    run_channels_last(call, ys, xs, nearest);
  } else {
    run_planes(call, ys, xs, nearest);
  }
}

void run_nearest(const Call& call) {
  run(call, nearest_sources, true);
}
void run_bilinear(const Call& call) {
  run(call, bilinear_sources, false);
}

}  // namespace

const KernelImpl upsample_nearest{.accepts = accept_upsample,
                                  .input_layout = upsample_input,
                                  .output_layout = upsample_layout,
                                  .run = run_nearest};
const KernelImpl upsample_bilinear{.accepts = accept_upsample,
                                   .input_layout = upsample_input,
                                   .output_layout = upsample_layout,
                                   .run = run_bilinear};

}  // namespace plumb::cpu
