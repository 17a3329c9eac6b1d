// The table through which host code reaches the vectorised elementwise functions of one instruction set.
// Types only, see isa_kernels.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace plumb::cpu {

enum class ElementOp : std::size_t {
#define PLUMB_ELEMENTWISE(name, shape) k##name,
#include "engines/cpu/elementwise_ops.inc"
#undef PLUMB_ELEMENTWISE
  kCount
};

// rows x cols elements; float inputs that are contiguous along the columns, or one value for the whole row.
struct ElementTile {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  void* out = nullptr;       // float, or bool bytes for comparisons; contiguous along the columns
  std::int64_t out_row = 0;  // elements from one row to the next
  const float* in[3] = {};
  std::int64_t in_row[3] = {};
  bool broadcast[3] = {};
  const float* params = nullptr;  // what the operator's functor reads: bounds, slopes, factors
};

using ElementKernel = void (*)(const ElementTile&);
struct ElementwiseTable {
  ElementKernel kernels[static_cast<std::size_t>(ElementOp::kCount)];
};

}  // namespace plumb::cpu
