// Arithmetic and comparisons of two operands that are computed in float. Not here: integers
// (typed_elementwise.cpp).
#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/common_arguments.h"
#include "engines/cpu/ops/elementwise.h"

namespace plumb::cpu {
namespace {

Verdict accept_operand(const Call& call, std::string_view name) {
  if (const Tensor* tensor = tensor_or_number(call, name);
      tensor != nullptr && !converts_to_float(tensor->dtype())) {
    return Verdict::no("no conversion of '" + std::string(name) + "' from " +
                       std::string(dtype_name(tensor->dtype())));
  }
  return Verdict::yes();
}

Verdict accept_arithmetic(const Call& call) {
  if (!computes_in_float(call.output().dtype())) {
    return Verdict::no("the result is " + std::string(dtype_name(call.output().dtype())) +
                       ", not float32 or half");
  }
  if (Verdict verdict = accept_operand(call, "self"); !verdict.accepted()) return verdict;
  return accept_operand(call, "other");
}

Verdict accept_unscaled(const Call& call) {
  if (call.number("alpha", 1.0) != 1.0) return Verdict::no("alpha is not 1");
  return accept_arithmetic(call);
}

// Both sides must have one floating-point type: then comparing as float is comparing in that type.
Verdict accept_comparison(const Call& call) {
  const Tensor* self = tensor_or_number(call, "self");
  const Tensor* other = tensor_or_number(call, "other");
  const Tensor* typed = self != nullptr ? self : other;
  if (typed == nullptr || typed->dtype() != DType::kFloat32)
    return Verdict::no("the operands are not float32");
  if (self != nullptr && other != nullptr && self->dtype() != other->dtype()) {
    return Verdict::no("the operands have different dtypes");
  }
  return Verdict::yes();
}

void run(const Call& call, ElementOp op, const ElementParams& params = {}) {
  const FloatOperand self(call, "self");
  const FloatOperand other(call, "other");
  const Tensor* inputs[] = {&self.tensor(), &other.tensor()};
  run_elementwise(call, op, call.output(), inputs, params);
}

template <ElementOp op>
void run_plain(const Call& call) {
  run(call, op);
}

void run_add_scaled(const Call& call) {
  run(call, ElementOp::kAddScaled, {static_cast<float>(call.number("alpha", 1.0))});
}

void run_sub_scaled(const Call& call) {
  run(call, ElementOp::kAddScaled, {static_cast<float>(-call.number("alpha", 1.0))});
}

// other - alpha * self
void run_reverse_sub(const Call& call) {
  const FloatOperand self(call, "self");
  const FloatOperand other(call, "other");
  const Tensor* inputs[] = {&other.tensor(), &self.tensor()};
  run_elementwise(call, ElementOp::kAddScaled, call.output(), inputs,
                  {static_cast<float>(-call.number("alpha", 1.0))});
}

template <ElementOp op>
constexpr KernelImpl plain(Verdict (*accepts)(const Call&)) {
  return {.accepts = accepts, .output_layout = any_layout, .run = run_plain<op>};
}

}  // namespace

const KernelImpl binary_add = plain<ElementOp::kAdd>(accept_unscaled);
const KernelImpl binary_sub = plain<ElementOp::kSub>(accept_unscaled);
const KernelImpl binary_add_scaled{
    .accepts = accept_arithmetic, .output_layout = any_layout, .run = run_add_scaled};
const KernelImpl binary_sub_scaled{
    .accepts = accept_arithmetic, .output_layout = any_layout, .run = run_sub_scaled};
const KernelImpl binary_reverse_sub{
    .accepts = accept_arithmetic, .output_layout = any_layout, .run = run_reverse_sub};
const KernelImpl binary_mul = plain<ElementOp::kMul>(accept_arithmetic);
const KernelImpl binary_div = plain<ElementOp::kDiv>(accept_arithmetic);
const KernelImpl binary_maximum = plain<ElementOp::kMaximum>(accept_arithmetic);
const KernelImpl binary_minimum = plain<ElementOp::kMinimum>(accept_arithmetic);
const KernelImpl compare_eq = plain<ElementOp::kEqual>(accept_comparison);
const KernelImpl compare_ne = plain<ElementOp::kNotEqual>(accept_comparison);
const KernelImpl compare_lt = plain<ElementOp::kLess>(accept_comparison);
const KernelImpl compare_le = plain<ElementOp::kLessEqual>(accept_comparison);
const KernelImpl compare_gt = plain<ElementOp::kGreater>(accept_comparison);
const KernelImpl compare_ge = plain<ElementOp::kGreaterEqual>(accept_comparison);

}  // namespace plumb::cpu
