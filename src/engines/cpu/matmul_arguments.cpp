// Parsing and the shared preconditions.
#include "engines/cpu/matmul_arguments.h"

#include <string>

#include "engines/cpu/epilogue_arguments.h"

namespace plumb::cpu {
namespace {

bool is_linear(const Call& call) {
  return call.op == "aten.linear.default" || call.op == "plumb.linear";
}

// Whether the addend is one row for all rows of the output: [n], [1, n], …
bool is_row(const Tensor& addend, std::int64_t n) {
  return addend.rank() >= 1 && addend.numel() == n && addend.size(-1) == n;
}

Verdict accept_addend(const Call& call, const Matmul& product) {
  if (product.names.addend.empty()) return accept_epilogue(call);
  if (call.number("alpha", 1.0) != 1.0) return Verdict::no("alpha is not 1");
  const double beta = call.number("beta", 1.0);
  if (beta == 0.0) return Verdict::yes();
  if (beta != 1.0) return Verdict::no("beta is neither 0 nor 1");
  const Tensor& addend = call.tensor(product.names.addend);
  if (addend.dtype() != DType::kFloat32) return Verdict::no("not float32");
  const bool batch_fits = product.a->rank() == 2 || addend.size(0) == product.a->size(0);
  const bool whole = addend.rank() == product.a->rank() && batch_fits && addend.size(-2) == product.m &&
                     addend.size(-1) == product.n;
  if (!whole && !is_row(addend, product.n)) {
    return Verdict::no("addend has shape " + shape_string(addend.sizes()) +
                       ", neither a row nor the output's shape");
  }
  return Verdict::yes();
}

}  // namespace

MatmulNames matmul_names(const Call& call) {
  if (is_linear(call)) return {.a = "input", .b = "weight", .addend = {}, .b_transposed = true};
  if (call.op == "aten.addmm.default") return {.a = "mat1", .b = "mat2", .addend = "self"};
  if (call.op == "aten.baddbmm.default") return {.a = "batch1", .b = "batch2", .addend = "self"};
  if (call.op == "aten.matmul.default") return {.a = "self", .b = "other", .addend = {}};
  return {.a = "self", .b = "mat2", .addend = {}};
}

Matmul matmul_of(const Call& call) {
  const MatmulNames names = matmul_names(call);
  const Tensor& a = call.tensor(names.a);
  const Tensor& b = call.tensor(names.b);
  const int k_dim = names.b_transposed ? -1 : -2;
  const int n_dim = names.b_transposed ? -2 : -1;
  return Matmul{
      .names = names,
      .a = &a,
      .b = &b,
      .m = a.rank() == 1 ? 1 : a.size(-2),
      .k = a.size(-1),
      .n = b.size(n_dim),
      .a_row = a.rank() == 1 ? 0 : a.stride(-2),
      .a_k = a.stride(-1),
      .b_k = b.stride(k_dim),
      .b_n = b.stride(n_dim),
  };
}

Verdict accept_matmul(const Call& call) {
  const MatmulNames names = matmul_names(call);
  for (const std::string_view name : {names.a, names.b}) {
    const Tensor& operand = call.tensor(name);
    if (operand.dtype() != DType::kFloat32) return Verdict::no(std::string(name) + " is not float32");
    const int least = is_linear(call) && name == names.a ? 1 : 2;
    if (operand.rank() < least) {
      return Verdict::no(std::string(name) + " has shape " + shape_string(operand.sizes()) +
                         ", not a matrix");
    }
  }
  if (is_linear(call) && call.tensor(names.b).rank() != 2) return Verdict::no("weight is not a matrix");
  return accept_addend(call, matmul_of(call));
}

Epilogue matmul_epilogue(const Call& call, const Matmul& product) {
  if (product.names.addend.empty()) return epilogue_of(call, product.n);
  Epilogue e;
  if (call.number("beta", 1.0) == 0.0) return e;
  const Tensor& addend = call.tensor(product.names.addend);
  if (is_row(addend, product.n)) {
    e.bias = addend.data<float>();
  } else {
    e.residual = addend.data<float>();
    e.residual_stride = product.n;
  }
  return e;
}

std::int64_t batch_offset(const Tensor& operand, const Tensor& output, std::int64_t index) {
  const int missing = output.rank() - operand.rank();
  std::int64_t offset = 0;
  for (int dim = output.rank() - 3; dim >= 0; --dim) {
    const std::int64_t at = index % output.size(dim);
    index /= output.size(dim);
    if (dim >= missing && operand.size(dim - missing) != 1) offset += at * operand.stride(dim - missing);
  }
  return offset;
}

}  // namespace plumb::cpu
