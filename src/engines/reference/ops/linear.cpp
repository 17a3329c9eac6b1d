// Linear layers: input times the transposed weight, with bias and the epilogue of the fused form.
#include "engines/reference/epilogue.h"
#include "engines/reference/kernels.h"
#include "engines/reference/product.h"

namespace plumb::reference {
namespace {

// Splits a tensor [batch…, row, column] of the output's shape, or one that broadcasts to it, into matrices.
Matrices as_matrices(const Tensor& tensor, std::span<const std::int64_t> sizes) {
  Matrices m{&tensor, broadcast_strides(tensor, sizes), 0, 0};
  const std::size_t rank = sizes.size();
  if (rank >= 1) m.column = m.batch[rank - 1];
  if (rank >= 2) m.row = m.batch[rank - 2];
  return m;
}

Product linear_product(const Call& call, const Epilogue& epilogue) {
  const Tensor& input = call.tensor("input");
  const Tensor& weight = call.tensor("weight");
  const Tensor* bias = call.optional_tensor("bias");
  const bool matrix = weight.rank() == 2;
  Sizes sizes(input.sizes().begin(), input.sizes().end() - 1);
  sizes.push_back(matrix ? weight.size(0) : 1);

  Product p;
  p.inner = input.size(-1);
  p.columns = sizes.back();
  p.rows = sizes.size() >= 2 ? sizes[sizes.size() - 2] : 1;
  if (sizes.size() > 2) p.batch.assign(sizes.begin(), sizes.end() - 2);
  p.a.tensor = &input;
  for (std::size_t d = 0; d < p.batch.size(); ++d) p.a.batch[d] = input.strides()[d];
  if (input.rank() >= 2) p.a.row = input.stride(-2);
  p.a.column = input.stride(-1);
  p.b = {&weight, {}, weight.stride(-1), matrix ? weight.stride(0) : 0};
  // A weight vector drops the last dimension of the output: its columns are one.
  if (matrix) {
    p.out = as_matrices(call.output(), sizes);
    if (bias != nullptr) p.addends[0] = as_matrices(*bias, sizes);
    if (epilogue.residual() != nullptr) p.addends[1] = as_matrices(*epilogue.residual(), sizes);
  } else {
    const Tensor& out = call.output();
    p.out.tensor = &out;
    for (std::size_t d = 0; d < p.batch.size(); ++d) p.out.batch[d] = out.strides()[d];
    if (out.rank() >= 1) p.out.row = out.stride(-1);
    if (bias != nullptr) {
      const SpaceStrides strides = broadcast_strides(*bias, out.sizes());
      p.addends[0] = {bias, strides, out.rank() >= 1 ? strides[p.batch.size()] : 0, 0};
    }
  }
  return p;
}

void run_linear(const Call& call) {
  visit_number(call.tensor("input").dtype(), [&]<typename T>() {
    multiply<T>(call, linear_product(call, {}), [](auto sum, auto bias, auto) { return sum + bias; });
  });
}

void run_fused_linear(const Call& call) {
  const Epilogue epilogue(call);
  visit_floating(call.tensor("input").dtype(), [&]<typename T>() {
    multiply<T>(call, linear_product(call, epilogue), [&](double sum, double bias, double residual) {
      return epilogue.activate(sum + bias + residual);
    });
  });
}

Verdict accepts_numbers(const Call& call) {
  return expect_number(call, "input");
}

}  // namespace

const KernelImpl linear{.accepts = accepts_numbers, .run = run_linear};
const KernelImpl fused_linear{.accepts = accepts_epilogue, .run = run_fused_linear};

}  // namespace plumb::reference
