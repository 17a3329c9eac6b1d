// Convolution of any kernel size, stride, dilation, padding and grouping as an implicit matrix product: for
// each kernel position (tap) a pointer per output pixel says where its input channels are, padding pointing
// at zeros.
#include <algorithm>

#include "engines/cpu/conv_arguments.h"
#include "engines/cpu/epilogue_arguments.h"
#include "engines/cpu/gemm_parallel.h"
#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/packed_weight.h"

namespace plumb::cpu {
namespace {

struct State : PackedWeight {
  using PackedWeight::PackedWeight;
  std::vector<float> zeros;  // the channels of a padding pixel
};

std::unique_ptr<KernelState> prepare(const Call& call) {
  const Conv conv = conv_of(call);
  const std::int64_t depth = conv.group_in() * conv.taps();
  const UnpackedB weight{.b = call.tensor("weight").data<float>(),
                         .k_stride = conv.taps(),
                         .n_stride = depth,
                         .taps = conv.taps(),
                         .tap_stride = 1};
  auto state = std::make_unique<State>(*isa_kernels(call).gemm, *call.pool, weight, conv.group_in(),
                                       conv.group_out(), conv.groups, conv.group_out() * depth);
  state->zeros.assign(static_cast<std::size_t>(conv.group_in()), 0.0F);
  return state;
}

// Output pixels whose inputs fit the second-level cache, and whose pointers do not fill it.
std::int64_t block_pixels(const Conv& conv) {
  constexpr std::int64_t kBlockFloats = 64 * 1024;
  constexpr std::int64_t kBlockPointers = 8 * 1024;
  const std::int64_t taps = std::max<std::int64_t>(1, conv.taps());
  const std::int64_t depth = taps * std::max<std::int64_t>(1, conv.group_in());
  return std::max<std::int64_t>(24, std::min(kBlockFloats / depth, kBlockPointers / taps) / 24 * 24);
}

std::size_t pointer_bytes(const Conv& conv) {
  return align_up(static_cast<std::size_t>(block_pixels(conv) * conv.taps()) * sizeof(const float*));
}

std::size_t scratch_bytes(const Call& call, int threads) {
  return pointer_bytes(conv_of(call)) * static_cast<std::size_t>(threads);
}

// Pointers of one tap for pixels [begin, end), counted over batch, rows and columns.
void point_at_inputs(const Conv& conv, const float* input, const float* zeros, std::int64_t tap,
                     std::int64_t begin, std::int64_t end, const float** pointers) {
  const std::int64_t offset_y = tap / conv.kernel_w * conv.dilation_h - conv.pad_top;
  const std::int64_t offset_x = tap % conv.kernel_w * conv.dilation_w - conv.pad_left;
  std::int64_t pixel = begin;
  while (pixel < end) {
    const std::int64_t row = pixel / conv.out_w;
    const std::int64_t first_x = pixel % conv.out_w;
    const std::int64_t stop_x = std::min(conv.out_w, first_x + end - pixel);
    const std::int64_t y = row % conv.out_h * conv.stride_h + offset_y;
    const bool row_inside = y >= 0 && y < conv.in_h;
    const std::int64_t row_base = (row / conv.out_h * conv.in_h + y) * conv.in_w;
    for (std::int64_t out_x = first_x; out_x < stop_x; ++out_x) {
      const std::int64_t x = out_x * conv.stride_w + offset_x;
      const bool inside = row_inside && x >= 0 && x < conv.in_w;
      *pointers++ = inside ? input + (row_base + x) * conv.in_channels : zeros;
    }
    pixel += stop_x - first_x;
  }
}

void run(const Call& call) {
  const Conv conv = conv_of(call);
  const auto& state = *static_cast<const State*>(call.state);
  const GemmKernels& gemm = *isa_kernels(call).gemm;
  const Epilogue epilogue = epilogue_of(call, conv.out_channels);
  const float* input = call.tensor("input").data<float>();
  float* output = call.output().data<float>();
  const std::int64_t block = block_pixels(conv);
  const GemmSplit split =
      split_gemm(gemm, conv.pixels(), conv.group_out(), call.pool->threads(), conv.groups);

  call.pool->parallel_for(conv.groups * split.tasks(), [&](std::int64_t index, int worker) {
    const std::int64_t group = index / split.tasks();
    const std::int64_t task = index % split.tasks();
    auto* pointers = reinterpret_cast<const float**>(call.scratch.data() +
                                                     pointer_bytes(conv) * static_cast<std::size_t>(worker));
    for (std::int64_t begin = split.row_begin(task); begin < split.row_end(task); begin += block) {
      const std::int64_t end = std::min(split.row_end(task), begin + block);
      for (std::int64_t tap = 0; tap < conv.taps(); ++tap) {
        point_at_inputs(conv, input + group * conv.group_in(), state.zeros.data(), tap, begin, end,
                        pointers + tap * (end - begin));
      }
      const std::int64_t out_offset = begin * conv.out_channels + group * conv.group_out();
      GemmArgs args;
      args.a_rows = pointers;
      args.a_rows_stride = end - begin;
      args.taps = conv.taps();
      args.k = conv.group_in();
      args.b = state.group(group);
      args.n = conv.group_out();
      args.c = output + out_offset;
      args.c_stride = conv.out_channels;
      args.epilogue = epilogue;
      if (epilogue.bias != nullptr) args.epilogue.bias += group * conv.group_out();
      if (epilogue.residual != nullptr) args.epilogue.residual += out_offset;
      gemm.run(args, 0, end - begin, split.column_begin(task), split.column_end(task));
    }
  });
}

}  // namespace

const KernelImpl conv_igemm{
    .accepts = accept_conv,
    .input_layout = conv_input_layout,
    .output_layout = conv_output_layout,
    .prepare = prepare,
    .scratch_bytes = scratch_bytes,
    .run = run,
};

}  // namespace plumb::cpu
