// Matrix products: mm, bmm, matmul and dot, and those that add a matrix: addmm, baddbmm, addmv.
#include <algorithm>

#include "engines/reference/kernels.h"
#include "engines/reference/product.h"

namespace plumb::reference {
namespace {

// A factor as matrices. A vector is one row on the left and one column on the right.
Matrices factor(const Tensor& tensor, bool left, const Sizes& batch) {
  Matrices m{&tensor, {}, 0, 0};
  if (tensor.rank() == 1) {
    (left ? m.column : m.row) = tensor.stride(0);
    return m;
  }
  m.row = tensor.stride(-2);
  m.column = tensor.stride(-1);
  const auto own = static_cast<std::size_t>(tensor.rank() - 2);
  const std::size_t lead = batch.size() - own;
  for (std::size_t d = 0; d < own; ++d) {
    m.batch[lead + d] = tensor.sizes()[d] == 1 ? 0 : tensor.strides()[d];
  }
  return m;
}

// A view that broadcasts to [batch…, rows, columns], of which `rows` and `columns` tell whether they are
// there.
Matrices result_like(const Tensor& tensor, const Tensor& out, const Product& p, bool rows, bool columns) {
  const SpaceStrides strides = broadcast_strides(tensor, out.sizes());
  Matrices m{&tensor, strides, 0, 0};
  std::size_t d = p.batch.size();
  if (rows) m.row = strides[d++];
  if (columns) m.column = strides[d];
  return m;
}

Product product_of(const Call& call, const Tensor& a, const Tensor& b, const Tensor* addend) {
  const Tensor& out = call.output();
  const bool rows = a.rank() > 1;
  const bool columns = b.rank() > 1;
  Product p;
  p.batch.assign(out.sizes().begin(), out.sizes().end() - (rows ? 1 : 0) - (columns ? 1 : 0));
  p.rows = rows ? a.size(-2) : 1;
  p.columns = columns ? b.size(-1) : 1;
  p.inner = a.size(-1);
  p.a = factor(a, true, p.batch);
  p.b = factor(b, false, p.batch);
  p.out = result_like(out, out, p, rows, columns);
  if (addend != nullptr) p.addends[0] = result_like(*addend, out, p, rows, columns);
  return p;
}

void run_product(const Call& call, const char* a_name, const char* b_name) {
  const Tensor& a = call.tensor(a_name);
  visit_number(a.dtype(), [&]<typename T>() {
    multiply<T>(call, product_of(call, a, call.tensor(b_name), nullptr),
                [](auto sum, auto, auto) { return sum; });
  });
}

// out = beta * self + alpha * (a @ b). A beta of 0 means that self is not looked at, not even for NaN.
void run_added_product(const Call& call, const char* a_name, const char* b_name) {
  const Tensor& a = call.tensor(a_name);
  const double beta = call.number("beta", 1.0);
  const double alpha = call.number("alpha", 1.0);
  const Tensor* addend = beta == 0.0 ? nullptr : &call.tensor("self");
  const Product p = product_of(call, a, call.tensor(b_name), addend);
  visit_number(a.dtype(), [&]<typename T>() {
    using A = Accumulator<T>;
    multiply<T>(call, p, [b = convert<A>(beta), al = convert<A>(alpha)](A sum, A added, A) {
      return b * added + al * sum;
    });
  });
}

void run_self_mat2(const Call& call) {
  run_product(call, "self", "mat2");
}
void run_matmul(const Call& call) {
  run_product(call, "self", "other");
}
void run_dot(const Call& call) {
  run_product(call, "self", "tensor");
}
void run_mv(const Call& call) {
  run_product(call, "self", "vec");
}
void run_addmm(const Call& call) {
  run_added_product(call, "mat1", "mat2");
}
void run_baddbmm(const Call& call) {
  run_added_product(call, "batch1", "batch2");
}
void run_addmv(const Call& call) {
  run_added_product(call, "mat", "vec");
}

Verdict accepts_numbers(const Call& call) {
  return expect_number(call, "self");
}

}  // namespace

const KernelImpl mm{.accepts = accepts_numbers, .run = run_self_mat2};
const KernelImpl bmm{.accepts = accepts_numbers, .run = run_self_mat2};
const KernelImpl matmul{.accepts = accepts_numbers, .run = run_matmul};
const KernelImpl dot{.accepts = accepts_numbers, .run = run_dot};
const KernelImpl mv{.accepts = accepts_numbers, .run = run_mv};
const KernelImpl addmm{.accepts = accepts_numbers, .run = run_addmm};
const KernelImpl baddbmm{.accepts = accepts_numbers, .run = run_baddbmm};
const KernelImpl addmv{.accepts = accepts_numbers, .run = run_addmv};

}  // namespace plumb::reference
