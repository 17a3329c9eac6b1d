// Zero padding of spatial dimensions before a convolution becomes padding of the convolution, side by side.
#include <algorithm>

#include "passes/layer.h"
#include "passes/rewrites.h"

namespace plumb::passes {

namespace {

using List = std::vector<std::int64_t>;

// [before…, after…] of a padding argument with one or two entries a dimension.
std::optional<List> both_sides(const List& padding, std::size_t spatial) {
  if (padding.size() == 2 * spatial) return padding;
  if (padding.size() != spatial && padding.size() != 1) return {};
  List sides;
  for (std::size_t d = 0; d < 2 * spatial; ++d)
    sides.push_back(padding[padding.size() == 1 ? 0 : d % spatial]);
  return sides;
}

IntListArg as_argument(const List& sides, std::size_t spatial) {
  const auto middle = sides.begin() + static_cast<std::ptrdiff_t>(spatial);
  const bool symmetric = std::equal(sides.begin(), middle, middle);
  IntListArg argument;
  for (std::size_t d = 0; d < (symmetric ? spatial : 2 * spatial); ++d)
    argument.items.push_back({sides[d], kNoValue});
  return argument;
}

bool fold(Rewriter& rewriter, NodeId id) {
  const Node& node = rewriter.node(id);
  if (node.op != kConvolution || number(node, "transposed") != 0.0) return false;
  const auto input = tensor(node, "input");
  const auto weight = tensor(node, "weight");
  const auto padding = ints(node, "padding");
  if (!input || !weight || !padding || !rewriter.has_single_use(*input)) return false;
  const Node* pad = produced_by(rewriter, *input, "aten.constant_pad_nd.default");
  const std::size_t weight_rank = rank(rewriter, *weight);
  if (pad == nullptr || weight_rank == SIZE_MAX || weight_rank < 3) return false;
  const std::size_t spatial = weight_rank - 2;
  const auto unpadded = tensor(*pad, "self");
  const auto amounts = ints(*pad, "pad");
  const auto sides = both_sides(*padding, spatial);
  const bool pads_zeros = pad->find("value") == nullptr || number(*pad, "value") == 0.0;
  if (!unpadded || !amounts || !sides || !pads_zeros || amounts->size() % 2 != 0) return false;
  if (amounts->size() > 2 * spatial) return false;  // channels or batch are padded too
  if (std::any_of(amounts->begin(), amounts->end(), [](std::int64_t a) { return a < 0; })) return false;

  List total = *sides;
  // The pad's pairs start at the last dimension.
  for (std::size_t d = 0; d < amounts->size() / 2; ++d) {
    total[spatial - 1 - d] += (*amounts)[2 * d];
    total[2 * spatial - 1 - d] += (*amounts)[2 * d + 1];
  }
  std::vector<Argument> inputs = node.inputs;
  set_argument(inputs, "input", TensorRef{*unpadded});
  set_argument(inputs, "padding", as_argument(total, spatial));
  rewriter.replace(id, node.op, std::move(inputs));
  return true;
}

}  // namespace

std::int64_t fold_pad(Rewriter& rewriter, const Context&) {
  return rewriter.rewrite_each([&](NodeId id) { return fold(rewriter, id); });
}

}  // namespace plumb::passes
