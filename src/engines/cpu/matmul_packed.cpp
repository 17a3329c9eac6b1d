// Products with a constant matrix B, packed at load: all rows of A are one product.
#include "engines/cpu/gemm_parallel.h"
#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/matmul_arguments.h"
#include "engines/cpu/packed_weight.h"

namespace plumb::cpu {
namespace {

Verdict accepts(const Call& call) {
  if (Verdict verdict = accept_matmul(call); !verdict.accepted()) return verdict;
  const Matmul product = matmul_of(call);
  if (!call.is_constant(product.names.b))
    return Verdict::no(std::string(product.names.b) + " is not constant");
  if (product.b->rank() != 2) return Verdict::no(std::string(product.names.b) + " is a batch of matrices");
  return Verdict::yes();
}

// A constant is packed from its own strides.
Layout input_layout(const Call& call, std::string_view argument) {
  return argument == matmul_names(call).b ? Layout::kAny : Layout::kContiguous;
}

std::unique_ptr<KernelState> prepare(const Call& call) {
  const Matmul product = matmul_of(call);
  return std::make_unique<PackedWeight>(*isa_kernels(call).gemm, *call.pool, product.unpacked_b(), product.k,
                                        product.n);
}

void run(const Call& call) {
  const Matmul product = matmul_of(call);
  GemmArgs args;
  args.a = product.a->data<float>();
  args.a_stride = product.k;
  args.k = product.k;
  args.b = packed_weight(call).group(0);
  args.n = product.n;
  args.c = call.output().data<float>();
  args.c_stride = product.n;
  args.epilogue = matmul_epilogue(call, product);
  std::int64_t rows = 1;
  for (int dim = 0; dim + 1 < product.a->rank(); ++dim) rows *= product.a->size(dim);
  gemm_parallel(*isa_kernels(call).gemm, *call.pool, args, rows);
}

}  // namespace

const KernelImpl matmul_packed{
    .accepts = accepts,
    .input_layout = input_layout,
    .prepare = prepare,
    .run = run,
};

}  // namespace plumb::cpu
