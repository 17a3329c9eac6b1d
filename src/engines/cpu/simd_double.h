// The lanes of a vector of floats in double precision, for sums that must not lose digits and for powers.
#pragma once

#include "engines/cpu/simd.h"

namespace plumb::cpu::PLUMB_ISA {

using F64 = double __attribute__((vector_size(4 * kWidth)));  // kWidth / 2 lanes

struct F64Pair {
  F64 low, high;
};

PLUMB_INLINE F64Pair to_f64(F32 x) {
  using HalfLanes = float __attribute__((vector_size(2 * kWidth)));
  HalfLanes halves[2];
  __builtin_memcpy(halves, &x, sizeof x);
  return {__builtin_convertvector(halves[0], F64), __builtin_convertvector(halves[1], F64)};
}

// Rounds to nearest.
PLUMB_INLINE F32 to_f32(F64Pair x) {
  using HalfLanes = float __attribute__((vector_size(2 * kWidth)));
  const HalfLanes halves[2] = {__builtin_convertvector(x.low, HalfLanes),
                               __builtin_convertvector(x.high, HalfLanes)};
  F32 result;
  __builtin_memcpy(&result, halves, sizeof result);
  return result;
}

PLUMB_INLINE F64Pair operator+(F64Pair a, F64Pair b) {
  return {a.low + b.low, a.high + b.high};
}

PLUMB_INLINE double reduce_add(F64Pair x) {
  const F64 sums = x.low + x.high;
  double total = sums[0];
  for (int i = 1; i < kWidth / 2; ++i) total += sums[i];
  return total;
}

}  // namespace plumb::cpu::PLUMB_ISA
