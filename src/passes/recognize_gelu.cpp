// GELU written as arithmetic, exact (erf) or with tanh, becomes one node. Results agree within rounding.
#include <cmath>
#include <string>
#include <vector>

#include "passes/match.h"
#include "passes/rewrites.h"

namespace plumb::passes {

namespace {

// Constants of such code are written with few digits.
bool is_about(double value, double expected) {
  return std::abs(value - expected) <= 1e-6 * std::abs(expected);
}

struct Product {
  double scale = 1;
  std::vector<ValueId> factors;
};

// The tree of multiplications under `value` whose inner results are used once, as one scale and the other
// factors.
void collect(const Rewriter& rewriter, ValueId value, bool is_root, Product& product) {
  const NodeId producer = rewriter.producer(value);
  const bool is_inner = is_root || rewriter.has_single_use(value);
  if (producer != kNoNode && is_inner) {
    const Node& node = rewriter.node(producer);
    const bool is_mul = node.op == "aten.mul.Tensor";
    if (is_mul || node.op == "aten.div.Tensor") {
      if (const auto operands = tensor_and_scalar(rewriter, node)) {
        product.scale *= is_mul ? operands->scalar : 1 / operands->scalar;
        collect(rewriter, operands->tensor, false, product);
        return;
      }
      if (const auto both = is_mul ? two_tensors(node) : std::nullopt) {
        collect(rewriter, both->first, false, product);
        collect(rewriter, both->second, false, product);
        return;
      }
    }
  }
  product.factors.push_back(value);
}

Product product_of(const Rewriter& rewriter, ValueId value) {
  Product product;
  collect(rewriter, value, true, product);
  return product;
}

// The argument of `function(argument) + 1`, each step used once.
ValueId argument_plus_one(const Rewriter& rewriter, ValueId value, std::string_view function) {
  const Node* add = produced_by(rewriter, value, "aten.add.Tensor");
  const auto operands = add != nullptr ? tensor_and_scalar(rewriter, *add) : std::nullopt;
  if (!operands || operands->scalar != 1 || !rewriter.has_single_use(value)) return kNoValue;
  const Node* call = produced_by(rewriter, operands->tensor, function);
  if (call == nullptr || !rewriter.has_single_use(operands->tensor)) return kNoValue;
  const ValueId argument = tensor(*call, "self").value_or(kNoValue);
  return argument != kNoValue && rewriter.has_single_use(argument) ? argument : kNoValue;
}

// x / sqrt(2)
bool is_erf_argument(const Rewriter& rewriter, ValueId value, ValueId x) {
  const Product product = product_of(rewriter, value);
  return product.factors == std::vector<ValueId>{x} && is_about(product.scale, std::sqrt(0.5));
}

// 0.044715 * x * x * x, or with pow(x, 3)
bool is_cubic_term(const Rewriter& rewriter, ValueId value, ValueId x) {
  const Product product = product_of(rewriter, value);
  if (!is_about(product.scale, 0.044715)) return false;
  if (product.factors == std::vector<ValueId>{x, x, x}) return true;
  if (product.factors.size() != 1) return false;
  const Node* power = produced_by(rewriter, product.factors[0], "aten.pow.Tensor_Scalar");
  return power != nullptr && tensor(*power, "self") == x && number(*power, "exponent") == 3.0;
}

// sqrt(2 / pi) * (x + 0.044715 * x^3)
bool is_tanh_argument(const Rewriter& rewriter, ValueId value, ValueId x) {
  const Product product = product_of(rewriter, value);
  if (product.factors.size() != 1 || !is_about(product.scale, std::sqrt(2 / M_PI))) return false;
  const Node* add = produced_by(rewriter, product.factors[0], "aten.add.Tensor");
  const auto terms = add != nullptr ? two_tensors(*add) : std::nullopt;
  const auto cubic = terms ? other_of(*terms, x) : std::nullopt;
  return cubic && is_cubic_term(rewriter, *cubic, x);
}

bool recognize(Rewriter& rewriter, NodeId id, ValueId value) {
  const Product product = product_of(rewriter, value);
  if (product.factors.size() != 2 || !is_about(product.scale, 0.5)) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    const ValueId gate = product.factors[i];
    const ValueId x = product.factors[1 - i];
    const ValueId of_erf = argument_plus_one(rewriter, gate, "aten.erf.default");
    const ValueId of_tanh = argument_plus_one(rewriter, gate, "aten.tanh.default");
    const bool exact = of_erf != kNoValue && is_erf_argument(rewriter, of_erf, x);
    const bool with_tanh = of_tanh != kNoValue && is_tanh_argument(rewriter, of_tanh, x);
    if (!exact && !with_tanh) continue;
    rewriter.replace(
        id, "aten.gelu.default",
        {{"self", TensorRef{x}, false}, {"approximate", std::string(exact ? "none" : "tanh"), false}});
    return true;
  }
  return false;
}

}  // namespace

std::int64_t recognize_gelu(Rewriter& rewriter, const Context&) {
  return rewriter.rewrite_each([&](NodeId id) {
    const ValueId value = result(rewriter.node(id));
    return rewriter.node(id).op == "aten.mul.Tensor" && value != kNoValue && is_float32(rewriter, value) &&
           recognize(rewriter, id, value);
  });
}

}  // namespace plumb::passes
