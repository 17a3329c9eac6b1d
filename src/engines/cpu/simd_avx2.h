// simd.h for AVX2 with FMA.
#pragma once

#include <immintrin.h>

namespace plumb::cpu::PLUMB_ISA {

using F32 = __m256;
using Half = F32;
using Mask = __m256;  // all bits of a lane set: true
using I32 = std::int32_t __attribute__((vector_size(32)));

inline constexpr int kWidth = 8;
inline constexpr int kHalfWidth = 8;
inline constexpr bool kHasMaskedStores = false;
inline constexpr int kRegisters = 16;

alignas(64) static constexpr std::int32_t kLaneMasks[16] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                                            0,  0,  0,  0,  0,  0,  0,  0};
PLUMB_INLINE __m256i first_lanes(int n) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kLaneMasks + kWidth - n));
}

PLUMB_INLINE F32 load(const float* p) {
  return _mm256_loadu_ps(p);
}
PLUMB_INLINE void store(float* p, F32 v) {
  _mm256_storeu_ps(p, v);
}
PLUMB_INLINE F32 load_first(const float* p, int n) {
  return _mm256_maskload_ps(p, first_lanes(n));
}
PLUMB_INLINE void store_first(float* p, F32 v, int n) {
  _mm256_maskstore_ps(p, first_lanes(n), v);
}
PLUMB_INLINE F32 set1(float x) {
  return _mm256_set1_ps(x);
}
PLUMB_INLINE F32 zero() {
  return _mm256_setzero_ps();
}

PLUMB_INLINE F32 fma(F32 a, F32 b, F32 c) {
  return _mm256_fmadd_ps(a, b, c);
}
PLUMB_INLINE F32 min(F32 a, F32 b) {
  return _mm256_min_ps(a, b);
}
PLUMB_INLINE F32 max(F32 a, F32 b) {
  return _mm256_max_ps(a, b);
}
PLUMB_INLINE F32 sqrt(F32 x) {
  return _mm256_sqrt_ps(x);
}
PLUMB_INLINE F32 round(F32 x) {
  return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
PLUMB_INLINE F32 floor(F32 x) {
  return _mm256_round_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
PLUMB_INLINE F32 ceil(F32 x) {
  return _mm256_round_ps(x, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}
PLUMB_INLINE F32 abs(F32 x) {
  return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), x);
}

PLUMB_INLINE Mask less(F32 a, F32 b) {
  return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
PLUMB_INLINE Mask less_equal(F32 a, F32 b) {
  return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
}
PLUMB_INLINE Mask equal(F32 a, F32 b) {
  return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}
PLUMB_INLINE Mask is_nan(F32 x) {
  return _mm256_cmp_ps(x, x, _CMP_UNORD_Q);
}
PLUMB_INLINE F32 select(Mask m, F32 if_true, F32 if_false) {
  return _mm256_blendv_ps(if_false, if_true, m);
}
PLUMB_INLINE Mask mask_and(Mask a, Mask b) {
  return _mm256_and_ps(a, b);
}
PLUMB_INLINE Mask mask_or(Mask a, Mask b) {
  return _mm256_or_ps(a, b);
}
PLUMB_INLINE Mask mask_not(Mask a) {
  return _mm256_xor_ps(a, _mm256_castsi256_ps(_mm256_set1_epi32(-1)));
}
PLUMB_INLINE bool any(Mask m) {
  return _mm256_movemask_ps(m) != 0;
}
PLUMB_INLINE bool all(Mask m) {
  return _mm256_movemask_ps(m) == 0xFF;
}
PLUMB_INLINE void store_bools_first(std::uint8_t* p, Mask m, int n) {
  const int bits = _mm256_movemask_ps(m);
  for (int i = 0; i < n; ++i) p[i] = static_cast<std::uint8_t>((bits >> i) & 1);
}

PLUMB_INLINE I32 to_i32(F32 x) {
  return reinterpret_cast<I32>(_mm256_cvtps_epi32(x));
}
PLUMB_INLINE F32 to_f32(I32 x) {
  return _mm256_cvtepi32_ps(reinterpret_cast<__m256i>(x));
}
PLUMB_INLINE I32 as_i32(F32 x) {
  return reinterpret_cast<I32>(x);
}
PLUMB_INLINE F32 as_f32(I32 x) {
  return reinterpret_cast<F32>(x);
}

PLUMB_INLINE float reduce_add(F32 x) {
  __m128 v = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  v = _mm_add_ps(v, _mm_movehl_ps(v, v));
  return _mm_cvtss_f32(_mm_add_ss(v, _mm_movehdup_ps(v)));
}
PLUMB_INLINE float reduce_max(F32 x) {
  __m128 v = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  v = _mm_max_ps(v, _mm_movehl_ps(v, v));
  return _mm_cvtss_f32(_mm_max_ss(v, _mm_movehdup_ps(v)));
}
PLUMB_INLINE float reduce_min(F32 x) {
  __m128 v = _mm_min_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  v = _mm_min_ps(v, _mm_movehl_ps(v, v));
  return _mm_cvtss_f32(_mm_min_ss(v, _mm_movehdup_ps(v)));
}

PLUMB_INLINE Half lower_half(F32 x) {
  return x;
}
PLUMB_INLINE Half load_half(const float* p) {
  return load(p);
}
PLUMB_INLINE void store_half(float* p, Half v) {
  store(p, v);
}
PLUMB_INLINE F32 widen(Half x) {
  return x;
}

}  // namespace plumb::cpu::PLUMB_ISA
