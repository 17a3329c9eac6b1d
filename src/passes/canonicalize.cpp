// One name and one form for operators that packages spell differently, so that kernels and shapes have one
// row each. Convolutions by dimension are in canonical_convolution.cpp.
#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "passes/canonical_convolution.h"
#include "passes/match.h"
#include "passes/operators.h"
#include "passes/rewrites.h"

namespace plumb::passes {

namespace {

// Same arguments under another name.
const std::map<std::string_view, std::string_view>& synonyms() {
  static const std::map<std::string_view, std::string_view> table = {
      {"aten._unsafe_view.default", "aten.view.default"},
      {"aten.contiguous.default", "aten.clone.default"},
      {"aten.lift.default", "aten.alias.default"},
      {"aten.lift_fresh.default", "aten.alias.default"},
      {"aten.lift_fresh_copy.default", "aten.alias.default"},
      {"aten.detach.default", "aten.alias.default"},
      {"aten.detach_copy.default", "aten.alias.default"},
      {"aten.alias_copy.default", "aten.alias.default"},
      {"aten.to.dtype", "aten._to_copy.default"},
      {"aten.to.dtype_layout", "aten._to_copy.default"},
      {"dim_order_ops._clone_dim_order.default", "aten.clone.default"},
      {"dim_order_ops._to_dim_order_copy.default", "aten._to_copy.default"},
  };
  return table;
}

// "aten.view.default" of "aten.view_copy.default", if that is the copying form of a view operator.
std::string without_copy(std::string_view op) {
  constexpr std::string_view kCopy = "_copy.";
  const std::size_t at = op.find(kCopy);
  if (at == std::string_view::npos) return std::string(op);
  const std::string view = std::string(op.substr(0, at)) + std::string(op.substr(at + kCopy.size() - 1));
  return shares_storage(view) ? view : std::string(op);
}

// Names of positional arguments, for the operators whose packages were seen without. Others keep what they
// have.
const std::map<std::string_view, std::vector<std::string_view>>& parameter_names() {
  static const std::map<std::string_view, std::vector<std::string_view>> table = {
      {"aten.add.Tensor", {"self", "other"}},
      {"aten.sub.Tensor", {"self", "other"}},
      {"aten.mul.Tensor", {"self", "other"}},
      {"aten.div.Tensor", {"self", "other"}},
      {"aten.mm.default", {"self", "mat2"}},
      {"aten.bmm.default", {"self", "mat2"}},
      {"aten.matmul.default", {"self", "other"}},
      {"aten.addmm.default", {"self", "mat1", "mat2"}},
      {"aten.linear.default", {"input", "weight", "bias"}},
      {"aten.relu.default", {"self"}},
      {"aten.sigmoid.default", {"self"}},
      {"aten.tanh.default", {"self"}},
      {"aten.gelu.default", {"self"}},
      {"aten.silu.default", {"self"}},
      {"aten.hardtanh.default", {"self", "min_val", "max_val"}},
      {"aten.clamp.default", {"self", "min", "max"}},
      {"aten.view.default", {"self", "size"}},
      {"aten.permute.default", {"self", "dims"}},
      {"aten.expand.default", {"self", "size"}},
      {"aten.unsqueeze.default", {"self", "dim"}},
      {"aten.squeeze.dims", {"self", "dim"}},
      {"aten.transpose.int", {"self", "dim0", "dim1"}},
      {"aten.select.int", {"self", "dim", "index"}},
      {"aten.slice.Tensor", {"self", "dim", "start", "end", "step"}},
      {"aten.cat.default", {"tensors", "dim"}},
      {"aten.mean.dim", {"self", "dim", "keepdim"}},
      {"aten.clone.default", {"self"}},
      {"aten.alias.default", {"self"}},
      {"aten.embedding.default", {"weight", "indices"}},
      {"aten.constant_pad_nd.default", {"self", "pad", "value"}},
      {"aten.convolution.default",
       {"input", "weight", "bias", "stride", "padding", "dilation", "transposed", "output_padding",
        "groups"}},
      {"aten._native_batch_norm_legit_no_training.default",
       {"input", "weight", "bias", "running_mean", "running_var", "momentum", "eps"}},
      {"aten.native_layer_norm.default", {"input", "normalized_shape", "weight", "bias", "eps"}},
      {"aten._softmax.default", {"self", "dim", "half_to_float"}},
      {"aten.scaled_dot_product_attention.default", {"query", "key", "value", "attn_mask"}},
  };
  return table;
}

bool name_arguments(std::string_view op, std::vector<Argument>& inputs) {
  const auto row = parameter_names().find(op);
  if (row == parameter_names().end()) return false;
  bool changed = false;
  for (std::size_t i = 0; i < std::min(inputs.size(), row->second.size()); ++i) {
    if (!inputs[i].name.empty()) continue;
    inputs[i].name = row->second[i];
    changed = true;
  }
  return changed;
}

void rename_argument(std::vector<Argument>& inputs, std::string_view from, std::string_view to) {
  for (Argument& input : inputs) {
    if (input.name == from) input.name = to;
  }
}

bool canonicalize_name(Rewriter& rewriter, NodeId id) {
  const Node& node = rewriter.node(id);
  std::string op = without_copy(without_prefix(node.op));
  std::vector<Argument> inputs = node.inputs;
  if (op == "aten.reshape.default") {
    op = "aten.view.default";
    rename_argument(inputs, "shape", "size");
  }
  if (const auto synonym = synonyms().find(op); synonym != synonyms().end()) op = synonym->second;
  const auto dropped = std::erase_if(inputs, [](const Argument& input) { return input.name == "dim_order"; });
  const bool named = name_arguments(op, inputs);
  if (op == node.op && dropped == 0 && !named) return false;
  rewriter.replace(id, std::move(op), std::move(inputs));
  return true;
}

// The value that a left-over `getitem` picks; kNoValue when the node is something else.
ValueId picked_value(const Rewriter& rewriter, const Node& node) {
  constexpr std::array<std::string_view, 4> kNames = {"getitem", "_operator.getitem", "operator.getitem",
                                                      "<built-in function getitem>"};
  if (std::find(kNames.begin(), kNames.end(), node.op) == kNames.end() || node.inputs.size() != 2)
    return kNoValue;
  const auto* index = std::get_if<IntArg>(&node.inputs[1].value);
  if (index == nullptr || index->ref != kNoValue) return kNoValue;
  std::vector<ValueId> candidates;
  if (const auto* list = std::get_if<TensorListArg>(&node.inputs[0].value)) {
    candidates = list->values;
  } else if (const auto* first = std::get_if<TensorRef>(&node.inputs[0].value)) {
    const NodeId producer = rewriter.producer(first->value);
    if (producer != kNoNode) candidates = rewriter.node(producer).produced();
  }
  const auto count = static_cast<std::int64_t>(candidates.size());
  const std::int64_t at = index->value < 0 ? index->value + count : index->value;
  return at >= 0 && at < count ? candidates[static_cast<std::size_t>(at)] : kNoValue;
}

// What the node passes on unchanged; kNoValue when it computes something.
ValueId aliased_value(const Rewriter& rewriter, const Node& node) {
  if (const ValueId picked = picked_value(rewriter, node); picked != kNoValue) return picked;
  if (node.op == "aten.alias.default") return tensor(node, "self").value_or(kNoValue);
  if (node.op != "aten.copy.default") return kNoValue;
  // Overwriting all of a tensor with one like it: the functional form of copy_.
  const auto self = tensor(node, "self");
  const auto source = tensor(node, "src");
  return self && source && same_meta(rewriter, *self, *source) ? *source : kNoValue;
}

// An alias is its input. As a result of the method it stays: a result must not be the memory of state that
// the same execution overwrites.
bool remove_alias(Rewriter& rewriter, NodeId id) {
  const Node& node = rewriter.node(id);
  const ValueId source = aliased_value(rewriter, node);
  const ValueId value = result(node);
  if (source == kNoValue || value == kNoValue) return false;
  if (rewriter.output_uses(value) > 0 && rewriter.producer(source) == kNoNode) return false;
  rewriter.replace_uses(value, source);
  rewriter.erase(id);
  return true;
}

}  // namespace

std::int64_t canonicalize(Rewriter& rewriter, const Context&) {
  return rewriter.rewrite_each([&](NodeId id) {
    const bool renamed = canonicalize_name(rewriter, id);
    const bool convolution = canonicalize_convolution(rewriter, id);
    const bool removed = remove_alias(rewriter, id);
    return renamed || convolution || removed;
  });
}

}  // namespace plumb::passes
