// Scalar conversions between float and the 16-bit floating-point formats, rounding to nearest even.
#pragma once

#include <bit>
#include <cstdint>

namespace plumb::cpu {

struct Half {
  std::uint16_t bits;
};
struct BFloat16 {
  std::uint16_t bits;
};

inline float to_float(BFloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

inline BFloat16 to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return {0x7fc0};
  return {static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
}

// Written with selections instead of branches, so that loops over them are vectorised.
inline float to_float(Half value) {
  const std::uint32_t magnitude = static_cast<std::uint32_t>(value.bits & 0x7fffu) << 13;
  // The exponents' biases differ by 112; scaling is exact and takes care of half's subnormals.
  const auto scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
  const std::uint32_t special = magnitude >= 0x0f800000u ? 0x7f800000u : 0u;
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000u) << 16;
  return std::bit_cast<float>(sign | scaled | special);
}

inline Half to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const std::uint32_t normal = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - 0x38000000u) >> 13;
  // Below 2^-14: adding 0.5 makes the float adder round at 2^-24, the step of half's subnormals.
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  const std::uint32_t nan = 0x7e00u | ((magnitude >> 13) & 0x1ffu);
  std::uint32_t half = magnitude < 0x38800000u ? subnormal : normal;
  half = magnitude >= 0x477ff000u ? 0x7c00u : half;  // 65520 and up
  half = magnitude > 0x7f800000u ? nan : half;
  return {static_cast<std::uint16_t>(half | ((bits >> 16) & 0x8000u))};
}

}  // namespace plumb::cpu
