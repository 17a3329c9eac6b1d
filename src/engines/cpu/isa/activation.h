// The activations of epilogues over rows of floats in place.
#pragma once

#include "engines/cpu/gemm.h"
#include "engines/cpu/simd.h"

namespace plumb::cpu::PLUMB_ISA {

void activate(const Epilogue& epilogue, float* data, std::int64_t stride, std::int64_t rows,
              std::int64_t columns);

// Bounds that make clamp() the activation, or the identity where an activation is not a clamp.
struct Bounds {
  float low, high;
};
PLUMB_INLINE Bounds no_bounds() {
  return {-__builtin_inff(), __builtin_inff()};
}
PLUMB_INLINE Bounds clamp_bounds(const Epilogue& e) {
  if (e.activation == Activation::kClamp) return {e.min, e.max};
  if (e.activation == Activation::kRelu) return {0.0F, __builtin_inff()};
  return no_bounds();
}
PLUMB_INLINE bool is_clamp(Activation a) {
  return a == Activation::kNone || a == Activation::kRelu || a == Activation::kClamp;
}

}  // namespace plumb::cpu::PLUMB_ISA
