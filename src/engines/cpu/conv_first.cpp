// Convolution of few input channels, the first layer of image networks: patches of a block of pixels are
// gathered into scratch, where the whole kernel window is one long row of a matrix product. Reads the input
// in any layout.
#include <algorithm>
#include <string>

#include "engines/cpu/conv_arguments.h"
#include "engines/cpu/epilogue_arguments.h"
#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/packed_weight.h"

namespace plumb::cpu {
namespace {

constexpr std::int64_t kMaxChannels = 4;

Verdict accepts(const Call& call) {
  if (Verdict verdict = accept_conv(call); !verdict.accepted()) return verdict;
  const Conv conv = conv_of(call);
  if (conv.in_channels > kMaxChannels) {
    return Verdict::no("more than " + std::to_string(kMaxChannels) + " input channels");
  }
  if (conv.groups != 1) return Verdict::no("groups is not 1");
  return Verdict::yes();
}

Layout input_layout(const Call& call, std::string_view argument) {
  return argument == "input" ? Layout::kAny : conv_input_layout(call, argument);
}

std::int64_t patch_size(const Conv& conv) {
  return conv.in_channels * conv.taps();
}

std::unique_ptr<KernelState> prepare(const Call& call) {
  const Conv conv = conv_of(call);
  const UnpackedB weight{
      .b = call.tensor("weight").data<float>(), .k_stride = 1, .n_stride = patch_size(conv)};
  return std::make_unique<PackedWeight>(*isa_kernels(call).gemm, *call.pool, weight, patch_size(conv),
                                        conv.out_channels);
}

// Pixels whose patches stay in the second-level cache, fewer where that would leave a thread without work.
std::int64_t block_pixels(const Conv& conv, int threads) {
  constexpr std::int64_t kBlockFloats = 64 * 1024;
  const std::int64_t fit = kBlockFloats / std::max<std::int64_t>(1, patch_size(conv));
  const std::int64_t share = threads == 1 ? conv.pixels() : conv.pixels() / (4 * threads) + 1;
  return std::max<std::int64_t>(24, std::min(fit, share) / 24 * 24);
}

std::size_t patch_bytes(const Conv& conv, int threads) {
  return align_up(static_cast<std::size_t>(block_pixels(conv, threads) * patch_size(conv)) * sizeof(float));
}

std::size_t scratch_bytes(const Call& call, int threads) {
  return patch_bytes(conv_of(call), threads) * static_cast<std::size_t>(threads);
}

PatchArgs patch_args(const Conv& conv, const Tensor& input) {
  const bool rows = input.rank() == 4;
  return PatchArgs{
      .input = input.data<float>(),
      .channel_stride = input.stride(1),
      .row_stride = rows ? input.stride(2) : 0,
      .column_stride = input.stride(-1),
      .channels = conv.in_channels,
      .in_h = conv.in_h,
      .in_w = conv.in_w,
      .kernel_h = conv.kernel_h,
      .kernel_w = conv.kernel_w,
      .stride_h = conv.stride_h,
      .stride_w = conv.stride_w,
      .dilation_h = conv.dilation_h,
      .dilation_w = conv.dilation_w,
      .pad_top = conv.pad_top,
      .pad_left = conv.pad_left,
  };
}

void run(const Call& call) {
  const Conv conv = conv_of(call);
  const int threads = call.pool->threads();
  const IsaKernels& isa = isa_kernels(call);
  const Tensor& input = call.tensor("input");
  const PatchArgs image = patch_args(conv, input);
  const Epilogue epilogue = epilogue_of(call, conv.out_channels);
  float* output = call.output().data<float>();
  const std::int64_t block = block_pixels(conv, threads);

  call.pool->parallel_for((conv.pixels() + block - 1) / block, [&](std::int64_t task, int worker) {
    auto* patches = reinterpret_cast<float*>(call.scratch.data() +
                                             patch_bytes(conv, threads) * static_cast<std::size_t>(worker));
    const std::int64_t begin = task * block;
    const std::int64_t end = std::min(conv.pixels(), begin + block);
    for (std::int64_t pixel = begin; pixel < end;) {
      const std::int64_t row = pixel / conv.out_w;
      const std::int64_t x = pixel % conv.out_w;
      const std::int64_t count = std::min(conv.out_w - x, end - pixel);
      PatchArgs args = image;
      args.input += row / conv.out_h * input.stride(0);
      isa.patches->gather(args, row % conv.out_h, x, x + count, patches + (pixel - begin) * patch_size(conv));
      pixel += count;
    }
    GemmArgs args;
    args.a = patches;
    args.a_stride = patch_size(conv);
    args.k = patch_size(conv);
    args.b = packed_weight(call).group(0);
    args.n = conv.out_channels;
    args.c = output + begin * conv.out_channels;
    args.c_stride = conv.out_channels;
    args.epilogue = epilogue;
    if (epilogue.residual != nullptr) args.epilogue.residual += begin * conv.out_channels;
    isa.gemm->run(args, 0, end - begin, 0, conv.out_channels);
  });
}

}  // namespace

const KernelImpl conv_first{
    .accepts = accepts,
    .input_layout = input_layout,
    .output_layout = conv_output_layout,
    .prepare = prepare,
    .scratch_bytes = scratch_bytes,
    .run = run,
};

}  // namespace plumb::cpu
