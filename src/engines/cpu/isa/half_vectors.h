// One vector of floats from and to as many numbers in a 16-bit floating-point format.
#pragma once

#include "engines/cpu/simd.h"

namespace plumb::cpu::PLUMB_ISA {

using U16 = std::uint16_t __attribute__((vector_size(2 * kWidth)));

PLUMB_INLINE I32 select_bits(I32 mask, I32 if_true, I32 if_false) {
  return (if_true & mask) | (if_false & ~mask);
}

PLUMB_INLINE F32 from_half(U16 half) {
#if defined(PLUMB_ISA_AVX512)
  return _mm512_cvtph_ps(reinterpret_cast<__m256i>(half));
#elif defined(PLUMB_ISA_AVX2)
  return _mm256_cvtph_ps(reinterpret_cast<__m128i>(half));
#else
  const I32 bits = __builtin_convertvector(half, I32);
  const I32 magnitude = (bits & 0x7fff) << 13;
  // The exponents' biases differ by 112; scaling is exact and takes care of half's subnormals.
  const I32 scaled = as_i32(as_f32(magnitude) * set1(0x1p112F));
  const I32 special = (magnitude >= 0x0f800000) & 0x7f800000;
  return as_f32(scaled | special | ((bits & 0x8000) << 16));
#endif
}

PLUMB_INLINE U16 to_half(F32 x) {
#if defined(PLUMB_ISA_AVX512)
  return reinterpret_cast<U16>(_mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
#elif defined(PLUMB_ISA_AVX2)
  return reinterpret_cast<U16>(_mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
#else
  const I32 bits = as_i32(x);
  const I32 magnitude = bits & 0x7fffffff;
  const I32 normal = (magnitude + 0xfff + ((magnitude >> 13) & 1) - 0x38000000) >> 13;
  // Below 2^-14: adding 0.5 makes the adder round at 2^-24, the step of half's subnormals.
  const I32 subnormal = as_i32(as_f32(magnitude) + set1(0.5F)) - 0x3f000000;
  const I32 nan = ((magnitude >> 13) & 0x1ff) | 0x7e00;
  I32 half = select_bits(magnitude < 0x38800000, subnormal, normal);
  half = select_bits(magnitude >= 0x477ff000, I32{} + 0x7c00, half);  // 65520 and up
  half = select_bits(magnitude > 0x7f800000, nan, half);
  return __builtin_convertvector(half | ((bits >> 16) & 0x8000), U16);
#endif
}

PLUMB_INLINE F32 from_bfloat16(U16 x) {
  return as_f32(__builtin_convertvector(x, I32) << 16);
}

PLUMB_INLINE U16 to_bfloat16(F32 x) {
  const I32 bits = as_i32(x);
  const I32 rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  const I32 is_number = (bits & 0x7fffffff) <= 0x7f800000;
  return __builtin_convertvector(select_bits(is_number, rounded, I32{} + 0x7fc0), U16);
}

}  // namespace plumb::cpu::PLUMB_ISA
