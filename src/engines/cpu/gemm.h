// Matrix product C = activation(A·B + bias + residual) on packed B, f32: types and the per-instruction-set
// entry points. Single-threaded; gemm_parallel.h spreads one product over a thread pool. Types only, see
// isa_kernels.h.
#pragma once

#include <cstdint>

namespace plumb::cpu {

enum class Activation : std::uint8_t {
  kNone,
  kRelu,
  kClamp,
  kSilu,
  kGelu,
  kGeluTanh,
  kSigmoid,
  kHardswish,
  kTanh,
};

// Applied to each finished element in this order: + bias, + residual, activation. NaN survives every
// activation.
struct Epilogue {
  const float* bias = nullptr;      // one value a column; null: none
  const float* residual = nullptr;  // element (m, n) at residual[m * residual_stride + n]; null: none
  std::int64_t residual_stride = 0;
  Activation activation = Activation::kNone;
  float min = 0;  // bounds of kClamp
  float max = 0;
};

// A is read in place. Either its row m starts at a + m * a_stride (a_rows is null, taps is 1), or it is a
// list of `taps` pieces, piece t starting at a_rows[t * a_rows_stride + m]: a convolution without a copy, one
// tap a kernel position, padding pointing at zeros. Each piece holds k contiguous floats; B has taps * k
// rows.
struct GemmArgs {
  const float* a = nullptr;
  std::int64_t a_stride = 0;
  const float* const* a_rows = nullptr;
  std::int64_t a_rows_stride = 0;
  std::int64_t taps = 1;
  std::int64_t k = 0;

  const float* b = nullptr;  // packed by GemmKernels::pack
  std::int64_t n = 0;        // columns of B and C

  float* c = nullptr;  // element (m, n) at c[m * c_stride + n]; may be the residual itself
  std::int64_t c_stride = 0;
  Epilogue epilogue;
};

// Where element (k, n) of an unpacked B lies: b[k * k_stride + n * n_stride]. A transposed B (PyTorch's
// weights, the K of attention) is one with k_stride 1. With several taps, row tap * k + i of B has its
// element at b[tap * tap_stride + i * k_stride + n * n_stride].
struct UnpackedB {
  const float* b = nullptr;
  std::int64_t k_stride = 0;
  std::int64_t n_stride = 0;
  std::int64_t taps = 1;
  std::int64_t tap_stride = 0;
};

// A product with few rows, for which packing B would cost more than it saves. A's rows are contiguous; B has
// k_stride 1 or n_stride 1, and one tap.
struct SmallGemmArgs {
  const float* a = nullptr;
  std::int64_t a_stride = 0;
  UnpackedB b;
  std::int64_t rows = 0;
  std::int64_t k = 0;
  float* c = nullptr;
  std::int64_t c_stride = 0;
  Epilogue epilogue;
};

struct GemmKernels {
  // B is packed in panels of this many columns; column ranges below start at multiples of it.
  std::int64_t panel_columns;

  // Floats that pack() writes for a B of k rows (all taps together) and n columns. k and n may be 0.
  std::int64_t (*packed_size)(std::int64_t k, std::int64_t n);

  // Packs columns [n_begin, n_end) of a B with k rows a tap to their place in `packed` (packed_size floats,
  // best 64-byte aligned). n_begin is a multiple of panel_columns, n_end too or the number of columns.
  void (*pack)(const UnpackedB& b, std::int64_t k, std::int64_t n_begin, std::int64_t n_end, float* packed);

  // Computes rows [m_begin, m_end) × columns [n_begin, n_end) of C; column limits as in pack(). The sum of an
  // element always runs over k in order, starting from the bias: its bits do not depend on how the work was
  // cut.
  void (*run)(const GemmArgs& args, std::int64_t m_begin, std::int64_t m_end, std::int64_t n_begin,
              std::int64_t n_end);

  // Computes all rows of columns [n_begin, n_end) of C; n_begin is a multiple of panel_columns.
  void (*run_small)(const SmallGemmArgs& args, std::int64_t n_begin, std::int64_t n_end);

  // Applies an activation in place to `rows` rows of `columns` floats. `epilogue.bias` and `.residual` are
  // ignored.
  void (*activate)(const Epilogue& epilogue, float* data, std::int64_t stride, std::int64_t rows,
                   std::int64_t columns);
};

}  // namespace plumb::cpu
