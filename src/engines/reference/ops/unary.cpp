// Elementwise functions of one tensor. Activations are in activation.cpp.
#include <cmath>

#include "engines/reference/elementwise.h"
#include "engines/reference/kernels.h"

namespace plumb::reference {
namespace {

// Functions that keep the dtype, or answer in bool.
template <auto op>
void run_any(const Call& call) {
  const Tensor& self = call.tensor("self");
  map<1>(call.output(), self.dtype(), {operand(self)}, op);
}

// Functions of real numbers: integers are converted to the output's floating point dtype first.
template <auto op>
void run_real(const Call& call) {
  map_as<double, 1>(call.output(), call.output().dtype(), {operand(call.tensor("self"))}, op);
}

// Functions that are the identity on integers.
template <auto op>
void run_rounding(const Call& call) {
  const Tensor& self = call.tensor("self");
  map<1>(call.output(), self.dtype(), {operand(self)}, []<typename C>(C x) {
    if constexpr (std::is_integral_v<C>) {
      return x;
    } else {
      return op(x);
    }
  });
}

void run_bitwise_not(const Call& call) {
  const Tensor& self = call.tensor("self");
  if (self.dtype() == DType::kBool) {
    map<1>(call.output(), self.dtype(), {operand(self)}, [](auto x) { return x == 0; });
  } else {
    map<1>(call.output(), self.dtype(), {operand(self)},
           []<typename C>(C x) { return static_cast<C>(~static_cast<std::uint64_t>(x)); });
  }
}

// Halves go to the even neighbour: std::nearbyint's default.
void run_round_decimals(const Call& call) {
  const std::int64_t decimals = call.integer("decimals");
  const double scale = std::pow(10.0, static_cast<double>(decimals < 0 ? -decimals : decimals));
  const Tensor& self = call.tensor("self");
  map_as<double, 1>(call.output(), self.dtype(), {operand(self)}, [&](double x) {
    return decimals < 0 ? std::nearbyint(x / scale) * scale : std::nearbyint(x * scale) / scale;
  });
}

}  // namespace

const KernelImpl abs{
    .run = run_any<[]<typename C>(C x) { return x < C{0}    ? wrapping_negate(x)
                                                : x == C{0} ? C{0}
                                                            : x; }>};
const KernelImpl neg{.run = run_any<[](auto x) { return wrapping_negate(x); }>};
const KernelImpl sign{.run =
                          run_any<[]<typename C>(C x) { return static_cast<C>((x > C{0}) - (x < C{0})); }>};
const KernelImpl bitwise_not{.run = run_bitwise_not};
const KernelImpl logical_not{.run = run_any<[](auto x) { return x == 0; }>};
const KernelImpl isnan{.run = run_any<[](auto x) { return is_nan(x); }>};
const KernelImpl isinf{.run = run_any<[](auto x) { return std::isinf(static_cast<double>(x)); }>};
const KernelImpl isfinite{.run = run_any<[](auto x) { return std::isfinite(static_cast<double>(x)); }>};

const KernelImpl ceil{.run = run_rounding<[](double x) { return std::ceil(x); }>};
const KernelImpl floor{.run = run_rounding<[](double x) { return std::floor(x); }>};
const KernelImpl trunc{.run = run_rounding<[](double x) { return std::trunc(x); }>};
const KernelImpl frac{.run = run_real<[](double x) { return x - std::trunc(x); }>};
const KernelImpl round{.run = run_rounding<[](double x) { return std::nearbyint(x); }>};
const KernelImpl round_decimals{.run = run_round_decimals};

const KernelImpl exp{.run = run_real<[](double x) { return std::exp(x); }>};
const KernelImpl exp2{.run = run_real<[](double x) { return std::exp2(x); }>};
const KernelImpl expm1{.run = run_real<[](double x) { return std::expm1(x); }>};
const KernelImpl log{.run = run_real<[](double x) { return std::log(x); }>};
const KernelImpl log2{.run = run_real<[](double x) { return std::log2(x); }>};
const KernelImpl log10{.run = run_real<[](double x) { return std::log10(x); }>};
const KernelImpl log1p{.run = run_real<[](double x) { return std::log1p(x); }>};
const KernelImpl sqrt{.run = run_real<[](double x) { return std::sqrt(x); }>};
const KernelImpl rsqrt{.run = run_real<[](double x) { return 1.0 / std::sqrt(x); }>};
const KernelImpl reciprocal{.run = run_real<[](double x) { return 1.0 / x; }>};

const KernelImpl sin{.run = run_real<[](double x) { return std::sin(x); }>};
const KernelImpl cos{.run = run_real<[](double x) { return std::cos(x); }>};
const KernelImpl tan{.run = run_real<[](double x) { return std::tan(x); }>};
const KernelImpl asin{.run = run_real<[](double x) { return std::asin(x); }>};
const KernelImpl acos{.run = run_real<[](double x) { return std::acos(x); }>};
const KernelImpl atan{.run = run_real<[](double x) { return std::atan(x); }>};
const KernelImpl sinh{.run = run_real<[](double x) { return std::sinh(x); }>};
const KernelImpl cosh{.run = run_real<[](double x) { return std::cosh(x); }>};
const KernelImpl tanh{.run = run_real<[](double x) { return std::tanh(x); }>};
const KernelImpl asinh{.run = run_real<[](double x) { return std::asinh(x); }>};
const KernelImpl acosh{.run = run_real<[](double x) { return std::acosh(x); }>};
const KernelImpl atanh{.run = run_real<[](double x) { return std::atanh(x); }>};
const KernelImpl erf{.run = run_real<[](double x) { return std::erf(x); }>};
const KernelImpl erfc{.run = run_real<[](double x) { return std::erfc(x); }>};

}  // namespace plumb::reference
