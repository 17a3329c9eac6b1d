// Weights are scaled by output channel: the first dimension of a weight, except in transposed convolutions.
#include "passes/affine.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "passes/constants.h"
#include "passes/layer.h"

namespace plumb::passes {

namespace {

struct WeightLayout {
  std::size_t channels = 0;  // output channels
  std::size_t groups = 1;    // transposed convolutions only
  bool transposed = false;   // [in, out / groups, …] instead of [out, …]
};

std::optional<WeightLayout> layout_of(const Node& node, const Constant& weight) {
  if (weight.sizes.size() < 2 || weight.data.empty()) return {};
  WeightLayout layout;
  layout.channels = static_cast<std::size_t>(weight.sizes[0]);
  if (node.op == kLinear) return layout;
  const auto transposed = number(node, "transposed");
  const auto groups = number(node, "groups");
  if (!transposed || !groups || *groups < 1) return {};
  if (*transposed != 0) {
    layout.transposed = true;
    layout.groups = static_cast<std::size_t>(*groups);
    if (weight.sizes[0] % static_cast<std::int64_t>(layout.groups) != 0) return {};
    layout.channels = static_cast<std::size_t>(weight.sizes[1]) * layout.groups;
  }
  return layout;
}

// `values` receives the weights, each times the scale of the output channel it contributes to.
void scale_weights(const Constant& weight, const WeightLayout& layout, const std::vector<double>& scale,
                   std::span<float> values) {
  std::memcpy(values.data(), weight.data.data(),
              values.size_bytes());  // whatever the alignment of the source
  const auto rows = static_cast<std::size_t>(weight.sizes[0]);
  const auto columns = static_cast<std::size_t>(weight.sizes[1]);
  const std::size_t inner = values.size() / (rows * columns);
  float* element = values.data();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t channel = layout.transposed ? row / (rows / layout.groups) * columns + column : row;
      for (const float* end = element + inner; element != end; ++element) {
        *element = static_cast<float>(*element * scale[channel]);
      }
    }
  }
}

const Constant* constant_argument(const Rewriter& rewriter, const Node& node, std::string_view name) {
  const auto value = tensor(node, name);
  return value ? float_constant(rewriter, *value) : nullptr;
}

}  // namespace

std::optional<FoldableLayer> foldable_layer(const Rewriter& rewriter, ValueId value) {
  const Node* node = open_layer(rewriter, value);
  if (node == nullptr) return {};
  const Constant* weight = constant_argument(rewriter, *node, "weight");
  if (weight == nullptr) return {};
  const auto layout = layout_of(*node, *weight);
  const std::size_t output_rank = rank(rewriter, value);
  if (!layout || output_rank == SIZE_MAX || output_rank == 0) return {};
  FoldableLayer layer{rewriter.producer(value), layout->channels, output_rank - 1, output_rank};
  if (node->op == kConvolution) {
    // Without a batch dimension the output has one dimension less than the weight.
    if (output_rank != weight->sizes.size() && output_rank + 1 != weight->sizes.size()) return {};
    layer.channel_axis = output_rank == weight->sizes.size() ? 1 : 0;
  }
  if (!is_none(*node, "bias")) {
    const Constant* bias = constant_argument(rewriter, *node, "bias");
    if (bias == nullptr || element_count(*bias) != layer.channels) return {};
  }
  return layer;
}

bool fold_into_weights(Rewriter& rewriter, const FoldableLayer& layer, NodeId user, ValueId output,
                       const std::vector<double>& scale, const std::vector<double>& shift) {
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(scale.begin(), scale.end(), is_finite) ||
      !std::all_of(shift.begin(), shift.end(), is_finite)) {
    return false;
  }
  const Node& node = rewriter.node(layer.node);
  const ValueId weight_value = *tensor(node, "weight");
  const Constant& weight = *float_constant(rewriter, weight_value);
  const Constant* bias = constant_argument(rewriter, node, "bias");

  const std::vector<float> biases =
      bias != nullptr ? read_floats(*bias) : std::vector<float>(layer.channels, 0.0f);
  const auto fill_bias = [&](std::span<float> values) {
    for (std::size_t c = 0; c < layer.channels; ++c) {
      values[c] = static_cast<float>(biases[c] * scale[c] + shift[c]);
    }
  };
  auto new_bias =
      make_floats(node.name + ".folded_bias", {static_cast<std::int64_t>(layer.channels)}, fill_bias);

  std::vector<Argument> inputs = node.inputs;
  const bool is_scaled = std::any_of(scale.begin(), scale.end(), [](double s) { return s != 1.0; });
  if (is_scaled) {
    const auto fill = [&](std::span<float> values) {
      scale_weights(weight, *layout_of(node, weight), scale, values);
    };
    auto new_weight = make_floats(node.name + ".folded_weight", weight.sizes, fill);
    const std::string name = rewriter.value(weight_value).name + "_folded";
    set_argument(inputs, "weight", TensorRef{rewriter.add_constant(name, std::move(new_weight))});
  }
  set_argument(inputs, "bias",
               TensorRef{rewriter.add_constant(node.name + "_folded_bias", std::move(new_bias))});
  rewriter.replace(user, node.op, std::move(inputs), {Output{{output}, false, kNoValue}});
  return true;
}

}  // namespace plumb::passes
