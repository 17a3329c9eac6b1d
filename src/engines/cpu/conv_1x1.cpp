// 1×1 convolution of stride 1 without padding: channels-last pixels are the rows of a plain matrix product.
#include "engines/cpu/conv_arguments.h"
#include "engines/cpu/epilogue_arguments.h"
#include "engines/cpu/gemm_parallel.h"
#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/packed_weight.h"

namespace plumb::cpu {
namespace {

Verdict accepts(const Call& call) {
  if (Verdict verdict = accept_conv(call); !verdict.accepted()) return verdict;
  const Conv conv = conv_of(call);
  if (conv.taps() != 1) return Verdict::no("kernel is larger than 1×1");
  if (conv.stride_h != 1 || conv.stride_w != 1) return Verdict::no("stride is not 1");
  if (conv.padded()) return Verdict::no("padding is not 0");
  if (conv.groups != 1) return Verdict::no("groups is not 1");
  return Verdict::yes();
}

std::unique_ptr<KernelState> prepare(const Call& call) {
  const Conv conv = conv_of(call);
  const UnpackedB weight{
      .b = call.tensor("weight").data<float>(), .k_stride = 1, .n_stride = conv.in_channels};
  return std::make_unique<PackedWeight>(*isa_kernels(call).gemm, *call.pool, weight, conv.in_channels,
                                        conv.out_channels);
}

void run(const Call& call) {
  const Conv conv = conv_of(call);
  GemmArgs args;
  args.a = call.tensor("input").data<float>();
  args.a_stride = conv.in_channels;
  args.k = conv.in_channels;
  args.b = packed_weight(call).group(0);
  args.n = conv.out_channels;
  args.c = call.output().data<float>();
  args.c_stride = conv.out_channels;
  args.epilogue = epilogue_of(call, conv.out_channels);
  gemm_parallel(*isa_kernels(call).gemm, *call.pool, args, conv.pixels());
}

}  // namespace

const KernelImpl conv_1x1{
    .accepts = accepts,
    .input_layout = conv_input_layout,
    .output_layout = conv_output_layout,
    .prepare = prepare,
    .run = run,
};

}  // namespace plumb::cpu
