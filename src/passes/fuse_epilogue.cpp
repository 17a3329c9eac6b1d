// What is done to each element of a layer's result moves into the layer: first a residual add, then an
// activation. The fused node stands where the absorbed one stood, so that the residual has been computed by
// then.
#include <cmath>
#include <limits>

#include "passes/layer.h"
#include "passes/rewrites.h"

namespace plumb::passes {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Activation {
  std::string name;
  double min = -kInfinity;
  double max = kInfinity;
};

std::optional<Activation> clamp_between(const Node& node, std::string_view min_name, double min_default,
                                        std::string_view max_name, double max_default) {
  const auto min = is_none(node, min_name) ? min_default : number(node, min_name);
  const auto max = is_none(node, max_name) ? max_default : number(node, max_name);
  // A bound that is NaN makes every result NaN, which the comparisons of a fused clamp would not.
  if (!min || !max || std::isnan(*min) || std::isnan(*max)) return {};
  return Activation{"clamp", *min, *max};
}

std::optional<Activation> activation_of(const Node& node) {
  const std::string& op = node.op;
  if (op == "aten.relu.default") return Activation{"relu"};
  if (op == "aten.sigmoid.default") return Activation{"sigmoid"};
  if (op == "aten.tanh.default") return Activation{"tanh"};
  if (op == "aten.silu.default") return Activation{"silu"};
  if (op == "aten.hardswish.default") return Activation{"hardswish"};
  if (op == "aten.relu6.default") return Activation{"clamp", 0, 6};
  if (op == "aten.hardtanh.default") return clamp_between(node, "min_val", -1, "max_val", 1);
  if (op == "aten.clamp.default") return clamp_between(node, "min", -kInfinity, "max", kInfinity);
  if (op == "aten.gelu.default") {
    const Argument* argument = node.find("approximate");
    const auto* approximate = argument != nullptr ? std::get_if<std::string>(&argument->value) : nullptr;
    if (argument == nullptr || (approximate != nullptr && *approximate == "none")) return Activation{"gelu"};
    if (approximate != nullptr && *approximate == "tanh") return Activation{"gelu_tanh"};
  }
  return {};
}

// The layer that a residual may be added in; an activation must not have been applied yet.
bool can_take_residual(const Rewriter& rewriter, ValueId value, ValueId sum) {
  return open_layer(rewriter, value) != nullptr && same_meta(rewriter, value, sum);
}

bool fuse_residual(Rewriter& rewriter, NodeId id) {
  const Node& node = rewriter.node(id);
  const ValueId sum = result(node);
  if (node.op != "aten.add.Tensor" || sum == kNoValue || !is_float32(rewriter, sum)) return false;
  const auto terms = two_tensors(node);
  if (!terms || !same_meta(rewriter, terms->first, sum) || !same_meta(rewriter, terms->second, sum))
    return false;
  const bool first = can_take_residual(rewriter, terms->first, sum);
  const bool second = can_take_residual(rewriter, terms->second, sum);
  if (!first && !second) return false;
  // The later layer, so that the fused node keeps its place and nothing lives longer.
  bool take_first = first;
  if (first && second) {
    take_first = rewriter.position(rewriter.producer(terms->first)) >
                 rewriter.position(rewriter.producer(terms->second));
  }
  const ValueId from = take_first ? terms->first : terms->second;
  const ValueId residual = take_first ? terms->second : terms->first;
  const Node& layer = rewriter.node(rewriter.producer(from));
  std::vector<Argument> inputs = layer.inputs;
  set_argument(inputs, "residual", TensorRef{residual});
  rewriter.replace(id, layer.op, std::move(inputs));
  return true;
}

// A layer whose result is used once and that applies no activation; it may add a residual.
const Node* layer_without_activation(const Rewriter& rewriter, ValueId value) {
  const NodeId producer = rewriter.producer(value);
  if (producer == kNoNode || !rewriter.has_single_use(value)) return nullptr;
  const Node& node = rewriter.node(producer);
  const Argument* activation = is_layer(node) ? node.find("activation") : nullptr;
  const auto* name = activation != nullptr ? std::get_if<std::string>(&activation->value) : nullptr;
  return name != nullptr && *name == "none" ? &node : nullptr;
}

bool fuse_activation(Rewriter& rewriter, NodeId id) {
  const Node& node = rewriter.node(id);
  const auto activation = activation_of(node);
  const auto input = tensor(node, "self");
  const ValueId output = result(node);
  if (!activation || !input || output == kNoValue || !same_meta(rewriter, *input, output)) return false;
  const Node* layer = layer_without_activation(rewriter, *input);
  if (layer == nullptr) return false;
  std::vector<Argument> inputs = layer->inputs;
  set_argument(inputs, "activation", activation->name);
  set_argument(inputs, "min", FloatArg{activation->min, kNoValue});
  set_argument(inputs, "max", FloatArg{activation->max, kNoValue});
  rewriter.replace(id, layer->op, std::move(inputs));
  return true;
}

}  // namespace

std::int64_t fuse_epilogue(Rewriter& rewriter, const Context&) {
  // In order of execution: a residual add is met before the activation of the sum.
  return rewriter.rewrite_each(
      [&](NodeId id) { return fuse_residual(rewriter, id) || fuse_activation(rewriter, id); });
}

}  // namespace plumb::passes
