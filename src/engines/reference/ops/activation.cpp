// Activation functions: elementwise functions of one tensor, some with parameters. All keep the dtype and let
// NaN through, except sigmoid, which turns integers into real numbers.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "engines/reference/elementwise.h"
#include "engines/reference/kernels.h"

namespace plumb::reference {
namespace {

double sigmoid_of(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

// min(max(x + 3, 0), 6) / 6
double hard_sigmoid_of(double x) {
  return std::min(std::max(x + 3.0, 0.0), 6.0) / 6.0;
}

template <typename Op>
void activate(const Call& call, const Op& op) {
  map_as<double, 1>(call.output(), call.output().dtype(), {operand(call.tensor("self"))}, op);
}

template <auto op>
void run_activation(const Call& call) {
  activate(call, op);
}

// Comparisons are written so that NaN, for which all are false, stays; a bound that is NaN makes NaN.
template <typename C>
C clamped(C x, C low, C high) {
  const C raised = x < low || is_nan(low) ? low : x;
  return raised > high || is_nan(high) ? high : raised;
}

void run_relu(const Call& call) {
  const Tensor& self = call.tensor("self");
  map<1>(call.output(), self.dtype(), {operand(self)}, []<typename C>(C x) { return x < C{0} ? C{0} : x; });
}

void run_relu6(const Call& call) {
  const Tensor& self = call.tensor("self");
  map<1>(call.output(), self.dtype(), {operand(self)},
         []<typename C>(C x) { return clamped(x, C{0}, C{6}); });
}

void run_hardtanh(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Operand low{.number = call.number("min_val", -1.0)};
  const Operand high{.number = call.number("max_val", 1.0)};
  map<3>(call.output(), self.dtype(), {operand(self), low, high},
         [](auto x, auto minimum, auto maximum) { return clamped(x, minimum, maximum); });
}

void run_gelu(const Call& call) {
  const std::string approximate = call.text("approximate", "none");
  if (approximate == "none") {
    activate(call, [](double x) { return 0.5 * x * (1.0 + std::erf(x / std::numbers::sqrt2)); });
  } else if (approximate == "tanh") {
    const double scale = std::sqrt(2.0 / std::numbers::pi);
    activate(call, [&](double x) { return 0.5 * x * (1.0 + std::tanh(scale * (x + 0.044715 * x * x * x))); });
  } else {
    call.fail("approximate is '" + approximate + "'; expected 'none' or 'tanh'");
  }
}

void run_leaky_relu(const Call& call) {
  const double slope = call.number("negative_slope", 0.01);
  activate(call, [&](double x) { return x > 0 ? x : x * slope; });
}

void run_elu(const Call& call) {
  const double scale = call.number("scale", 1.0);
  const double negative_scale = call.number("alpha", 1.0) * scale;
  const double input_scale = call.number("input_scale", 1.0);
  activate(call, [&](double x) { return x < 0 ? std::expm1(x * input_scale) * negative_scale : x * scale; });
}

void run_softplus(const Call& call) {
  const double beta = call.number("beta", 1.0);
  const double threshold = call.number("threshold", 20.0);
  activate(call, [&](double x) { return x * beta > threshold ? x : std::log1p(std::exp(x * beta)) / beta; });
}

void run_threshold(const Call& call) {
  const double threshold = call.number("threshold");
  const double value = call.number("value");
  activate(call, [&](double x) { return x <= threshold ? value : x; });
}

void run_prelu(const Call& call) {
  const DType dtype = call.output().dtype();
  map_as<double, 2>(call.output(), dtype, {operand(call.tensor("self")), operand(call.tensor("weight"))},
                    [](double x, double weight) { return x > 0 ? x : x * weight; });
}

}  // namespace

const KernelImpl relu{.run = run_relu};
const KernelImpl relu6{.run = run_relu6};
const KernelImpl hardtanh{.run = run_hardtanh};
const KernelImpl gelu{.run = run_gelu};
const KernelImpl leaky_relu{.run = run_leaky_relu};
const KernelImpl elu{.run = run_elu};
const KernelImpl softplus{.run = run_softplus};
const KernelImpl threshold{.run = run_threshold};
const KernelImpl prelu{.run = run_prelu};
const KernelImpl sigmoid{.run = run_activation<sigmoid_of>};
const KernelImpl hardsigmoid{.run = run_activation<hard_sigmoid_of>};
const KernelImpl silu{.run = run_activation<[](double x) { return x * sigmoid_of(x); }>};
const KernelImpl hardswish{.run = run_activation<[](double x) { return x * hard_sigmoid_of(x); }>};
const KernelImpl mish{.run = run_activation<[](double x) { return x * std::tanh(std::log1p(std::exp(x))); }>};
const KernelImpl log_sigmoid{
    .run = run_activation<[](double x) { return std::min(x, 0.0) - std::log1p(std::exp(-std::abs(x))); }>};

}  // namespace plumb::reference
