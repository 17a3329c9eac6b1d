// Shapes of matrix products.
#include <algorithm>

#include "plan/shapes/epilogue.h"
#include "plan/shapes/functions.h"

namespace plumb::shapes {
namespace {

void expect_rank(const Call& call, const char* name, int rank) {
  const Tensor& tensor = call.tensor(name);
  if (tensor.rank() != rank) {
    call.fail("argument '" + std::string(name) + "' has shape " + shape_string(tensor.sizes()) +
              "; expected " + std::to_string(rank) + " dimensions");
  }
}

// The factors of a product: one dtype, and `inner_a` of a equal to `inner_b` of b.
void expect_factors(const Call& call, const Tensor& a, int inner_a, const Tensor& b, int inner_b) {
  if (a.dtype() != b.dtype()) {
    call.fail("factors have dtypes " + std::string(dtype_name(a.dtype())) + " and " +
              std::string(dtype_name(b.dtype())) + "; expected one dtype");
  }
  if (a.size(inner_a) != b.size(inner_b)) {
    call.fail("shapes " + shape_string(a.sizes()) + " and " + shape_string(b.sizes()) +
              " cannot be multiplied: inner sizes are " + std::to_string(a.size(inner_a)) + " and " +
              std::to_string(b.size(inner_b)));
  }
}

void expect_broadcasts_to(const Call& call, const Tensor& tensor, const Sizes& target) {
  bool fits = tensor.sizes().size() <= target.size();
  for (int i = 1; fits && i <= tensor.rank(); ++i) {
    fits = tensor.size(-i) == 1 || tensor.size(-i) == target[target.size() - static_cast<std::size_t>(i)];
  }
  if (!fits) {
    call.fail("shape " + shape_string(tensor.sizes()) + " does not expand to the product's " +
              shape_string(target));
  }
}

std::vector<TensorSpec> matrix_product(const Call& call, const char* a_name, const char* b_name) {
  expect_rank(call, a_name, 2);
  expect_rank(call, b_name, 2);
  const Tensor& a = call.tensor(a_name);
  const Tensor& b = call.tensor(b_name);
  expect_factors(call, a, 1, b, 0);
  return {{a.dtype(), {a.size(0), b.size(1)}}};
}

std::vector<TensorSpec> batched_product(const Call& call, const char* a_name, const char* b_name) {
  expect_rank(call, a_name, 3);
  expect_rank(call, b_name, 3);
  const Tensor& a = call.tensor(a_name);
  const Tensor& b = call.tensor(b_name);
  expect_factors(call, a, 2, b, 1);
  if (a.size(0) != b.size(0)) {
    call.fail("batches of " + std::to_string(a.size(0)) + " and " + std::to_string(b.size(0)) + " matrices");
  }
  return {{a.dtype(), {a.size(0), a.size(1), b.size(2)}}};
}

}  // namespace

std::vector<TensorSpec> linear(const Call& call) {
  const Tensor& input = call.tensor("input");
  const Tensor& weight = call.tensor("weight");
  if (input.rank() < 1) call.fail("input is a scalar; expected at least 1 dimension");
  if (weight.rank() != 1 && weight.rank() != 2) {
    call.fail("weight has shape " + shape_string(weight.sizes()) + "; expected 1 or 2 dimensions");
  }
  expect_factors(call, input, -1, weight, -1);
  Sizes sizes(input.sizes().begin(), input.sizes().end() - 1);
  if (weight.rank() == 2) sizes.push_back(weight.size(0));
  if (const Tensor* bias = call.optional_tensor("bias")) expect_broadcasts_to(call, *bias, sizes);
  return {{input.dtype(), sizes}};
}

std::vector<TensorSpec> fused_linear(const Call& call) {
  auto specs = linear(call);
  expect_rank(call, "weight", 2);
  expect_bias(call, call.tensor("weight").size(0), specs[0].dtype);
  expect_residual(call, specs[0]);
  return specs;
}

std::vector<TensorSpec> mm(const Call& call) {
  return matrix_product(call, "self", "mat2");
}

std::vector<TensorSpec> addmm(const Call& call) {
  auto specs = matrix_product(call, "mat1", "mat2");
  expect_broadcasts_to(call, call.tensor("self"), specs[0].sizes);
  return specs;
}

std::vector<TensorSpec> bmm(const Call& call) {
  return batched_product(call, "self", "mat2");
}

std::vector<TensorSpec> baddbmm(const Call& call) {
  auto specs = batched_product(call, "batch1", "batch2");
  expect_broadcasts_to(call, call.tensor("self"), specs[0].sizes);
  return specs;
}

std::vector<TensorSpec> dot(const Call& call) {
  expect_rank(call, "self", 1);
  expect_rank(call, "tensor", 1);
  const Tensor& self = call.tensor("self");
  expect_factors(call, self, 0, call.tensor("tensor"), 0);
  return {{self.dtype(), {}}};
}

std::vector<TensorSpec> mv(const Call& call) {
  expect_rank(call, "self", 2);
  expect_rank(call, "vec", 1);
  const Tensor& self = call.tensor("self");
  expect_factors(call, self, 1, call.tensor("vec"), 0);
  return {{self.dtype(), {self.size(0)}}};
}

std::vector<TensorSpec> addmv(const Call& call) {
  expect_rank(call, "mat", 2);
  expect_rank(call, "vec", 1);
  const Tensor& mat = call.tensor("mat");
  expect_factors(call, mat, 1, call.tensor("vec"), 0);
  const Sizes sizes{mat.size(0)};
  expect_broadcasts_to(call, call.tensor("self"), sizes);
  return {{mat.dtype(), sizes}};
}

std::vector<TensorSpec> matmul(const Call& call) {
  const Tensor& a = call.tensor("self");
  const Tensor& b = call.tensor("other");
  if (a.rank() < 1 || b.rank() < 1) call.fail("both factors need at least 1 dimension");
  expect_factors(call, a, -1, b, b.rank() == 1 ? 0 : -2);
  // A vector on the left is a row, on the right a column; its dimension of 1 is dropped from the result.
  const auto batch = [](const Tensor& t) {
    return Sizes(t.sizes().begin(), t.sizes().begin() + std::max(t.rank() - 2, 0));
  };
  Sizes sizes = broadcast_sizes(call, batch(a), batch(b));
  if (a.rank() > 1) sizes.push_back(a.size(-2));
  if (b.rank() > 1) sizes.push_back(b.size(-1));
  return {{a.dtype(), sizes}};
}

}  // namespace plumb::shapes
