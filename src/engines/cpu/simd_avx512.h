// simd.h for AVX-512 F, BW, DQ and VL.
#pragma once

#include <immintrin.h>

namespace plumb::cpu::PLUMB_ISA {

using F32 = __m512;
using Half = __m256;
using Mask = __mmask16;
using I32 = std::int32_t __attribute__((vector_size(64)));

inline constexpr int kWidth = 16;
inline constexpr int kHalfWidth = 8;
inline constexpr bool kHasMaskedStores = true;
inline constexpr int kRegisters = 32;

PLUMB_INLINE Mask first_lanes(int n) {
  return static_cast<Mask>((1U << n) - 1U);
}

PLUMB_INLINE F32 load(const float* p) {
  return _mm512_loadu_ps(p);
}
PLUMB_INLINE void store(float* p, F32 v) {
  _mm512_storeu_ps(p, v);
}
PLUMB_INLINE F32 load_first(const float* p, int n) {
  return _mm512_maskz_loadu_ps(first_lanes(n), p);
}
PLUMB_INLINE void store_first(float* p, F32 v, int n) {
  _mm512_mask_storeu_ps(p, first_lanes(n), v);
}
PLUMB_INLINE F32 set1(float x) {
  return _mm512_set1_ps(x);
}
PLUMB_INLINE F32 zero() {
  return _mm512_setzero_ps();
}

PLUMB_INLINE F32 fma(F32 a, F32 b, F32 c) {
  return _mm512_fmadd_ps(a, b, c);
}
PLUMB_INLINE F32 min(F32 a, F32 b) {
  return _mm512_min_ps(a, b);
}
PLUMB_INLINE F32 max(F32 a, F32 b) {
  return _mm512_max_ps(a, b);
}
PLUMB_INLINE F32 sqrt(F32 x) {
  return _mm512_sqrt_ps(x);
}
PLUMB_INLINE F32 round(F32 x) {
  return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
PLUMB_INLINE F32 floor(F32 x) {
  return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
PLUMB_INLINE F32 ceil(F32 x) {
  return _mm512_roundscale_ps(x, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}
PLUMB_INLINE F32 abs(F32 x) {
  return _mm512_abs_ps(x);
}

PLUMB_INLINE Mask less(F32 a, F32 b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
PLUMB_INLINE Mask less_equal(F32 a, F32 b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}
PLUMB_INLINE Mask equal(F32 a, F32 b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}
PLUMB_INLINE Mask is_nan(F32 x) {
  return _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
}
PLUMB_INLINE F32 select(Mask m, F32 if_true, F32 if_false) {
  return _mm512_mask_blend_ps(m, if_false, if_true);
}
PLUMB_INLINE Mask mask_and(Mask a, Mask b) {
  return static_cast<Mask>(a & b);
}
PLUMB_INLINE Mask mask_or(Mask a, Mask b) {
  return static_cast<Mask>(a | b);
}
PLUMB_INLINE Mask mask_not(Mask a) {
  return static_cast<Mask>(~a);
}
PLUMB_INLINE bool any(Mask m) {
  return m != 0;
}
PLUMB_INLINE bool all(Mask m) {
  return m == 0xFFFF;
}
PLUMB_INLINE void store_bools_first(std::uint8_t* p, Mask m, int n) {
  _mm_mask_storeu_epi8(p, first_lanes(n), _mm_maskz_set1_epi8(m, 1));
}

PLUMB_INLINE I32 to_i32(F32 x) {
  return reinterpret_cast<I32>(_mm512_cvtps_epi32(x));
}
PLUMB_INLINE F32 to_f32(I32 x) {
  return _mm512_cvtepi32_ps(reinterpret_cast<__m512i>(x));
}
PLUMB_INLINE I32 as_i32(F32 x) {
  return reinterpret_cast<I32>(x);
}
PLUMB_INLINE F32 as_f32(I32 x) {
  return reinterpret_cast<F32>(x);
}

PLUMB_INLINE float reduce_add(F32 x) {
  return _mm512_reduce_add_ps(x);
}
PLUMB_INLINE float reduce_max(F32 x) {
  return _mm512_reduce_max_ps(x);
}
PLUMB_INLINE float reduce_min(F32 x) {
  return _mm512_reduce_min_ps(x);
}

PLUMB_INLINE Half lower_half(F32 x) {
  return _mm512_castps512_ps256(x);
}
PLUMB_INLINE Half load_half(const float* p) {
  return _mm256_loadu_ps(p);
}
PLUMB_INLINE void store_half(float* p, Half v) {
  _mm256_storeu_ps(p, v);
}
PLUMB_INLINE Half fma(Half a, Half b, Half c) {
  return _mm256_fmadd_ps(a, b, c);
}
// The upper lanes are unspecified.
PLUMB_INLINE F32 widen(Half x) {
  return _mm512_castps256_ps512(x);
}

}  // namespace plumb::cpu::PLUMB_ISA
