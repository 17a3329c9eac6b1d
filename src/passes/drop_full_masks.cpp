// Attention under a constant mask that is true everywhere is attention without a mask, which kernels do
// faster.
#include <algorithm>

#include "passes/match.h"
#include "passes/operators.h"
#include "passes/rewrites.h"

namespace plumb::passes {

namespace {

// A bool constant behind any number of views, true in every element. Views show elements, they make none.
bool is_all_true(const Rewriter& rewriter, ValueId value) {
  while (rewriter.producer(value) != kNoNode) {
    const Node& node = rewriter.node(rewriter.producer(value));
    const auto self = tensor(node, "self");
    if (!self || !shares_storage(node.op)) return false;
    value = *self;
  }
  const auto& constant = rewriter.constant(value);
  if (constant == nullptr || constant->dtype != DType::kBool || constant->data.empty()) return false;
  return std::all_of(constant->data.begin(), constant->data.end(),
                     [](std::byte b) { return b != std::byte{0}; });
}

}  // namespace

std::int64_t drop_full_masks(Rewriter& rewriter, const Context&) {
  return rewriter.rewrite_each([&](NodeId id) {
    const Node& node = rewriter.node(id);
    if (node.op != "aten.scaled_dot_product_attention.default") return false;
    const auto mask = tensor(node, "attn_mask");
    if (!mask || !is_all_true(rewriter, *mask)) return false;
    std::vector<Argument> inputs = node.inputs;
    for (Argument& input : inputs) {
      if (input.name == "attn_mask") input.value = None{};
    }
    rewriter.replace(id, node.op, std::move(inputs));
    return true;
  });
}

}  // namespace plumb::passes
