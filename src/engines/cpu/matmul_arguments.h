// The matrix-product operators (linear, addmm, mm, bmm, baddbmm, matmul) as one thing: batches of A·B plus an
// epilogue.
#pragma once

#include <cstdint>
#include <string_view>

#include "engines/cpu/gemm.h"
#include "engines/engine.h"

namespace plumb::cpu {

// Where an operator keeps its operands.
struct MatmulNames {
  std::string_view a, b;
  std::string_view addend;    // what addmm and baddbmm add; empty: none
  bool b_transposed = false;  // [n, k], as in linear
};
MatmulNames matmul_names(const Call& call);

struct Matmul {
  MatmulNames names;
  const Tensor* a;
  const Tensor* b;
  std::int64_t m, k, n;     // of one product
  std::int64_t a_row, a_k;  // strides of A within a product
  std::int64_t b_k, b_n;    // strides of B within a product

  UnpackedB unpacked_b(std::int64_t offset = 0) const {
    return {.b = b->data<float>() + offset, .k_stride = b_k, .n_stride = b_n};
  }
};

// Only for calls that accept_matmul() took.
Matmul matmul_of(const Call& call);

// f32 operands of rank 2 or more (A of linear: 1 or more), and an addend that is a row of n or of the
// output's shape.
Verdict accept_matmul(const Call& call);

// Epilogue of row 0 of the first product; a residual has the output's shape and is contiguous.
Epilogue matmul_epilogue(const Call& call, const Matmul& product);

// Elements from the first product's operand to that of product `index`, batch dimensions broadcasting to
// `output`'s.
std::int64_t batch_offset(const Tensor& operand, const Tensor& output, std::int64_t index);

}  // namespace plumb::cpu
