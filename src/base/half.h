// float16 and bfloat16 as bits, and their conversions: widening is exact, narrowing rounds to nearest even.
// Everything here has internal linkage, so files compiled for different instruction sets can include it.
#pragma once

#include <bit>
#include <cstdint>

namespace plumb {

struct Half {
  std::uint16_t bits;
};

struct BFloat16 {
  std::uint16_t bits;
};

static inline float to_float(BFloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

static inline float to_float(Half value) {
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000u) << 16;
  const std::uint32_t exponent = (value.bits >> 10) & 0x1fu;
  const std::uint32_t mantissa = value.bits & 0x3ffu;
  if (exponent == 0) {  // zero or subnormal: mantissa * 2^-24, which float holds exactly
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  const std::uint32_t wide = exponent == 31 ? 255u : exponent + 112u;
  return std::bit_cast<float>(sign | (wide << 23) | (mantissa << 13));
}

static inline BFloat16 bfloat16_from_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return {static_cast<std::uint16_t>((bits >> 16) | 0x0040u)};
  const std::uint32_t to_even = 0x7fffu + ((bits >> 16) & 1u);
  return {static_cast<std::uint16_t>((bits + to_even) >> 16)};
}

static inline Half half_from_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  std::uint32_t half;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  } else if (magnitude >= 0x47800000u) {  // 2^16 and more
    half = 0x7c00u;
  } else if (magnitude <
             0x38800000u) {  // below 2^-14: 0.5 has the spacing of half's subnormals, so adding it rounds
    const float aligned = std::bit_cast<float>(magnitude) + 0.5f;
    half = std::bit_cast<std::uint32_t>(aligned) - std::bit_cast<std::uint32_t>(0.5f);
  } else {
    half = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  }
  return {static_cast<std::uint16_t>(sign | half)};
}

// Narrows a double so that rounding the result again, to half or bfloat16, gives what one rounding would: an
// inexact value goes to the neighbour whose last bit is set.
static inline float float_rounded_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  const double back = static_cast<double>(nearest);
  if (back == value || value != value) return nearest;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest);
  if ((bits & 1u) == 0) {
    const bool outwards = value < 0 ? value < back : value > back;
    bits = outwards ? bits + 1 : bits - 1;
  }
  return std::bit_cast<float>(bits);
}

static inline Half half_from_double(double value) {
  return half_from_float(float_rounded_to_odd(value));
}
static inline BFloat16 bfloat16_from_double(double value) {
  return bfloat16_from_float(float_rounded_to_odd(value));
}

}  // namespace plumb
