// A thin layer over the vector instructions: the one header through which isa/ sources see the machine.
// Everything is in a namespace of its own per instruction set and has internal linkage, so that no copy made
// for a newer processor can be linked into the code for an older one. Exponential and friends are in
// simd_math.h.
//
//   F32   vector of kWidth floats; + - * / and unary - work on it, each rounding once
//   I32   vector of kWidth 32-bit integers; + - & | ^ ~ << >> work on it
//   Mask  one truth value a lane
//   Half  vector of kHalfWidth floats, for tails; the same as F32 where a narrower vector would save nothing
//
//   kRegisters        vector registers of the machine
//   kHasMaskedStores  whether store_first costs no more than store
//
// Each instruction set defines:
//   load store           unaligned
//   load_first(p, n)     lanes [0, n) from memory, zero elsewhere; touches no other memory; 0 <= n <= kWidth
//   store_first(p, v, n) lanes [0, n) to memory
//   store_bools_first(p, m, n)  lanes [0, n) of a mask as bytes 0 and 1
//   set1 zero
//   fma(a, b, c)         a * b + c, rounded once, except in `portable`, which rounds twice
//   min(a, b) max(a, b)  a < b ? a : b and a > b ? a : b; so a NaN or an equal value takes b: max(bound, x)
//   keeps
//                        the NaN of x
//   sqrt round floor ceil abs (round: to nearest even)
//   less less_equal equal (ordered: false on NaN), is_nan, select(mask, if_true, if_false), mask_and mask_or
//   mask_not any all              whether some lane, every lane of a mask is true to_i32(x) nearest integer;
//   to_f32(i); as_i32(x), as_f32(i) reinterpret reduce_add reduce_max reduce_min   over the lanes, in a fixed
//   order; max and min with the NaN rule above
#pragma once

#include <cstdint>

#define PLUMB_INLINE static inline __attribute__((always_inline))

#if defined(PLUMB_ISA_AVX512)
#include "engines/cpu/simd_avx512.h"
#elif defined(PLUMB_ISA_AVX2)
#include "engines/cpu/simd_avx2.h"
#elif defined(PLUMB_ISA_PORTABLE)
#include "engines/cpu/simd_portable.h"
#else
#error "simd.h is for sources that are compiled once per instruction set"
#endif

namespace plumb::cpu::PLUMB_ISA {

// For a vector that is usually whole: `lanes` of kWidth takes the plain instructions.
PLUMB_INLINE F32 load_lanes(const float* p, int lanes) {
  return lanes == kWidth ? load(p) : load_first(p, lanes);
}
PLUMB_INLINE void store_lanes(float* p, F32 v, int lanes) {
  if (lanes == kWidth) {
    store(p, v);
  } else {
    store_first(p, v, lanes);
  }
}

// Like PyTorch's maximum: NaN if a or b is.
PLUMB_INLINE F32 max_nan(F32 a, F32 b) {
  return select(is_nan(a), a, max(a, b));
}
PLUMB_INLINE F32 min_nan(F32 a, F32 b) {
  return select(is_nan(a), a, min(a, b));
}

// PyTorch's clamp for bounds that are numbers: a NaN of x stays.
PLUMB_INLINE F32 clamp(F32 x, F32 low, F32 high) {
  return min(high, max(low, x));
}

PLUMB_INLINE F32 negate(F32 x) {
  return as_f32(as_i32(x) ^ as_i32(set1(-0.0F)));
}
// The magnitude of `x` with the sign bit of `sign`.
PLUMB_INLINE F32 copy_sign(F32 x, F32 sign) {
  const I32 bit = as_i32(set1(-0.0F));
  return as_f32((as_i32(x) & ~bit) | (as_i32(sign) & bit));
}

}  // namespace plumb::cpu::PLUMB_ISA
