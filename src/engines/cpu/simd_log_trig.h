// Logarithm, exp(x) - 1, sine and cosine on simd.h's vectors, each within a few units in the last place. The
// exponential and the functions that activations are built of are in simd_math.h.
#pragma once

#include "engines/cpu/simd.h"
#include "engines/cpu/simd_math.h"

namespace plumb::cpu::PLUMB_ISA {

// Without the cancellation near 0 that exp(x) - 1 has.
PLUMB_INLINE F32 expm1(F32 x) {
  // Below the first bound the result rounds to -1, above the second it is infinity.
  const F32 bounded = clamp(x, set1(-17.5F), set1(89.0F));
  const F32 n = round(bounded * set1(1.44269504F));
  F32 r = fma(n, set1(-0.693359375F), bounded);
  r = fma(n, set1(2.12194440e-4F), r);
  F32 q = set1(1.395171974e-03F);
  q = fma(q, r, set1(8.369598538e-03F));
  q = fma(q, r, set1(4.166618735e-02F));
  q = fma(q, r, set1(1.666651219e-01F));
  q = fma(q, r, set1(5.000000000e-01F));
  const F32 y = fma(r * r, q, r);
  // 2^n (y + 1) - 1, y alone keeping the small values; half of it, since 2^n itself may be out of range.
  const F32 scale = pow2(to_i32(select(is_nan(n), zero(), n)) - 1);
  return set1(2.0F) * fma(y, scale, scale - set1(0.5F));
}

// 0 gives -infinity, negative numbers NaN.
PLUMB_INLINE F32 log(F32 x) {
  const Mask subnormal = less(x, set1(1.17549435e-38F));
  const F32 normal = select(subnormal, x * set1(8388608.0F), x);
  const I32 bits = as_i32(normal) & 0x7fffffff;  // without the sign: negative numbers give NaN in the end
  // m in [sqrt(1/2), sqrt(2)): the exponent is taken relative to sqrt(1/2).
  const I32 exponent = (bits - 0x3f3504f3) >> 23;
  const F32 f = as_f32(bits - (exponent << 23)) - set1(1.0F);
  const F32 e = to_f32(exponent) - select(subnormal, set1(23.0F), zero());
  F32 p = set1(6.927873939e-02F);
  p = fma(p, f, set1(-1.180836558e-01F));
  p = fma(p, f, set1(1.187722161e-01F));
  p = fma(p, f, set1(-1.238166988e-01F));
  p = fma(p, f, set1(1.421780288e-01F));
  p = fma(p, f, set1(-1.666936874e-01F));
  p = fma(p, f, set1(2.000226825e-01F));
  p = fma(p, f, set1(-2.499998510e-01F));
  p = fma(p, f, set1(3.333331048e-01F));
  const F32 square = f * f;
  F32 tail = fma(square * f, p, e * set1(-2.12194440e-4F));
  tail = fma(square, set1(-0.5F), tail);
  F32 result = fma(e, set1(0.693359375F), f + tail);
  const F32 infinity = set1(__builtin_inff());
  result = select(equal(x, infinity), infinity, result);
  result = select(equal(x, zero()), negate(infinity), result);
  return select(less_equal(zero(), x), result, set1(__builtin_nanf("")));
}

// log(1 + x), small x keeping their precision.
PLUMB_INLINE F32 log1p(F32 x) {
  const F32 u = set1(1.0F) + x;
  // What rounding took from u comes back to first order.
  const F32 lost = x - (u - set1(1.0F));
  const F32 result = log(u);
  const Mask regular = mask_and(less(zero(), u), less(u, set1(__builtin_inff())));
  return select(regular, result + lost / u, result);
}

// Lanes that the vector path cannot reduce accurately, one by one.
static __attribute__((noinline)) F32 sin_or_cos_lanes(F32 x, F32 result, bool cosine) {
  float in[kWidth];
  float out[kWidth];
  store(in, x);
  store(out, result);
  for (int i = 0; i < kWidth; ++i) {
    if (in[i] >= -8192.0F && in[i] <= 8192.0F) continue;
    out[i] = static_cast<float>(cosine ? __builtin_cos(static_cast<double>(in[i]))
                                       : __builtin_sin(static_cast<double>(in[i])));
  }
  return load(out);
}

PLUMB_INLINE F32 sin_or_cos(F32 x, bool cosine) {
  // x = n π/2 + r. π/2 in parts of 8, 11, 11 and 24 bits: n times each of the first three is exact for |n| <
  // 2^13.
  const Mask reducible = less_equal(abs(x), set1(8192.0F));
  const F32 n = round(select(reducible, x, zero()) * set1(0.636619772F));
  F32 r = fma(n, set1(-1.5703125F), x);
  r = fma(n, set1(-4.837512969970703e-4F), r);
  r = fma(n, set1(-7.549533620476723e-8F), r);
  r = fma(n, set1(-2.5633440682570896e-12F), r);
  const F32 u = r * r;
  F32 s = set1(2.717568350e-06F);
  s = fma(s, u, set1(-1.983925758e-04F));
  s = fma(s, u, set1(8.333329111e-03F));
  s = fma(s, u, set1(-1.666666716e-01F));
  s = fma(r * u, s, r);
  F32 c = set1(2.443130506e-05F);
  c = fma(c, u, set1(-1.388730714e-03F));
  c = fma(c, u, set1(4.166664556e-02F));
  c = fma(u * u, c, fma(u, set1(-0.5F), set1(1.0F)));
  const I32 quadrant = to_i32(n) + (cosine ? 1 : 0);
  const I32 odd = (quadrant & 1) << 31;
  // An odd quadrant swaps the roles; the sign bit of the odd bit's complement selects the sine.
  const F32 value = select(less(to_f32(odd), zero()), c, s);
  const F32 signed_value = as_f32(as_i32(value) ^ ((quadrant & 2) << 30));
  return all(reducible) ? signed_value : sin_or_cos_lanes(x, signed_value, cosine);
}

// The sign of a zero survives.
PLUMB_INLINE F32 sin(F32 x) {
  return select(equal(x, zero()), x, sin_or_cos(x, false));
}
PLUMB_INLINE F32 cos(F32 x) {
  return sin_or_cos(x, true);
}

}  // namespace plumb::cpu::PLUMB_ISA
