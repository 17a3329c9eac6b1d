// The activations of fused operators. All let NaN through.
#include "engines/reference/epilogue.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "engines/reference/visit.h"

namespace plumb::reference {
namespace {

double clamp(double x, double low, double high) {
  const double raised = x < low ? low : x;
  return raised > high ? high : raised;
}
double relu(double x, double, double) {
  return x < 0 ? 0.0 : x;
}
double sigmoid(double x, double, double) {
  return 1.0 / (1.0 + std::exp(-x));
}
double silu(double x, double, double) {
  return x / (1.0 + std::exp(-x));
}
double hardswish(double x, double, double) {
  return x * clamp(x + 3.0, 0.0, 6.0) / 6.0;
}
double tanh(double x, double, double) {
  return std::tanh(x);
}
double gelu(double x, double, double) {
  return 0.5 * x * std::erfc(-x / std::numbers::sqrt2);
}
double gelu_tanh(double x, double, double) {
  const double inner = std::numbers::sqrt2 * std::numbers::inv_sqrtpi * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1.0 + std::tanh(inner));
}

}  // namespace

Epilogue::Function Epilogue::find(const Call& call, const std::string& activation) {
  if (activation == "none") return nullptr;
  if (activation == "relu") return relu;
  if (activation == "clamp") return clamp;
  if (activation == "sigmoid") return sigmoid;
  if (activation == "silu") return silu;
  if (activation == "hardswish") return hardswish;
  if (activation == "tanh") return tanh;
  if (activation == "gelu") return gelu;
  if (activation == "gelu_tanh") return gelu_tanh;
  call.fail("unknown activation '" + activation + "'");
}

Epilogue::Epilogue(const Call& call)
    : residual_(call.optional_tensor("residual")),
      function_(find(call, call.text("activation", "none"))),
      min_(call.number("min", -std::numeric_limits<double>::infinity())),
      max_(call.number("max", std::numeric_limits<double>::infinity())) {}

Verdict accepts_epilogue(const Call& call) {
  return expect_floating(call, "input");
}

}  // namespace plumb::reference
