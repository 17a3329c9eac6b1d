// Unary floating-point operators: which vector function each one is, and its parameters.
#include <cmath>
#include <limits>

#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/common_arguments.h"
#include "engines/cpu/ops/elementwise.h"

namespace plumb::cpu {
namespace {

Verdict accept_unary(const Call& call) {
  const DType dtype = call.tensor("self").dtype();
  if (!computes_in_float(call.output().dtype())) {
    return Verdict::no("the result is " + std::string(dtype_name(call.output().dtype())) +
                       ", not float32 or half");
  }
  if (!converts_to_float(dtype)) return Verdict::no("no conversion from " + std::string(dtype_name(dtype)));
  return Verdict::yes();
}

void run(const Call& call, ElementOp op, const ElementParams& params = {}) {
  const Tensor* inputs[] = {&call.tensor("self")};
  run_elementwise(call, op, call.output(), inputs, params);
}

template <ElementOp op>
void run_plain(const Call& call) {
  run(call, op);
}

void clamp(const Call& call, double low, double high) {
  if (std::isnan(low) || std::isnan(high)) {
    // The vector function takes such a bound as none; in PyTorch it makes every result NaN.
    const FloatOperand nan(std::numeric_limits<double>::quiet_NaN());
    const Tensor* inputs[] = {&nan.tensor()};
    return run_elementwise(call, ElementOp::kCopy, call.output(), inputs, {});
  }
  run(call, ElementOp::kClamp, {static_cast<float>(low), static_cast<float>(high)});
}

void run_clamp(const Call& call) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  clamp(call, call.number("min", -kInfinity), call.number("max", kInfinity));
}

void run_hardtanh(const Call& call) {
  clamp(call, call.number("min_val", -1.0), call.number("max_val", 1.0));
}

void run_relu6(const Call& call) {
  clamp(call, 0.0, 6.0);
}

void run_leaky_relu(const Call& call) {
  run(call, ElementOp::kLeakyRelu, {static_cast<float>(call.number("negative_slope", 0.01))});
}

void run_elu(const Call& call) {
  const double scale = call.number("scale", 1.0);
  run(call, ElementOp::kElu,
      {static_cast<float>(call.number("alpha", 1.0) * scale), static_cast<float>(scale),
       static_cast<float>(call.number("input_scale", 1.0))});
}

void run_softplus(const Call& call) {
  run(call, ElementOp::kSoftplus,
      {static_cast<float>(call.number("beta", 1.0)), static_cast<float>(call.number("threshold", 20.0))});
}

void run_gelu(const Call& call) {
  run(call, call.text("approximate", "none") == "tanh" ? ElementOp::kGeluTanh : ElementOp::kGeluErf);
}

struct PowerCase {
  double exponent;
  ElementOp op;
};
constexpr PowerCase kPowers[] = {
    {0.5, ElementOp::kSqrt},
    {1.0, ElementOp::kCopy},
    {2.0, ElementOp::kSquare},
    {3.0, ElementOp::kCube},
    {-0.5, ElementOp::kRsqrt},
    {-1.0, ElementOp::kReciprocal},
    {-2.0, ElementOp::kReciprocalSquare},
};

Verdict accept_power(const Call& call) {
  const double exponent = call.number("exponent");
  if (!std::isfinite(static_cast<float>(exponent)) || exponent == 0)
    return Verdict::no("the exponent is 0 or not finite");
  return accept_unary(call);
}

void run_power(const Call& call) {
  const double exponent = call.number("exponent");
  for (const PowerCase& power : kPowers) {
    if (power.exponent == exponent) return run(call, power.op);
  }
  const auto narrow = static_cast<float>(exponent);
  const bool is_integer = std::trunc(narrow) == narrow;
  const bool is_odd = is_integer && std::fmod(narrow, 2.0F) != 0;
  run(call, ElementOp::kPower, {narrow, is_integer ? 1.0F : 0.0F, is_odd ? 1.0F : 0.0F});
}

template <ElementOp op>
constexpr KernelImpl plain() {
  return {.accepts = accept_unary, .output_layout = any_layout, .run = run_plain<op>};
}

constexpr KernelImpl with_params(void (*run)(const Call&)) {
  return {.accepts = accept_unary, .output_layout = any_layout, .run = run};
}

}  // namespace

const KernelImpl unary_neg = plain<ElementOp::kNeg>();
const KernelImpl unary_abs = plain<ElementOp::kAbs>();
const KernelImpl unary_relu = plain<ElementOp::kRelu>();
const KernelImpl unary_relu6 = with_params(run_relu6);
const KernelImpl unary_clamp = with_params(run_clamp);
const KernelImpl unary_square = plain<ElementOp::kSquare>();
const KernelImpl unary_hardtanh = with_params(run_hardtanh);
const KernelImpl unary_leaky_relu = with_params(run_leaky_relu);
const KernelImpl unary_hardswish = plain<ElementOp::kHardswish>();
const KernelImpl unary_hardsigmoid = plain<ElementOp::kHardsigmoid>();
const KernelImpl unary_sqrt = plain<ElementOp::kSqrt>();
const KernelImpl unary_rsqrt = plain<ElementOp::kRsqrt>();
const KernelImpl unary_reciprocal = plain<ElementOp::kReciprocal>();
const KernelImpl unary_floor = plain<ElementOp::kFloor>();
const KernelImpl unary_ceil = plain<ElementOp::kCeil>();
const KernelImpl unary_trunc = plain<ElementOp::kTrunc>();
const KernelImpl unary_round = plain<ElementOp::kRound>();
const KernelImpl unary_exp = plain<ElementOp::kExp>();
const KernelImpl unary_expm1 = plain<ElementOp::kExpm1>();
const KernelImpl unary_log1p = plain<ElementOp::kLog1p>();
const KernelImpl unary_log = plain<ElementOp::kLog>();
const KernelImpl unary_erf = plain<ElementOp::kErf>();
const KernelImpl unary_tanh = plain<ElementOp::kTanh>();
const KernelImpl unary_sin = plain<ElementOp::kSin>();
const KernelImpl unary_cos = plain<ElementOp::kCos>();
const KernelImpl unary_sigmoid = plain<ElementOp::kSigmoid>();
const KernelImpl unary_silu = plain<ElementOp::kSilu>();
const KernelImpl unary_elu = with_params(run_elu);
const KernelImpl unary_softplus = with_params(run_softplus);
const KernelImpl unary_gelu = with_params(run_gelu);
const KernelImpl unary_power{.accepts = accept_power, .output_layout = any_layout, .run = run_power};

}  // namespace plumb::cpu
