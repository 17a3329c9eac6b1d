// How a comparison sees one element of each dtype: as a double, as an exact distance, and in the order of
// floats.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace plumb {

struct Float16 {
  std::uint16_t bits;
};
struct BFloat16 {
  std::uint16_t bits;
};

inline double as_double(BFloat16 value) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16));
}

inline double as_double(Float16 value) {
  const int exponent = value.bits >> 10 & 0x1f;
  const int fraction = value.bits & 0x3ff;
  const double sign = (value.bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0x1f) {
    return sign * (fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                                 : std::numeric_limits<double>::infinity());
  }
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(0x400 | fraction, exponent - 25);
}

template <typename T>
double as_double(T value) {
  return static_cast<double>(value);
}

template <typename T>
constexpr bool kIsFloat =
    std::is_floating_point_v<T> || std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>;

// |a - b|; integers are subtracted exactly before they become a double.
template <typename T>
double distance(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a == b ? 0.0 : 1.0;
  } else if constexpr (std::is_integral_v<T>) {
    const auto ua = static_cast<std::uint64_t>(a);
    const auto ub = static_cast<std::uint64_t>(b);
    return static_cast<double>(a > b ? ua - ub : ub - ua);
  } else {
    return std::fabs(as_double(a) - as_double(b));
  }
}

// Floats numbered in their order: neighbours differ by one, both zeros are 0.
template <typename T>
std::int64_t ordinal(T value) {
  using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  const auto bits = std::bit_cast<Bits>(value);
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  const auto magnitude = static_cast<std::int64_t>(bits & static_cast<Bits>(~kSign));
  return (bits & kSign) != 0 ? -magnitude : magnitude;
}

// How many floats lie between two finite ones, plus one when they differ.
template <typename T>
std::uint64_t ulp_distance(T a, T b) {
  const std::int64_t i = ordinal(a);
  const std::int64_t j = ordinal(b);
  return i > j ? static_cast<std::uint64_t>(i) - static_cast<std::uint64_t>(j)
               : static_cast<std::uint64_t>(j) - static_cast<std::uint64_t>(i);
}

}  // namespace plumb
