// add(a, permute(layer)) becomes permute(add(unpermute(a), layer)): the same sums in another order of
// dimensions, and the add stands directly behind the layer, where it can be fused. Permutes themselves cost
// nothing.
#include "passes/layer.h"
#include "passes/permutation.h"
#include "passes/rewrites.h"

namespace plumb::passes {

namespace {

// `value` with the permutation undone: the value before it if that is what made it, a new node otherwise.
ValueId unpermuted(Rewriter& rewriter, NodeId anchor, ValueId value, const Permutation& dims) {
  const auto made_by = read_permute(rewriter, value);
  if (made_by && made_by->dims == dims) return made_by->input;
  const Permutation back = inverse(dims);
  TensorMeta shape = permuted(*meta(rewriter, value), back);
  return rewriter.insert_before(anchor, rewriter.value(value).name + "_unpermuted", "aten.permute.default",
                                permute_arguments(value, back), std::move(shape));
}

bool move_behind(Rewriter& rewriter, NodeId id) {
  const Node& node = rewriter.node(id);
  const ValueId sum = result(node);
  if (node.op != "aten.add.Tensor" || sum == kNoValue || !is_float32(rewriter, sum)) return false;
  const auto terms = two_tensors(node);
  if (!terms || !same_meta(rewriter, terms->first, sum) || !same_meta(rewriter, terms->second, sum))
    return false;
  for (const ValueId term : {terms->first, terms->second}) {
    const auto view = read_permute(rewriter, term);
    if (!view || !rewriter.has_single_use(term) || open_layer(rewriter, view->input) == nullptr) continue;
    const ValueId other = term == terms->first ? terms->second : terms->first;
    const std::string name = node.name + "_unpermuted";
    TensorMeta shape = permuted(*meta(rewriter, sum), inverse(view->dims));
    const ValueId residual = unpermuted(rewriter, id, other, view->dims);
    const ValueId inner = rewriter.insert_before(
        id, name, "aten.add.Tensor",
        {{"self", TensorRef{residual}, false}, {"other", TensorRef{view->input}, false}}, std::move(shape));
    rewriter.replace(id, "aten.permute.default", permute_arguments(inner, view->dims));
    return true;
  }
  return false;
}

}  // namespace

std::int64_t move_residual_permutes(Rewriter& rewriter, const Context&) {
  return rewriter.rewrite_each([&](NodeId id) { return move_behind(rewriter, id); });
}

}  // namespace plumb::passes
