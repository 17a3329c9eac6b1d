// The functors behind elementwise_ops.inc, one vector at a time. Each is made from the tile's parameters.
#pragma once

#include "engines/cpu/simd.h"
#include "engines/cpu/simd_log_trig.h"
#include "engines/cpu/simd_math.h"
#include "engines/cpu/simd_pow.h"

namespace plumb::cpu::PLUMB_ISA {

// A functor without parameters whose value is an expression of its arguments.
#define PLUMB_UNARY_FUNCTOR(name, expression)                              \
  struct name {                                                            \
    explicit name(const float*) {}                                         \
    PLUMB_INLINE_MEMBER F32 operator()(F32 x) const { return expression; } \
  };
#define PLUMB_BINARY_FUNCTOR(name, type, expression)                               \
  struct name {                                                                    \
    explicit name(const float*) {}                                                 \
    PLUMB_INLINE_MEMBER type operator()(F32 a, F32 b) const { return expression; } \
  };
#define PLUMB_INLINE_MEMBER inline __attribute__((always_inline))

// Functors and their member functions belong to an unnamed namespace: each source has its own.
namespace {

PLUMB_INLINE F32 truncated(F32 x) {
  return copy_sign(floor(abs(x)), x);
}
PLUMB_INLINE F32 reciprocal(F32 x) {
  return set1(1.0F) / x;
}

PLUMB_UNARY_FUNCTOR(Copy, x)
PLUMB_UNARY_FUNCTOR(Neg, negate(x))
PLUMB_UNARY_FUNCTOR(Abs, abs(x))
PLUMB_UNARY_FUNCTOR(Relu, max(zero(), x))
PLUMB_UNARY_FUNCTOR(Hardswish, x* clamp(x + set1(3.0F), zero(), set1(6.0F)) / set1(6.0F))
PLUMB_UNARY_FUNCTOR(Hardsigmoid, clamp(x + set1(3.0F), zero(), set1(6.0F)) / set1(6.0F))
PLUMB_UNARY_FUNCTOR(Square, x* x)
PLUMB_UNARY_FUNCTOR(Cube, x* x* x)
PLUMB_UNARY_FUNCTOR(Sqrt, sqrt(x))
PLUMB_UNARY_FUNCTOR(Rsqrt, reciprocal(sqrt(x)))
PLUMB_UNARY_FUNCTOR(Reciprocal, reciprocal(x))
PLUMB_UNARY_FUNCTOR(ReciprocalSquare, reciprocal(x* x))
PLUMB_UNARY_FUNCTOR(Floor, floor(x))
PLUMB_UNARY_FUNCTOR(Ceil, ceil(x))
PLUMB_UNARY_FUNCTOR(Trunc, truncated(x))
PLUMB_UNARY_FUNCTOR(Round, round(x))
PLUMB_UNARY_FUNCTOR(Exp, exp(x))
PLUMB_UNARY_FUNCTOR(Expm1, expm1(x))
PLUMB_UNARY_FUNCTOR(Log, log(x))
PLUMB_UNARY_FUNCTOR(Log1p, log1p(x))
PLUMB_UNARY_FUNCTOR(Erf, erf(x))
PLUMB_UNARY_FUNCTOR(Tanh, tanh(x))
PLUMB_UNARY_FUNCTOR(Sin, sin(x))
PLUMB_UNARY_FUNCTOR(Cos, cos(x))
PLUMB_UNARY_FUNCTOR(Sigmoid, sigmoid(x))
PLUMB_UNARY_FUNCTOR(Silu, silu(x))
PLUMB_UNARY_FUNCTOR(GeluErf, gelu(x))
PLUMB_UNARY_FUNCTOR(GeluTanh, gelu_tanh(x))

PLUMB_BINARY_FUNCTOR(Add, F32, a + b)
PLUMB_BINARY_FUNCTOR(Sub, F32, a - b)
PLUMB_BINARY_FUNCTOR(Mul, F32, a* b)
PLUMB_BINARY_FUNCTOR(Div, F32, a / b)
PLUMB_BINARY_FUNCTOR(Maximum, F32, max_nan(a, b))
PLUMB_BINARY_FUNCTOR(Minimum, F32, min_nan(a, b))
PLUMB_BINARY_FUNCTOR(Equal, Mask, equal(a, b))
PLUMB_BINARY_FUNCTOR(NotEqual, Mask, mask_not(equal(a, b)))
PLUMB_BINARY_FUNCTOR(Less, Mask, less(a, b))
PLUMB_BINARY_FUNCTOR(LessEqual, Mask, less_equal(a, b))
PLUMB_BINARY_FUNCTOR(Greater, Mask, less(b, a))
PLUMB_BINARY_FUNCTOR(GreaterEqual, Mask, less_equal(b, a))

struct Clamp {
  F32 low, high;
  explicit Clamp(const float* params) : low(set1(params[0])), high(set1(params[1])) {}
  PLUMB_INLINE_MEMBER F32 operator()(F32 x) const { return clamp(x, low, high); }
};

struct LeakyRelu {
  F32 slope;
  explicit LeakyRelu(const float* params) : slope(set1(params[0])) {}
  PLUMB_INLINE_MEMBER F32 operator()(F32 x) const { return select(less(zero(), x), x, x * slope); }
};

struct Elu {
  F32 negative, positive, input;
  explicit Elu(const float* params)
      : negative(set1(params[0])), positive(set1(params[1])), input(set1(params[2])) {}
  PLUMB_INLINE_MEMBER F32 operator()(F32 x) const {
    return select(less_equal(x, zero()), negative * expm1(x * input), x * positive);
  }
};

// x to a finite power other than 0, with C's rules for zeros, infinities and negative numbers.
struct Power {
  float power;
  bool is_integer, is_odd;
  explicit Power(const float* params)
      : power(params[0]), is_integer(params[1] != 0.0F), is_odd(params[2] != 0.0F) {}
  PLUMB_INLINE_MEMBER F32 operator()(F32 x) const {
    const F32 infinity = set1(__builtin_inff());
    const F32 z = abs(x);
    // A zero's logarithm would only lead to slow subnormal arithmetic.
    F32 result = pow_positive(select(less(zero(), z), z, set1(1.0F)), power);
    result = select(equal(z, zero()), power > 0 ? zero() : infinity, result);
    result = select(equal(z, infinity), power > 0 ? infinity : zero(), result);
    if (is_odd) {
      result = copy_sign(result, x);
    } else if (!is_integer) {
      result = select(mask_and(less(x, zero()), less(z, infinity)), set1(__builtin_nanf("")), result);
    }
    return select(is_nan(x), x, result);
  }
};

// log(1 + exp(beta x)) / beta, and x itself where beta x is above the threshold.
struct Softplus {
  F32 beta, threshold;
  explicit Softplus(const float* params) : beta(set1(params[0])), threshold(set1(params[1])) {}
  PLUMB_INLINE_MEMBER F32 operator()(F32 x) const {
    const F32 z = x * beta;
    return select(less(threshold, z), x, log1p(exp(z)) / beta);
  }
};

// a + factor * b
struct AddScaled {
  F32 factor;
  explicit AddScaled(const float* params) : factor(set1(params[0])) {}
  PLUMB_INLINE_MEMBER F32 operator()(F32 a, F32 b) const { return fma(factor, b, a); }
};

struct ScaleShift {
  explicit ScaleShift(const float*) {}
  PLUMB_INLINE_MEMBER F32 operator()(F32 x, F32 scale, F32 shift) const { return fma(x, scale, shift); }
};

// a + factor * b * c
struct AddProduct {
  F32 factor;
  explicit AddProduct(const float* params) : factor(set1(params[0])) {}
  PLUMB_INLINE_MEMBER F32 operator()(F32 a, F32 b, F32 c) const { return fma(factor * b, c, a); }
};

// a + factor * b / c
struct AddQuotient {
  F32 factor;
  explicit AddQuotient(const float* params) : factor(set1(params[0])) {}
  PLUMB_INLINE_MEMBER F32 operator()(F32 a, F32 b, F32 c) const { return a + factor * b / c; }
};

}  // namespace

#undef PLUMB_UNARY_FUNCTOR
#undef PLUMB_BINARY_FUNCTOR

}  // namespace plumb::cpu::PLUMB_ISA
