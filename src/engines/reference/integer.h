// Integer division, remainder and power as PyTorch defines them: division by zero is an error, overflow
// wraps.
#pragma once

#include <cstdint>
#include <type_traits>

#include "engines/engine.h"
#include "engines/reference/elementwise.h"

namespace plumb::reference {

// Towards zero. Dividing the smallest integer by -1 wraps instead of trapping.
template <typename C>
C integer_divide(const Call& call, C a, C b) {
  if (b == 0) call.fail("integer division by zero");
  if constexpr (std::is_signed_v<C>) {
    if (b == -1) return wrapping_negate(a);
  }
  return a / b;
}

template <typename C>
C integer_remainder(const Call& call, C a, C b) {
  if (b == 0) call.fail("integer division by zero");
  if constexpr (std::is_signed_v<C>) {
    if (b == -1) return 0;
  }
  return a % b;
}

template <typename C>
C integer_floor_divide(const Call& call, C a, C b) {
  const C quotient = integer_divide(call, a, b);
  const bool inexact = integer_remainder(call, a, b) != 0;
  return inexact && (a < C{0}) != (b < C{0}) ? quotient - 1 : quotient;
}

// A negative power of an integer is its truncated reciprocal power: 0 but for bases 1 and -1.
template <typename C>
C integer_power(C base, C exponent) {
  if (exponent < C{0}) {
    if (base == C{1}) return C{1};
    if (wrapping_negate(base) == C{1}) return exponent % 2 == 0 ? C{1} : base;
    return C{0};
  }
  C result{1};
  while (exponent != C{0}) {
    if (exponent % 2 != 0) result = wrapping_multiply(result, base);
    base = wrapping_multiply(base, base);
    exponent /= 2;
  }
  return result;
}

}  // namespace plumb::reference
