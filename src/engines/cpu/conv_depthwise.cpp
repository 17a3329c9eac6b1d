// Depthwise convolution: as many groups as input and output channels.
#include <algorithm>

#include "base/aligned_buffer.h"
#include "engines/cpu/conv_arguments.h"
#include "engines/cpu/depthwise.h"
#include "engines/cpu/epilogue_arguments.h"
#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"

namespace plumb::cpu {
namespace {

struct State : KernelState {
  explicit State(std::int64_t floats) : buffer(static_cast<std::size_t>(floats) * sizeof(float)) {}
  float* weight() const { return reinterpret_cast<float*>(buffer.data()); }

  AlignedBuffer buffer;
};

Verdict accepts(const Call& call) {
  if (Verdict verdict = accept_conv(call); !verdict.accepted()) return verdict;
  const Conv conv = conv_of(call);
  if (conv.groups != conv.in_channels || conv.groups != conv.out_channels) {
    return Verdict::no("groups is not the number of input and output channels");
  }
  return Verdict::yes();
}

std::unique_ptr<KernelState> prepare(const Call& call) {
  const Conv conv = conv_of(call);
  const DepthwiseKernels& depthwise = *isa_kernels(call).depthwise;
  auto state = std::make_unique<State>(depthwise.packed_size(conv.out_channels, conv.taps()));
  depthwise.pack(call.tensor("weight").data<float>(), conv.out_channels, conv.taps(), state->weight());
  return state;
}

void run(const Call& call) {
  const Conv conv = conv_of(call);
  const DepthwiseKernels& depthwise = *isa_kernels(call).depthwise;
  const std::int64_t channels = conv.out_channels;
  DepthwiseArgs args{
      .input = call.tensor("input").data<float>(),
      .channels = channels,
      .in_h = conv.in_h,
      .in_w = conv.in_w,
      .out_h = conv.out_h,
      .out_w = conv.out_w,
      .kernel_h = conv.kernel_h,
      .kernel_w = conv.kernel_w,
      .stride_h = conv.stride_h,
      .stride_w = conv.stride_w,
      .dilation_h = conv.dilation_h,
      .dilation_w = conv.dilation_w,
      .pad_top = conv.pad_top,
      .pad_left = conv.pad_left,
      .weight = static_cast<const State*>(call.state)->weight(),
      .output = call.output().data<float>(),
      .epilogue = epilogue_of(call, channels),
  };

  // Ranges of rows first: they share no input but a few border rows. Small images are cut by channels too.
  const std::int64_t wanted = call.pool->threads() == 1 ? 1 : std::int64_t{4} * call.pool->threads();
  const std::int64_t row_tasks = std::clamp<std::int64_t>(conv.out_h / 4, 1, wanted);
  const std::int64_t blocks = (channels + depthwise.block_channels - 1) / depthwise.block_channels;
  const std::int64_t channel_tasks =
      std::clamp<std::int64_t>(wanted / row_tasks, 1, std::max<std::int64_t>(1, blocks));
  const std::int64_t tasks = row_tasks * channel_tasks;
  const auto channel_at = [&](std::int64_t i) {
    return std::min(channels, blocks * i / channel_tasks * depthwise.block_channels);
  };
  call.pool->parallel_for(conv.batch * tasks, [&](std::int64_t index, int) {
    const std::int64_t image = index / tasks;
    const std::int64_t row_task = index % tasks / channel_tasks;
    const std::int64_t channel_task = index % channel_tasks;
    DepthwiseArgs part = args;
    const std::int64_t out_offset = image * conv.out_h * conv.out_w * channels;
    part.input += image * conv.in_h * conv.in_w * channels;
    part.output += out_offset;
    if (part.epilogue.residual != nullptr) part.epilogue.residual += out_offset;
    depthwise.run(part, conv.out_h * row_task / row_tasks, conv.out_h * (row_task + 1) / row_tasks,
                  channel_at(channel_task), channel_at(channel_task + 1));
  });
}

}  // namespace

const KernelImpl conv_depthwise{
    .accepts = accepts,
    .input_layout = conv_input_layout,
    .output_layout = conv_output_layout,
    .prepare = prepare,
    .run = run,
};

}  // namespace plumb::cpu
