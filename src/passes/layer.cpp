// See layer.h.
#include "passes/layer.h"

#include <algorithm>
#include <limits>

namespace plumb::passes {

bool is_layer(const Node& node) {
  return node.op == kConvolution || node.op == kLinear;
}

bool has_empty_epilogue(const Node& node) {
  const Argument* activation = node.find("activation");
  const auto* name = activation != nullptr ? std::get_if<std::string>(&activation->value) : nullptr;
  return name != nullptr && *name == "none" && is_none(node, "residual");
}

void append_empty_epilogue(std::vector<Argument>& inputs) {
  inputs.push_back({"residual", None{}, false});
  inputs.push_back({"activation", std::string("none"), false});
  inputs.push_back({"min", FloatArg{-std::numeric_limits<double>::infinity(), kNoValue}, false});
  inputs.push_back({"max", FloatArg{std::numeric_limits<double>::infinity(), kNoValue}, false});
}

void set_argument(std::vector<Argument>& inputs, std::string_view name, ArgumentValue value) {
  const auto input =
      std::find_if(inputs.begin(), inputs.end(), [&](const Argument& a) { return a.name == name; });
  if (input != inputs.end()) input->value = std::move(value);
}

const Node* open_layer(const Rewriter& rewriter, ValueId value) {
  const NodeId producer = rewriter.producer(value);
  if (producer == kNoNode || !rewriter.has_single_use(value)) return nullptr;
  const Node& node = rewriter.node(producer);
  return is_layer(node) && has_empty_epilogue(node) ? &node : nullptr;
}

}  // namespace plumb::passes
