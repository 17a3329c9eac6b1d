// Elementwise arithmetic of two or three operands. Comparisons and logic are in comparison.cpp; selection
// (where, clamp, masked_fill) is in selection.cpp.
#include <cmath>
#include <string>

#include "engines/reference/elementwise.h"
#include "engines/reference/integer.h"
#include "engines/reference/kernels.h"

namespace plumb::reference {
namespace {

// The operands "self" and "other", tensors or numbers, in their common dtype.
template <auto op>
void run_binary(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "other"});
  map<2>(call.output(), common, {operand(call, "self"), operand(call, "other")}, op);
}

Operand alpha_of(const Call& call) {
  return call.has("alpha") ? operand(call, "alpha") : Operand{.number = std::int64_t{1}};
}

void run_add(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "other"});
  map<3>(call.output(), common, {operand(call, "self"), operand(call, "other"), alpha_of(call)},
         [](auto a, auto b, auto alpha) { return wrapping_add(a, wrapping_multiply(alpha, b)); });
}

void run_sub(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "other"});
  map<3>(call.output(), common, {operand(call, "self"), operand(call, "other"), alpha_of(call)},
         [](auto a, auto b, auto alpha) { return wrapping_subtract(a, wrapping_multiply(alpha, b)); });
}

void run_rsub(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "other"});
  map<3>(call.output(), common, {operand(call, "self"), operand(call, "other"), alpha_of(call)},
         [](auto a, auto b, auto alpha) { return wrapping_subtract(b, wrapping_multiply(alpha, a)); });
}

void run_square(const Call& call) {
  map<1>(call.output(), call.output().dtype(), {operand(call.tensor("self"))},
         [](auto x) { return wrapping_multiply(x, x); });
}

// True division: integers become floating point before they are divided.
void run_true_divide(const Call& call) {
  const DType common = to_floating_point(promoted_dtype(call, {"self", "other"}));
  map_as<double, 2>(call.output(), common, {operand(call, "self"), operand(call, "other")},
                    [](double a, double b) { return a / b; });
}

// PyTorch rounds the quotient to the dtype it computes in before it truncates.
void run_truncating_divide(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "other"});
  const bool wide = common == DType::kFloat64;
  map<2>(call.output(), common, {operand(call, "self"), operand(call, "other")}, [&]<typename C>(C a, C b) {
    if constexpr (std::is_integral_v<C>) {
      return integer_divide(call, a, b);
    } else {
      return std::trunc(wide ? a / b : static_cast<double>(static_cast<float>(a / b)));
    }
  });
}

// The floor of the exact quotient, which the remainder tells where a / b is rounded.
double floor_divide_real(double a, double b) {
  if (b == 0) return a / b;
  const double remainder = std::fmod(a, b);
  double quotient = (a - remainder) / b;
  if (remainder != 0 && (b < 0) != (remainder < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double floor = std::floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

void run_floor_divide(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "other"});
  map<2>(call.output(), common, {operand(call, "self"), operand(call, "other")}, [&]<typename C>(C a, C b) {
    if constexpr (std::is_integral_v<C>) {
      return integer_floor_divide(call, a, b);
    } else {
      return floor_divide_real(a, b);
    }
  });
}

void run_divide_with_mode(const Call& call) {
  if (!call.has("rounding_mode")) return run_true_divide(call);
  const std::string mode = call.text("rounding_mode");
  if (mode == "trunc") return run_truncating_divide(call);
  if (mode == "floor") return run_floor_divide(call);
  call.fail("rounding_mode is '" + mode + "'; expected None, 'trunc' or 'floor'");
}

// The remainder has the sign of the divisor.
void run_remainder(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "other"});
  map<2>(call.output(), common, {operand(call, "self"), operand(call, "other")}, [&]<typename C>(C a, C b) {
    C rest{};
    if constexpr (std::is_integral_v<C>) {
      rest = integer_remainder(call, a, b);
    } else {
      rest = std::fmod(a, b);
    }
    return rest != C{0} && (b < C{0}) != (rest < C{0}) ? rest + b : rest;
  });
}

// The remainder has the sign of the dividend.
void run_fmod(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "other"});
  map<2>(call.output(), common, {operand(call, "self"), operand(call, "other")}, [&]<typename C>(C a, C b) {
    if constexpr (std::is_integral_v<C>) {
      return integer_remainder(call, a, b);
    } else {
      return std::fmod(a, b);
    }
  });
}

void run_pow(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "exponent"});
  const CallArgument* exponent = call.find("exponent");
  const auto* number = exponent == nullptr ? nullptr : std::get_if<std::int64_t>(exponent);
  if (!is_floating_point(common) && number != nullptr && *number < 0) {
    call.fail("exponent is " + std::to_string(*number) + "; integers have no negative integer powers");
  }
  map<2>(call.output(), common, {operand(call, "self"), operand(call, "exponent")},
         []<typename C>(C base, C exponent) {
           if constexpr (std::is_integral_v<C>) {
             return integer_power(base, exponent);
           } else {
             return std::pow(base, exponent);
           }
         });
}

void run_atan2(const Call& call) {
  const DType common = to_floating_point(promoted_dtype(call, {"self", "other"}));
  map_as<double, 2>(call.output(), common, {operand(call, "self"), operand(call, "other")},
                    [](double y, double x) { return std::atan2(y, x); });
}

Operand value_of(const Call& call) {
  return call.has("value") ? operand(call, "value") : Operand{.number = std::int64_t{1}};
}

void run_addcmul(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "tensor1", "tensor2"});
  map<4>(call.output(), common,
         {operand(call, "self"), operand(call, "tensor1"), operand(call, "tensor2"), value_of(call)},
         [](auto self, auto a, auto b, auto value) {
           return wrapping_add(self, wrapping_multiply(wrapping_multiply(value, a), b));
         });
}

void run_addcdiv(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "tensor1", "tensor2"});
  map_as<double, 4>(
      call.output(), common,
      {operand(call, "self"), operand(call, "tensor1"), operand(call, "tensor2"), value_of(call)},
      [](double self, double a, double b, double value) { return self + value * a / b; });
}

// From the nearer end, so that weights 0 and 1 give the ends exactly.
void run_lerp(const Call& call) {
  map_as<double, 3>(call.output(), call.output().dtype(),
                    {operand(call, "self"), operand(call, "end"), operand(call, "weight")},
                    [](double start, double end, double weight) {
                      const double span = end - start;
                      return std::abs(weight) < 0.5 ? start + weight * span : end - span * (1.0 - weight);
                    });
}

}  // namespace

const KernelImpl add{.run = run_add};
const KernelImpl sub{.run = run_sub};
const KernelImpl rsub{.run = run_rsub};
const KernelImpl mul{.run = run_binary<[](auto a, auto b) { return wrapping_multiply(a, b); }>};
const KernelImpl square{.run = run_square};
const KernelImpl div{.run = run_true_divide};
const KernelImpl div_mode{.run = run_divide_with_mode};
const KernelImpl floor_divide{.run = run_floor_divide};
const KernelImpl remainder{.run = run_remainder};
const KernelImpl fmod{.run = run_fmod};
const KernelImpl pow{.run = run_pow};
const KernelImpl atan2{.run = run_atan2};
const KernelImpl addcmul{.run = run_addcmul};
const KernelImpl addcdiv{.run = run_addcdiv};
const KernelImpl lerp{.run = run_lerp};

}  // namespace plumb::reference
