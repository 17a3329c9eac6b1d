// How far the vectorised elementary functions are from the exact values, for every instruction set of this
// machine.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "engines/cpu/elementwise_table.h"
#include "engines/cpu/isa.h"

namespace plumb::cpu {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<float> evaluate(const Isa& isa, ElementOp op, const std::vector<float>& inputs,
                            const std::vector<float>& params = {}) {
  std::vector<float> outputs(inputs.size());
  ElementTile tile;
  tile.rows = 1;
  tile.cols = static_cast<std::int64_t>(inputs.size());
  tile.out = outputs.data();
  tile.in[0] = inputs.data();
  tile.params = params.data();
  isa.kernels->elementwise->kernels[static_cast<std::size_t>(op)](tile);
  return outputs;
}

// `count` values spread evenly over [low, high]; an odd number, so that the last vector is a partial one.
std::vector<float> linear_range(float low, float high, int count = 100003) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) / (count - 1);
    values[static_cast<std::size_t>(i)] = static_cast<float>(low + t * (static_cast<double>(high) - low));
  }
  return values;
}

// Every `step`-th float between two positive floats, by their bit patterns: all magnitudes equally often.
std::vector<float> bitwise_range(float low, float high, std::uint32_t step = 9973) {
  std::vector<float> values;
  for (auto bits = std::bit_cast<std::uint32_t>(low); bits < std::bit_cast<std::uint32_t>(high);
       bits += step) {
    values.push_back(std::bit_cast<float>(bits));
  }
  return values;
}

std::vector<float> both_signs(std::vector<float> values) {
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) values.push_back(-values[i]);
  return values;
}

// The distance between two neighbouring floats near `exact`.
double spacing(double exact) {
  const float magnitude = std::fabs(static_cast<float>(exact));
  return static_cast<double>(std::nextafterf(magnitude, kInfinity)) - static_cast<double>(magnitude);
}

struct Function {
  const char* name;
  ElementOp op;
  double (*exact)(double);
  std::vector<float> inputs;
  double max_ulp;
  double max_absolute;  // enough by itself; 0 where every result must be within max_ulp
  std::vector<float> params = {};
};

double exact_sigmoid(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}
double exact_silu(double x) {
  return x / (1.0 + std::exp(-x));
}
double exact_gelu(double x) {
  return 0.5 * x * std::erfc(-x * 0.70710678118654752440);
}
double exact_gelu_tanh(double x) {
  return 0.5 * x * (1.0 + std::tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
}
double exact_elu(double x) {
  return x > 0 ? x : std::expm1(x);
}

std::vector<Function> functions() {
  return {
      {"exp", ElementOp::kExp, std::exp, linear_range(-87.0F, 88.7F), 1.5, 0},
      {"exp_small", ElementOp::kExp, std::exp, both_signs(bitwise_range(1e-30F, 1.0F)), 1.5, 0},
      {"exp_subnormal", ElementOp::kExp, std::exp, linear_range(-103.0F, -87.0F), 1.5, 0},
      {"log", ElementOp::kLog, std::log, bitwise_range(1e-45F, 3e38F), 2, 0},
      {"log_near_one", ElementOp::kLog, std::log, linear_range(0.5F, 2.0F), 2, 0},
      {"erf", ElementOp::kErf, std::erf, linear_range(-6.0F, 6.0F), 4, 0},
      {"erf_small", ElementOp::kErf, std::erf, both_signs(bitwise_range(1e-30F, 1.0F)), 4, 0},
      {"tanh", ElementOp::kTanh, std::tanh, linear_range(-12.0F, 12.0F), 4, 0},
      {"tanh_small", ElementOp::kTanh, std::tanh, both_signs(bitwise_range(1e-30F, 1.0F)), 4, 0},
      {"sin", ElementOp::kSin, std::sin, linear_range(-8192.0F, 8192.0F), 2, 0},
      {"sin_large", ElementOp::kSin, std::sin, both_signs(bitwise_range(8193.0F, 1e30F)), 1, 0},
      {"cos", ElementOp::kCos, std::cos, linear_range(-8192.0F, 8192.0F), 2, 0},
      {"cos_small", ElementOp::kCos, std::cos, both_signs(bitwise_range(1e-30F, 10.0F)), 2, 0},
      {"sigmoid", ElementOp::kSigmoid, exact_sigmoid, linear_range(-80.0F, 80.0F), 4, 0},
      {"silu", ElementOp::kSilu, exact_silu, linear_range(-80.0F, 80.0F), 4, 0},
      {"elu", ElementOp::kElu, exact_elu, both_signs(bitwise_range(1e-30F, 30.0F)), 4, 0, {1, 1, 1}},
      {"gelu", ElementOp::kGeluErf, exact_gelu, linear_range(-12.0F, 12.0F), 16, 1e-7},
      // The tanh form cancels for negative x in PyTorch too.
      {"gelu_tanh", ElementOp::kGeluTanh, exact_gelu_tanh, linear_range(-12.0F, 12.0F), 8, 1e-6},
  };
}

class MathAccuracy : public testing::TestWithParam<std::string> {
 protected:
  Isa isa_ = find_isa(GetParam());
};

std::vector<std::string> isa_names() {
  std::vector<std::string> names;
  for (const Isa& isa : available_isas()) names.emplace_back(isa.name);
  return names;
}

TEST_P(MathAccuracy, results_are_within_a_few_units_in_the_last_place) {
  for (const Function& function : functions()) {
    const std::vector<float> outputs = evaluate(isa_, function.op, function.inputs, function.params);
    double worst = 0;
    float at = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const double exact = function.exact(static_cast<double>(function.inputs[i]));
      const double error = std::fabs(static_cast<double>(outputs[i]) - exact);
      if (error <= function.max_absolute) continue;
      const double ulp = error / spacing(exact);
      // Written so that a NaN counts as the worst.
      if (!(ulp <= worst)) {
        worst = ulp;
        at = function.inputs[i];
      }
    }
    EXPECT_LE(worst, function.max_ulp) << function.name << " at " << at;
  }
}

void expect_same(float actual, float expected, const std::string& what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(actual)) << what << " gives " << actual;
  } else {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(actual), std::bit_cast<std::uint32_t>(expected))
        << what << " gives " << actual << ", not " << expected;
  }
}

TEST_P(MathAccuracy, special_values_are_those_of_pytorch) {
  struct Special {
    ElementOp op;
    float input, expected;
  };
  const std::vector<Special> specials = {
      {ElementOp::kExp, kInfinity, kInfinity},
      {ElementOp::kExp, -kInfinity, 0.0F},
      {ElementOp::kExp, 0.0F, 1.0F},
      {ElementOp::kExp, 89.0F, kInfinity},
      {ElementOp::kExp, -105.0F, 0.0F},
      {ElementOp::kExp, kNaN, kNaN},
      {ElementOp::kLog, 0.0F, -kInfinity},
      {ElementOp::kLog, -0.0F, -kInfinity},
      {ElementOp::kLog, 1.0F, 0.0F},
      {ElementOp::kLog, -1.0F, kNaN},
      {ElementOp::kLog, kInfinity, kInfinity},
      {ElementOp::kLog, -kInfinity, kNaN},
      {ElementOp::kLog, kNaN, kNaN},
      {ElementOp::kErf, kInfinity, 1.0F},
      {ElementOp::kErf, -kInfinity, -1.0F},
      {ElementOp::kErf, -0.0F, -0.0F},
      {ElementOp::kErf, kNaN, kNaN},
      {ElementOp::kTanh, kInfinity, 1.0F},
      {ElementOp::kTanh, -kInfinity, -1.0F},
      {ElementOp::kTanh, kNaN, kNaN},
      {ElementOp::kSin, kInfinity, kNaN},
      {ElementOp::kSin, -0.0F, -0.0F},
      {ElementOp::kSin, kNaN, kNaN},
      {ElementOp::kCos, -kInfinity, kNaN},
      {ElementOp::kCos, 0.0F, 1.0F},
      {ElementOp::kCos, kNaN, kNaN},
      {ElementOp::kSigmoid, kInfinity, 1.0F},
      {ElementOp::kSigmoid, -kInfinity, 0.0F},
      {ElementOp::kSigmoid, kNaN, kNaN},
      {ElementOp::kSilu, kInfinity, kInfinity},
      {ElementOp::kSilu, -kInfinity, kNaN},
      {ElementOp::kGeluErf, kInfinity, kInfinity},
      {ElementOp::kGeluErf, -kInfinity, kNaN},
      {ElementOp::kGeluErf, kNaN, kNaN},
      {ElementOp::kGeluTanh, kInfinity, kInfinity},
      {ElementOp::kGeluTanh, kNaN, kNaN},
      {ElementOp::kRelu, kNaN, kNaN},
      {ElementOp::kRelu, -kInfinity, 0.0F},
      {ElementOp::kSqrt, -1.0F, kNaN},
      {ElementOp::kReciprocal, -0.0F, -kInfinity},
      {ElementOp::kRound, 2.5F, 2.0F},
      {ElementOp::kRound, -1.5F, -2.0F},
      {ElementOp::kTrunc, -0.5F, -0.0F},
      {ElementOp::kFloor, -0.5F, -1.0F},
  };
  for (const Special& special : specials) {
    const std::string what =
        "function " + std::to_string(static_cast<int>(special.op)) + " of " + std::to_string(special.input);
    // Once in a partial vector and once in a whole one, among other values.
    expect_same(evaluate(isa_, special.op, {special.input})[0], special.expected, what);
    std::vector<float> inputs(33, 0.25F);
    inputs[5] = special.input;
    expect_same(evaluate(isa_, special.op, inputs)[5], special.expected, what);
  }
}

TEST_P(MathAccuracy, a_value_does_not_depend_on_its_place_in_a_vector) {
  const std::vector<float> inputs = linear_range(-9.0F, 9.0F, 67);
  for (const Function& function : functions()) {
    const std::vector<float> together = evaluate(isa_, function.op, inputs, function.params);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const float alone = evaluate(isa_, function.op, {inputs[i]}, function.params)[0];
      expect_same(alone, together[i], std::string(function.name) + " of " + std::to_string(inputs[i]));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isas, MathAccuracy, testing::ValuesIn(isa_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace plumb::cpu
