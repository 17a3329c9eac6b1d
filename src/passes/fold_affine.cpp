// Multiplying or shifting the result of a layer by constants, one for all or one a channel (layer scale, a
// separate bias), is done to its weights instead.
#include <array>

#include "passes/affine.h"
#include "passes/constants.h"
#include "passes/match.h"
#include "passes/rewrites.h"

namespace plumb::passes {

namespace {

struct Operation {
  bool multiplies = false;
  double sign = 1;  // of what is added
  bool divides = false;
};

std::optional<Operation> operation_of(std::string_view op) {
  if (op == "aten.mul.Tensor" || op == "aten.mul.Scalar") return Operation{true, 1, false};
  if (op == "aten.div.Tensor" || op == "aten.div.Scalar") return Operation{true, 1, true};
  if (op == "aten.add.Tensor" || op == "aten.add.Scalar") return Operation{false, 1, false};
  if (op == "aten.sub.Tensor" || op == "aten.sub.Scalar") return Operation{false, -1, false};
  return {};
}

// The constant's element for each channel, if it broadcasts along everything else.
std::optional<std::vector<double>> by_channel(const Constant& constant, const FoldableLayer& layer) {
  const std::vector<float> values = read_floats(constant);
  if (values.size() == 1) return std::vector<double>(layer.channels, values[0]);
  const std::size_t rank = constant.sizes.size();
  if (values.size() != layer.channels || rank > layer.rank) return {};
  const std::size_t leading = layer.rank - rank;  // dimensions that broadcasting adds in front
  if (layer.channel_axis < leading ||
      constant.sizes[layer.channel_axis - leading] != static_cast<std::int64_t>(layer.channels)) {
    return {};
  }
  return std::vector<double>(values.begin(), values.end());
}

struct Operands {
  ValueId input;
  std::vector<double> factors;
  FoldableLayer layer;
};

std::optional<Operands> read_operands(const Rewriter& rewriter, const Node& node) {
  if (const auto plain = tensor_and_scalar(rewriter, node)) {
    const auto layer = foldable_layer(rewriter, plain->tensor);
    if (!layer) return {};
    return Operands{plain->tensor, std::vector<double>(layer->channels, plain->scalar), *layer};
  }
  const auto both = two_tensors(node);
  if (!both) return {};
  const bool commutes = node.op == "aten.mul.Tensor" || node.op == "aten.add.Tensor";
  const std::array<std::pair<ValueId, ValueId>, 2> orders = {*both, std::pair(both->second, both->first)};
  for (std::size_t i = 0; i < (commutes ? 2U : 1U); ++i) {
    const auto [input, other] = orders[i];
    const Constant* constant = float_constant(rewriter, other);
    const auto layer = constant != nullptr ? foldable_layer(rewriter, input) : std::nullopt;
    if (!layer) continue;
    auto factors = by_channel(*constant, *layer);
    if (factors) return Operands{input, std::move(*factors), *layer};
  }
  return {};
}

bool fold(Rewriter& rewriter, NodeId id) {
  const Node& node = rewriter.node(id);
  const auto operation = operation_of(node.op);
  const ValueId output = result(node);
  if (!operation || output == kNoValue) return false;
  const auto operands = read_operands(rewriter, node);
  // The operation must neither broadcast the layer's result nor change its dtype.
  if (!operands || !same_meta(rewriter, operands->input, output)) return false;
  std::vector<double> scale(operands->layer.channels, 1.0);
  std::vector<double> shift(operands->layer.channels, 0.0);
  for (std::size_t c = 0; c < scale.size(); ++c) {
    const double factor = operands->factors[c];
    if (operation->multiplies) {
      scale[c] = operation->divides ? 1 / factor : factor;
    } else {
      shift[c] = operation->sign * factor;
    }
  }
  return fold_into_weights(rewriter, operands->layer, id, output, scale, shift);
}

}  // namespace

std::int64_t fold_affine(Rewriter& rewriter, const Context&) {
  return rewriter.rewrite_each([&](NodeId id) { return fold(rewriter, id); });
}

}  // namespace plumb::passes
