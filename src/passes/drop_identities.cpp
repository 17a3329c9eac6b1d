// Nodes that give back their input: copies and conversions to the same dtype, dropout outside training,
// padding by nothing, views to the same shape. Memory formats are the plan's business. Adding 0 is not here:
// -0 + 0 is +0.
#include <algorithm>
#include <limits>
#include <set>

#include "passes/match.h"
#include "passes/rewrites.h"

namespace plumb::passes {

namespace {

bool is_identity_permutation(const Node& node) {
  const auto dims = ints(node, "dims");
  if (!dims) return false;
  const auto rank = static_cast<std::int64_t>(dims->size());
  for (std::int64_t i = 0; i < rank; ++i) {
    const std::int64_t dim = (*dims)[static_cast<std::size_t>(i)];
    if ((dim < 0 ? dim + rank : dim) != i) return false;
  }
  return true;
}

bool pads_nothing(const Node& node) {
  const auto pad = ints(node, "pad");
  return pad && std::all_of(pad->begin(), pad->end(), [](std::int64_t p) { return p == 0; });
}

bool slices_nothing(const Node& node) {
  const auto start = is_none(node, "start") ? 0.0 : number(node, "start");
  const auto step = node.find("step") == nullptr ? 1.0 : number(node, "step");
  const bool to_the_end = is_none(node, "end") || number(node, "end") == static_cast<double>(INT64_MAX);
  return start == 0.0 && step == 1.0 && to_the_end;
}

bool has_static_shape(const Rewriter& rewriter, ValueId value) {
  const TensorMeta* known = meta(rewriter, value);
  return known != nullptr && known->is_static();
}

// The input that the node gives back, or kNoValue. Equal metadata is asked of the caller.
ValueId unchanged_input(const Rewriter& rewriter, const Node& node) {
  const std::string& op = node.op;
  const ValueId self = tensor(node, "self").value_or(kNoValue);
  // Any dtype or shape that these would change shows in the metadata.
  if (op == "aten.clone.default" || op == "aten._to_copy.default" || op == "aten.alias.default") return self;
  if (op == "aten.view.default" || op == "aten.expand.default") {
    // Two dynamic sizes of one range may still be exchanged by a view.
    return has_static_shape(rewriter, self) ? self : kNoValue;
  }
  if (op == "aten.permute.default") return is_identity_permutation(node) ? self : kNoValue;
  if (op == "aten.constant_pad_nd.default") return pads_nothing(node) ? self : kNoValue;
  if (op == "aten.slice.Tensor") return slices_nothing(node) ? self : kNoValue;
  if (op == "aten.dropout.default")
    return number(node, "train") == 0.0 ? tensor(node, "input").value_or(kNoValue) : kNoValue;
  if (op == "aten.native_dropout.default") {
    return number(node, "train") == 0.0 ? tensor(node, "input").value_or(kNoValue) : kNoValue;
  }
  return kNoValue;
}

// Values that an execution overwrites at its end. Results that are such a value must remain copies.
std::set<ValueId> overwritten_values(const Rewriter& rewriter) {
  std::set<ValueId> values;
  for (const ConstantBinding& binding : rewriter.constants()) {
    if (binding.mutated) values.insert(binding.value);
  }
  for (const BufferBinding& binding : rewriter.buffers()) values.insert(binding.value);
  for (const OutputSpec& spec : rewriter.output_specs()) {
    if (spec.kind != OutputKind::kUserInputMutation) continue;
    for (const ValueId input : rewriter.graph().inputs) {
      if (rewriter.value(input).name == spec.target) values.insert(input);
    }
  }
  return values;
}

// The value behind copies and views.
ValueId origin_of(const Rewriter& rewriter, ValueId value) {
  while (rewriter.producer(value) != kNoNode) {
    const auto self = tensor(rewriter.node(rewriter.producer(value)), "self");
    if (!self) break;
    value = *self;
  }
  return value;
}

}  // namespace

std::int64_t drop_identities(Rewriter& rewriter, const Context&) {
  const std::set<ValueId> overwritten = overwritten_values(rewriter);
  return rewriter.rewrite_each([&](NodeId id) {
    const Node& node = rewriter.node(id);
    const std::vector<ValueId> produced = node.produced();
    if (produced.empty()) return false;
    const ValueId input = unchanged_input(rewriter, node);
    if (input == kNoValue || !same_meta(rewriter, input, produced[0])) return false;
    // Other results, such as the mask of a dropout, must be unused.
    const auto is_unused = [&](ValueId value) { return rewriter.is_unused(value); };
    if (!std::all_of(produced.begin() + 1, produced.end(), is_unused)) return false;
    if (rewriter.output_uses(produced[0]) > 0 && overwritten.contains(origin_of(rewriter, input)))
      return false;
    rewriter.replace_uses(produced[0], input);
    rewriter.erase(id);
    return true;
  });
}

}  // namespace plumb::passes
