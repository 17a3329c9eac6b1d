// simd.h in the compiler's generic vectors of four floats: any processor, same results everywhere, since
// multiplications and additions round separately.
#pragma once

namespace plumb::cpu::PLUMB_ISA {

using F32 = float __attribute__((vector_size(16)));
using Half = F32;
using I32 = std::int32_t __attribute__((vector_size(16)));
using Mask = I32;  // -1: true

inline constexpr int kWidth = 4;
inline constexpr int kHalfWidth = 4;
inline constexpr bool kHasMaskedStores = false;
inline constexpr int kRegisters = 16;

PLUMB_INLINE F32 load(const float* p) {
  F32 v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
PLUMB_INLINE void store(float* p, F32 v) {
  __builtin_memcpy(p, &v, sizeof v);
}
PLUMB_INLINE F32 set1(float x) {
  return F32{x, x, x, x};
}
PLUMB_INLINE F32 zero() {
  return F32{0, 0, 0, 0};
}
PLUMB_INLINE F32 load_first(const float* p, int n) {
  F32 v = zero();
  for (int i = 0; i < n; ++i) v[i] = p[i];
  return v;
}
PLUMB_INLINE void store_first(float* p, F32 v, int n) {
  for (int i = 0; i < n; ++i) p[i] = v[i];
}

PLUMB_INLINE Mask less(F32 a, F32 b) {
  return a < b;
}
PLUMB_INLINE Mask less_equal(F32 a, F32 b) {
  return a <= b;
}
PLUMB_INLINE Mask equal(F32 a, F32 b) {
  return a == b;
}
PLUMB_INLINE Mask is_nan(F32 x) {
  return x != x;
}
PLUMB_INLINE I32 as_i32(F32 x) {
  return reinterpret_cast<I32>(x);
}
PLUMB_INLINE F32 as_f32(I32 x) {
  return reinterpret_cast<F32>(x);
}
PLUMB_INLINE F32 select(Mask m, F32 if_true, F32 if_false) {
  return as_f32((as_i32(if_true) & m) | (as_i32(if_false) & ~m));
}
PLUMB_INLINE Mask mask_and(Mask a, Mask b) {
  return a & b;
}
PLUMB_INLINE Mask mask_or(Mask a, Mask b) {
  return a | b;
}
PLUMB_INLINE Mask mask_not(Mask a) {
  return ~a;
}
PLUMB_INLINE bool any(Mask m) {
  return (m[0] | m[1] | m[2] | m[3]) != 0;
}
PLUMB_INLINE bool all(Mask m) {
  return (m[0] & m[1] & m[2] & m[3]) != 0;
}
PLUMB_INLINE void store_bools_first(std::uint8_t* p, Mask m, int n) {
  for (int i = 0; i < n; ++i) p[i] = static_cast<std::uint8_t>(m[i] & 1);
}

PLUMB_INLINE F32 fma(F32 a, F32 b, F32 c) {
  return a * b + c;
}
PLUMB_INLINE F32 min(F32 a, F32 b) {
  return select(a < b, a, b);
}
PLUMB_INLINE F32 max(F32 a, F32 b) {
  return select(a > b, a, b);
}
PLUMB_INLINE F32 abs(F32 x) {
  return as_f32(as_i32(x) & 0x7FFFFFFF);
}
PLUMB_INLINE F32 sqrt(F32 x) {
  return F32{__builtin_sqrtf(x[0]), __builtin_sqrtf(x[1]), __builtin_sqrtf(x[2]), __builtin_sqrtf(x[3])};
}
PLUMB_INLINE F32 round(F32 x) {
  return F32{__builtin_nearbyintf(x[0]), __builtin_nearbyintf(x[1]), __builtin_nearbyintf(x[2]),
             __builtin_nearbyintf(x[3])};
}
PLUMB_INLINE F32 floor(F32 x) {
  return F32{__builtin_floorf(x[0]), __builtin_floorf(x[1]), __builtin_floorf(x[2]), __builtin_floorf(x[3])};
}
PLUMB_INLINE F32 ceil(F32 x) {
  return F32{__builtin_ceilf(x[0]), __builtin_ceilf(x[1]), __builtin_ceilf(x[2]), __builtin_ceilf(x[3])};
}

PLUMB_INLINE I32 to_i32(F32 x) {
  return __builtin_convertvector(round(x), I32);
}
PLUMB_INLINE F32 to_f32(I32 x) {
  return __builtin_convertvector(x, F32);
}

PLUMB_INLINE float reduce_add(F32 x) {
  return (x[0] + x[2]) + (x[1] + x[3]);
}
PLUMB_INLINE float reduce_max(F32 x) {
  const float a = x[0] > x[2] ? x[0] : x[2];
  const float b = x[1] > x[3] ? x[1] : x[3];
  return a > b ? a : b;
}
PLUMB_INLINE float reduce_min(F32 x) {
  const float a = x[0] < x[2] ? x[0] : x[2];
  const float b = x[1] < x[3] ? x[1] : x[3];
  return a < b ? a : b;
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
