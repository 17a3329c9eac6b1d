// Activations that the exporter takes apart become one node again: two-sided clamps, SiLU, hard sigmoid, hard
// swish. Results agree within rounding. GELU is in recognize_gelu.cpp.
#include <limits>
#include <string>

#include "passes/match.h"
#include "passes/rewrites.h"

namespace plumb::passes {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Clamp {
  ValueId input;
  double low;
  double high;
};

// clamp and hardtanh with literal bounds.
std::optional<Clamp> read_clamp(const Rewriter& rewriter, ValueId value) {
  const NodeId producer = rewriter.producer(value);
  if (producer == kNoNode) return {};
  const Node& node = rewriter.node(producer);
  const auto self = tensor(node, "self");
  const bool is_hardtanh = node.op == "aten.hardtanh.default";
  if (!self || (!is_hardtanh && node.op != "aten.clamp.default")) return {};
  const auto bound = [&](const char* name, double missing) -> std::optional<double> {
    return is_none(node, name) ? missing : number(node, name);
  };
  const auto low = is_hardtanh ? bound("min_val", -1) : bound("min", -kInfinity);
  const auto high = is_hardtanh ? bound("max_val", 1) : bound("max", kInfinity);
  if (!low || !high) return {};
  return Clamp{*self, *low, *high};
}

Argument self_argument(ValueId value) {
  return {"self", TensorRef{value}, false};
}

// clamp(clamp(x, min), max): the order matters only when min > max, which is left alone.
bool merge_clamps(Rewriter& rewriter, NodeId id, ValueId value) {
  const auto outer = read_clamp(rewriter, value);
  if (!outer || outer->low != -kInfinity) return false;
  const auto inner = read_clamp(rewriter, outer->input);
  if (!inner || inner->high != kInfinity || inner->low > outer->high) return false;
  if (!rewriter.has_single_use(outer->input)) return false;
  rewriter.replace(id, "aten.clamp.default",
                   {self_argument(inner->input),
                    {"min", FloatArg{inner->low, kNoValue}, false},
                    {"max", FloatArg{outer->high, kNoValue}, false}});
  return true;
}

// x of clamp(x + 3, 0, 6), each step used once.
ValueId shifted_clamp_input(const Rewriter& rewriter, ValueId value) {
  const auto clamp = read_clamp(rewriter, value);
  if (!clamp || clamp->low != 0 || clamp->high != 6 || !rewriter.has_single_use(value)) return kNoValue;
  const Node* add = produced_by(rewriter, clamp->input, "aten.add.Tensor");
  if (add == nullptr || !rewriter.has_single_use(clamp->input)) return kNoValue;
  const auto operands = tensor_and_scalar(rewriter, *add);
  return operands && operands->scalar == 3 ? operands->tensor : kNoValue;
}

// The tensor of `value / 6` or `value * (1/6)`.
ValueId sixth_of(const Rewriter& rewriter, const Node& node) {
  const auto operands = tensor_and_scalar(rewriter, node);
  if (!operands) return kNoValue;
  if (node.op == "aten.div.Tensor" && operands->scalar == 6) return operands->tensor;
  const bool is_sixth = static_cast<float>(operands->scalar) == 1.0f / 6.0f;
  return node.op == "aten.mul.Tensor" && is_sixth ? operands->tensor : kNoValue;
}

bool recognize_hardsigmoid(Rewriter& rewriter, NodeId id) {
  const ValueId clamp = sixth_of(rewriter, rewriter.node(id));
  const ValueId input = clamp == kNoValue ? kNoValue : shifted_clamp_input(rewriter, clamp);
  if (input == kNoValue) return false;
  rewriter.replace(id, "aten.hardsigmoid.default", {self_argument(input)});
  return true;
}

// (x * clamp(x + 3, 0, 6)) / 6
bool recognize_hardswish(Rewriter& rewriter, NodeId id) {
  const ValueId product = sixth_of(rewriter, rewriter.node(id));
  if (product == kNoValue || !rewriter.has_single_use(product)) return false;
  const Node* mul = produced_by(rewriter, product, "aten.mul.Tensor");
  const auto factors = mul != nullptr ? two_tensors(*mul) : std::nullopt;
  if (!factors) return false;
  for (const ValueId clamp : {factors->first, factors->second}) {
    const ValueId input = shifted_clamp_input(rewriter, clamp);
    if (input == kNoValue || other_of(*factors, clamp) != input) continue;
    rewriter.replace(id, "aten.hardswish.default", {self_argument(input)});
    return true;
  }
  return false;
}

// x * gate(x), the gate used once.
bool recognize_gated(Rewriter& rewriter, NodeId id, std::string_view gate_op, std::string whole) {
  const Node& node = rewriter.node(id);
  const auto factors = node.op == "aten.mul.Tensor" ? two_tensors(node) : std::nullopt;
  if (!factors) return false;
  for (const ValueId gate : {factors->first, factors->second}) {
    const Node* function = produced_by(rewriter, gate, gate_op);
    if (function == nullptr || !rewriter.has_single_use(gate)) continue;
    const auto input = tensor(*function, "self");
    if (!input || other_of(*factors, gate) != *input) continue;
    rewriter.replace(id, std::move(whole), {self_argument(*input)});
    return true;
  }
  return false;
}

}  // namespace

std::int64_t recognize_activations(Rewriter& rewriter, const Context&) {
  return rewriter.rewrite_each([&](NodeId id) {
    const ValueId value = result(rewriter.node(id));
    if (value == kNoValue || !is_float32(rewriter, value)) return false;
    // A hard sigmoid stands before the hard swish that it may be part of.
    return merge_clamps(rewriter, id, value) || recognize_hardswish(rewriter, id) ||
           recognize_hardsigmoid(rewriter, id) ||
           recognize_gated(rewriter, id, "aten.sigmoid.default", "aten.silu.default") ||
           recognize_gated(rewriter, id, "aten.hardsigmoid.default", "aten.hardswish.default");
  });
}

}  // namespace plumb::passes
