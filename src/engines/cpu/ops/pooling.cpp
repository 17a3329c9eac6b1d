// 2-D pooling of channels-last float tensors: each output pixel combines rows of channels, the taps of its
// window.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/parallel.h"

namespace plumb::cpu {
namespace {

constexpr std::int64_t kGrain = 16 << 10;  // elements read

Layout channels_last_input(const Call&, std::string_view) {
  return Layout::kChannelsLast;
}
Layout channels_last_output(const Call&) {
  return Layout::kChannelsLast;
}

Verdict accept_pool(const Call& call) {
  const Tensor& self = call.tensor("self");
  if (self.rank() != 4) return Verdict::no("the input has no batch dimension");
  if (self.dtype() != DType::kFloat32) return Verdict::no("the input is not float32");
  return Verdict::yes();
}

// Floats count exactly up to here, and the index of a maximum travels as one.
Verdict accept_max_pool(const Call& call) {
  const Tensor& self = call.tensor("self");
  if (self.rank() == 4 && self.size(2) * self.size(3) > (std::int64_t{1} << 24))
    return Verdict::no("huge planes");
  return accept_pool(call);
}

std::array<std::int64_t, 2> pair(const Call& call, std::string_view name,
                                 std::array<std::int64_t, 2> fallback) {
  const std::vector<std::int64_t> values = call.ints(name);
  if (values.empty()) return fallback;
  return {values[0], values.size() > 1 ? values[1] : values[0]};
}

// The valid taps of an output position along one dimension: begin, begin + step, … below end.
struct Window {
  std::int64_t begin, end, step;
  std::int64_t extent;  // taps, with those in the padding but not those beyond it
};

struct SlidingWindow {
  std::int64_t size, kernel, stride, padding, dilation;

  Window at(std::int64_t o) const {
    const std::int64_t start = o * stride - padding;
    const std::int64_t skipped = start < 0 ? (-start + dilation - 1) / dilation : 0;
    const std::int64_t stop = start + (kernel - 1) * dilation + 1;
    return {start + skipped * dilation, std::min(stop, size), dilation,
            std::min(stop, size + padding) - start};
  }
};

struct AdaptiveWindow {
  std::int64_t size, outputs;

  Window at(std::int64_t o) const {
    const std::int64_t begin = o * size / outputs;
    const std::int64_t end = ((o + 1) * size + outputs - 1) / outputs;
    return {begin, end, 1, end - begin};
  }
};

// Pointers to the channels of a window's pixels, row by row, and each pixel's index in its plane.
struct Taps {
  std::vector<const float*> pointers;
  std::vector<std::int64_t> indices;
  std::vector<float> winners;  // room for one tap number a channel
};

// pixel(first output element's index, taps, rows, columns) for each output pixel.
template <typename Along, typename Pixel>
void for_each_window(const Call& call, const Along& rows, const Along& columns, const Pixel& pixel) {
  const Tensor& self = call.tensor("self");
  const Tensor& out = call.output();
  const std::int64_t channels = self.size(1);
  const std::int64_t height = self.size(2);
  const std::int64_t width = self.size(3);
  const std::int64_t out_height = out.size(2);
  const std::int64_t out_width = out.size(3);
  if (out.numel() == 0) return;
  const std::int64_t work =
      std::max<std::int64_t>(self.numel() / (self.size(0) * out_height), out_width * channels);
  parallel_ranges(call.pool, self.size(0) * out_height,
                  std::max<std::int64_t>(kGrain / std::max<std::int64_t>(work, 1), 1),
                  [&](std::int64_t begin, std::int64_t end) {
                    Taps taps;
                    for (std::int64_t i = begin; i < end; ++i) {
                      const Window y = rows.at(i % out_height);
                      const float* plane =
                          self.data<const float>() + i / out_height * height * width * channels;
                      for (std::int64_t ox = 0; ox < out_width; ++ox) {
                        const Window x = columns.at(ox);
                        taps.pointers.clear();
                        taps.indices.clear();
                        for (std::int64_t iy = y.begin; iy < y.end; iy += y.step) {
                          for (std::int64_t ix = x.begin; ix < x.end; ix += x.step) {
                            taps.indices.push_back(iy * width + ix);
                            taps.pointers.push_back(plane + (iy * width + ix) * channels);
                          }
                        }
                        pixel((i * out_width + ox) * channels, taps, y, x);
                      }
                    }
                  });
}

template <typename Pixel>
void for_each_sliding_window(const Call& call, const Pixel& pixel) {
  const Tensor& self = call.tensor("self");
  const auto kernel = pair(call, "kernel_size", {1, 1});
  const auto stride = pair(call, "stride", kernel);
  const auto padding = pair(call, "padding", {0, 0});
  const auto dilation = pair(call, "dilation", {1, 1});
  for_each_window(call, SlidingWindow{self.size(2), kernel[0], stride[0], padding[0], dilation[0]},
                  SlidingWindow{self.size(3), kernel[1], stride[1], padding[1], dilation[1]}, pixel);
}

void run_max_pool(const Call& call) {
  const RowKernels& kernels = *isa_kernels(call).rows;
  const std::int64_t channels = call.tensor("self").size(1);
  auto* out = call.output().data<float>();
  for_each_sliding_window(call, [&](std::int64_t at, const Taps& taps, const Window&, const Window&) {
    kernels.max_taps(out + at, taps.pointers.data(), static_cast<std::int64_t>(taps.pointers.size()),
                     channels);
  });
}

void run_max_pool_with_indices(const Call& call) {
  const RowKernels& kernels = *isa_kernels(call).rows;
  const std::int64_t channels = call.tensor("self").size(1);
  auto* out = call.output(0).data<float>();
  auto* indices = call.output(1).data<std::int64_t>();
  for_each_sliding_window(call, [&](std::int64_t at, Taps& taps, const Window&, const Window&) {
    taps.winners.resize(static_cast<std::size_t>(channels));
    kernels.max_taps_with_index(out + at, taps.winners.data(), taps.pointers.data(),
                                static_cast<std::int64_t>(taps.pointers.size()), channels);
    for (std::size_t c = 0; c < taps.winners.size(); ++c) {
      indices[at + static_cast<std::int64_t>(c)] = taps.indices[static_cast<std::size_t>(taps.winners[c])];
    }
  });
}

void run_avg_pool(const Call& call) {
  const RowKernels& kernels = *isa_kernels(call).rows;
  const std::int64_t channels = call.tensor("self").size(1);
  const bool count_padding = call.boolean("count_include_pad", true);
  const std::int64_t divisor = call.has("divisor_override") ? call.integer("divisor_override") : 0;
  auto* out = call.output().data<float>();
  for_each_sliding_window(call, [&](std::int64_t at, const Taps& taps, const Window& y, const Window& x) {
    const auto count = static_cast<std::int64_t>(taps.pointers.size());
    const std::int64_t by = divisor != 0 ? divisor : count_padding ? y.extent * x.extent : count;
    kernels.sum_taps(out + at, taps.pointers.data(), count, channels, 1.0F / static_cast<float>(by));
  });
}

void run_adaptive_avg_pool(const Call& call) {
  const RowKernels& kernels = *isa_kernels(call).rows;
  const Tensor& self = call.tensor("self");
  auto* out = call.output().data<float>();
  for_each_window(call, AdaptiveWindow{self.size(2), call.output().size(2)},
                  AdaptiveWindow{self.size(3), call.output().size(3)},
                  [&](std::int64_t at, const Taps& taps, const Window&, const Window&) {
                    const auto count = static_cast<std::int64_t>(taps.pointers.size());
                    kernels.sum_taps(out + at, taps.pointers.data(), count, self.size(1),
                                     1.0F / static_cast<float>(count));
                  });
}

}  // namespace

const KernelImpl max_pool_nhwc{.accepts = accept_max_pool,
                               .input_layout = channels_last_input,
                               .output_layout = channels_last_output,
                               .run = run_max_pool};
const KernelImpl max_pool_indices_nhwc{.accepts = accept_max_pool,
                                       .input_layout = channels_last_input,
                                       .output_layout = channels_last_output,
                                       .run = run_max_pool_with_indices};
const KernelImpl avg_pool_nhwc{.accepts = accept_pool,
                               .input_layout = channels_last_input,
                               .output_layout = channels_last_output,
                               .run = run_avg_pool};
const KernelImpl adaptive_avg_pool_nhwc{.accepts = accept_pool,
                                        .input_layout = channels_last_input,
                                        .output_layout = channels_last_output,
                                        .run = run_adaptive_avg_pool};

}  // namespace plumb::cpu
