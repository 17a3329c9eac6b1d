// Exponential, error function, tanh and the activations built of them, on simd.h's vectors. Polynomials are
// minimax fits; errors are a few units in the last place. NaN gives NaN.
#pragma once

#include "engines/cpu/simd.h"

namespace plumb::cpu::PLUMB_ISA {

// 2^n for integral n in [-126, 127].
PLUMB_INLINE F32 pow2(I32 n) {
  return as_f32((n + 127) << 23);
}

// Subnormal results are right, overflow gives infinity.
PLUMB_INLINE F32 exp(F32 x) {
  // Beyond these bounds the result is 0 or infinity anyway; they keep n in range.
  x = clamp(x, set1(-104.0F), set1(89.0F));
  const F32 n = round(x * set1(1.44269504F));
  F32 r = fma(n, set1(-0.693359375F), x);
  r = fma(n, set1(2.12194440e-4F), r);
  F32 p = set1(0.00138146F);
  p = fma(p, r, set1(0.008368716F));
  p = fma(p, r, set1(0.04166839F));
  p = fma(p, r, set1(0.16666521F));
  p = fma(p, r, set1(0.49999994F));
  p = fma(p, r * r, r) + set1(1.0F);
  // Two factors, since 2^n itself may be out of range.
  const I32 whole = to_i32(select(is_nan(n), zero(), n));
  const I32 part = whole >> 1;
  return p * pow2(part) * pow2(whole - part);
}

// erf(z) / z for |z| <= 1, given z * z.
PLUMB_INLINE F32 erf_over_z(F32 z2) {
  F32 p = set1(7.853892e-05F);
  p = fma(p, z2, set1(-8.010204e-04F));
  p = fma(p, z2, set1(5.188329e-03F));
  p = fma(p, z2, set1(-2.6853813e-02F));
  p = fma(p, z2, set1(1.1283585e-01F));
  p = fma(p, z2, set1(-3.7612626e-01F));
  return fma(p, z2, set1(1.1283791F));
}

// erfc(z) for z >= 0.9, relative precision kept in the tail.
PLUMB_INLINE F32 erfc_tail(F32 z) {
  const F32 t = set1(1.0F) / fma(z, set1(0.4F), set1(1.0F));
  F32 q = set1(-0.11656021F);
  q = fma(q, t, set1(0.24440886F));
  q = fma(q, t, set1(0.007391238F));
  q = fma(q, t, set1(0.21353899F));
  q = fma(q, t, set1(0.19863322F));
  q = fma(q, t, set1(0.22671609F));
  q = fma(q, t, set1(0.22562553F));
  return exp(negate(z * z)) * (q * t);
}

PLUMB_INLINE F32 erf(F32 x) {
  const F32 z = abs(x);
  const F32 near = x * erf_over_z(z * z);
  const F32 far = copy_sign(set1(1.0F) - erfc_tail(z), x);
  return select(less(z, set1(1.0F)), near, far);
}

PLUMB_INLINE F32 sigmoid(F32 x) {
  return set1(1.0F) / (set1(1.0F) + exp(negate(x)));
}

PLUMB_INLINE F32 tanh(F32 x) {
  const F32 z = abs(x);
  const F32 z2 = z * z;
  F32 p = set1(-0.005704985F);
  p = fma(p, z2, set1(0.020639088F));
  p = fma(p, z2, set1(-0.053739715F));
  p = fma(p, z2, set1(0.13331442F));
  p = fma(p, z2, set1(-0.3333328F));
  const F32 near = fma(x * z2, p, x);
  const F32 far = copy_sign(set1(1.0F) - set1(2.0F) / (exp(z + z) + set1(1.0F)), x);
  return select(less(z, set1(0.625F)), near, far);
}

PLUMB_INLINE F32 silu(F32 x) {
  return x / (set1(1.0F) + exp(negate(x)));
}

// x * Phi(x) by the error function; the small values of negative x keep their relative precision.
PLUMB_INLINE F32 gelu(F32 x) {
  const F32 z = abs(x) * set1(0.70710678F);
  const F32 half = set1(0.5F);
  const F32 near = fma(half * copy_sign(z, x), erf_over_z(z * z), half);
  const F32 tail = half * erfc_tail(z);
  const F32 far = select(less(x, zero()), tail, set1(1.0F) - tail);
  return x * select(less(z, set1(1.0F)), near, far);
}

PLUMB_INLINE F32 gelu_tanh(F32 x) {
  const F32 inner = set1(0.7978845608F) * fma(set1(0.044715F) * x * x, x, x);
  return set1(0.5F) * x * (set1(1.0F) + tanh(inner));
}

PLUMB_INLINE F32 hardswish(F32 x) {
  return x * clamp(x + set1(3.0F), zero(), set1(6.0F)) * set1(1.0F / 6.0F);
}

}  // namespace plumb::cpu::PLUMB_ISA
