// Questions about single nodes; patterns of several nodes are in the passes.
#include "passes/match.h"

#include <cmath>

#include "passes/constants.h"

namespace plumb::passes {

std::optional<ValueId> tensor(const Node& node, std::string_view argument) {
  const Argument* found = node.find(argument);
  if (found == nullptr) return {};
  const auto* reference = std::get_if<TensorRef>(&found->value);
  return reference != nullptr ? std::optional(reference->value) : std::nullopt;
}

std::optional<double> number(const Node& node, std::string_view argument) {
  const Argument* found = node.find(argument);
  if (found == nullptr) return {};
  if (const auto* value = std::get_if<FloatArg>(&found->value); value != nullptr && value->ref == kNoValue) {
    return value->value;
  }
  if (const auto* value = std::get_if<IntArg>(&found->value); value != nullptr && value->ref == kNoValue) {
    return static_cast<double>(value->value);
  }
  if (const auto* value = std::get_if<BoolArg>(&found->value); value != nullptr && value->ref == kNoValue) {
    return value->value ? 1.0 : 0.0;
  }
  return {};
}

std::optional<std::vector<std::int64_t>> ints(const Node& node, std::string_view argument) {
  const Argument* found = node.find(argument);
  if (found == nullptr) return {};
  if (const auto* value = std::get_if<IntArg>(&found->value); value != nullptr && value->ref == kNoValue) {
    return std::vector<std::int64_t>{value->value};
  }
  const auto* list = std::get_if<IntListArg>(&found->value);
  if (list == nullptr) return {};
  std::vector<std::int64_t> values;
  for (const IntArg& item : list->items) {
    if (item.ref != kNoValue) return {};
    values.push_back(item.value);
  }
  return values;
}

bool is_none(const Node& node, std::string_view argument) {
  const Argument* found = node.find(argument);
  return found == nullptr || std::holds_alternative<None>(found->value);
}

const Node* produced_by(const Rewriter& rewriter, ValueId value, std::string_view op) {
  const NodeId producer = rewriter.producer(value);
  if (producer == kNoNode || rewriter.node(producer).op != op) return nullptr;
  return &rewriter.node(producer);
}

ValueId result(const Node& node) {
  return node.outputs.size() == 1 && node.outputs[0].values.size() == 1 ? node.outputs[0].values[0]
                                                                        : kNoValue;
}

const TensorMeta* meta(const Rewriter& rewriter, ValueId value) {
  if (value == kNoValue) return nullptr;
  const auto& known = rewriter.value(value).meta;
  return known ? &*known : nullptr;
}

bool is_float32(const Rewriter& rewriter, ValueId value) {
  const TensorMeta* known = meta(rewriter, value);
  return known != nullptr && known->dtype == DType::kFloat32 &&
         std::holds_alternative<std::monostate>(known->quant);
}

std::size_t rank(const Rewriter& rewriter, ValueId value) {
  const TensorMeta* known = meta(rewriter, value);
  return known != nullptr ? known->sizes.size() : SIZE_MAX;
}

bool same_shape(const Rewriter& rewriter, ValueId a, ValueId b) {
  const TensorMeta* left = meta(rewriter, a);
  const TensorMeta* right = meta(rewriter, b);
  return left != nullptr && right != nullptr && left->sizes == right->sizes;
}

bool same_meta(const Rewriter& rewriter, ValueId a, ValueId b) {
  return same_shape(rewriter, a, b) && meta(rewriter, a)->dtype == meta(rewriter, b)->dtype;
}

const Constant* float_constant(const Rewriter& rewriter, ValueId value) {
  const auto& constant = rewriter.constant(value);
  if (constant == nullptr || constant->dtype != DType::kFloat32) return nullptr;
  return std::holds_alternative<std::monostate>(constant->quant) ? constant.get() : nullptr;
}

std::optional<double> scalar(const Rewriter& rewriter, const Node& node, std::string_view argument) {
  if (const auto literal = number(node, argument)) return literal;
  const auto value = tensor(node, argument);
  if (!value) return {};
  const Constant* constant = float_constant(rewriter, *value);
  if (constant == nullptr || !constant->sizes.empty()) return {};
  return read_floats(*constant)[0];
}

namespace {

// Nothing that changes what the plain operator computes.
bool is_plain(const Node& node) {
  const bool has_alpha = node.find("alpha") != nullptr;
  return (!has_alpha || number(node, "alpha") == 1.0) && is_none(node, "rounding_mode");
}

}  // namespace

std::optional<TensorAndScalar> tensor_and_scalar(const Rewriter& rewriter, const Node& node) {
  if (!is_plain(node)) return {};
  const auto self = tensor(node, "self");
  if (const auto second = scalar(rewriter, node, "other"); self && second)
    return TensorAndScalar{*self, *second};
  if (node.op != "aten.add.Tensor" && node.op != "aten.mul.Tensor") return {};
  const auto other = tensor(node, "other");
  if (const auto first = scalar(rewriter, node, "self"); other && first)
    return TensorAndScalar{*other, *first};
  return {};
}

std::optional<std::pair<ValueId, ValueId>> two_tensors(const Node& node) {
  const auto self = tensor(node, "self");
  const auto other = tensor(node, "other");
  if (!self || !other || !is_plain(node)) return {};
  return std::pair(*self, *other);
}

std::optional<ValueId> other_of(const std::pair<ValueId, ValueId>& both, ValueId one) {
  if (both.first == one) return both.second;
  if (both.second == one) return both.first;
  return {};
}

}  // namespace plumb::passes
