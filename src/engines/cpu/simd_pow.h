// |x| to a power on simd.h's vectors, as 2^(e log2 x) in double precision, which leaves one rounding to
// float.
#pragma once

#include "engines/cpu/simd.h"
#include "engines/cpu/simd_double.h"
#include "engines/cpu/simd_math.h"

namespace plumb::cpu::PLUMB_ISA {

// m in [sqrt(1/2), sqrt(2)): the series of 2 artanh((m - 1) / (m + 1)).
PLUMB_INLINE F64 log2_of_mantissa(F64 m) {
  const F64 s = (m - 1.0) / (m + 1.0);
  const F64 z = s * s;
  F64 p = z * (1.0 / 11) + 1.0 / 9;
  p = p * z + 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z + 1.0 / 3;
  p = p * z + 1.0;
  return s * p * 2.8853900817779268;  // 2 / ln 2
}

// |r| <= 1/2
PLUMB_INLINE F64 exp2_of_fraction(F64 r) {
  const F64 t = r * 0.69314718055994531;
  F64 p = t * (1.0 / 40320) + 1.0 / 5040;
  p = p * t + 1.0 / 720;
  p = p * t + 1.0 / 120;
  p = p * t + 1.0 / 24;
  p = p * t + 1.0 / 6;
  p = p * t + 0.5;
  p = p * t + 1.0;
  return p * t + 1.0;
}

struct F64Power {
  F64 whole, fraction;  // the value is fraction * 2^whole
};
PLUMB_INLINE F64Power power_of(F64 exponent_of_x, F64 mantissa, double power) {
  F64 y = (exponent_of_x + log2_of_mantissa(mantissa)) * power;
  // Beyond these bounds a float is 0 or infinity.
  const F64 low = F64{} - 152.0;
  const F64 high = F64{} + 129.0;
  y = y < low ? low : y;
  y = y > high ? high : y;
  const F64 whole = (y + 0x1.8p52) - 0x1.8p52;  // to the nearest integer
  return {whole, exp2_of_fraction(y - whole)};
}

// For x > 0 and finite, subnormal numbers included; any value for others. `power` is finite.
PLUMB_INLINE F32 pow_positive(F32 x, float power) {
  const Mask subnormal = less(x, set1(1.17549435e-38F));
  const I32 bits = as_i32(select(subnormal, x * set1(8388608.0F), x)) & 0x7fffffff;
  const I32 exponent = (bits - 0x3f3504f3) >> 23;
  const F64Pair mantissa = to_f64(as_f32(bits - (exponent << 23)));
  const F64Pair e = to_f64(to_f32(exponent) - select(subnormal, set1(23.0F), zero()));
  const auto wide = static_cast<double>(power);
  const F64Power low = power_of(e.low, mantissa.low, wide);
  const F64Power high = power_of(e.high, mantissa.high, wide);
  const I32 whole = to_i32(to_f32(F64Pair{low.whole, high.whole}));
  const I32 part = whole >> 1;
  return to_f32(F64Pair{low.fraction, high.fraction}) * pow2(part) * pow2(whole - part);
}

}  // namespace plumb::cpu::PLUMB_ISA
