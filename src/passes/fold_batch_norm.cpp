// Batch norm in inference is a scale and a shift of each channel: they go into the weights and the bias of
// the convolution or linear layer before it. A batch norm behind anything else stays.
#include <algorithm>
#include <array>
#include <cmath>

#include "passes/affine.h"
#include "passes/constants.h"
#include "passes/match.h"
#include "passes/rewrites.h"

namespace plumb::passes {

namespace {

// Whether the node normalises with its running statistics.
bool is_inference_batch_norm(const Node& node) {
  if (node.op == "aten._native_batch_norm_legit_no_training.default") return true;
  constexpr std::array<std::string_view, 2> kEither = {"aten.batch_norm.default",
                                                       "aten.native_batch_norm.default"};
  return std::find(kEither.begin(), kEither.end(), node.op) != kEither.end() &&
         number(node, "training") == 0.0;
}

// The values of a per-channel argument, `missing` for each when it is None; nothing when they are not
// constant.
std::optional<std::vector<float>> channel_values(const Rewriter& rewriter, const Node& node,
                                                 std::string_view name, std::size_t channels,
                                                 std::optional<float> missing) {
  if (is_none(node, name)) {
    return missing ? std::optional(std::vector<float>(channels, *missing)) : std::nullopt;
  }
  const auto value = tensor(node, name);
  const Constant* constant = value ? float_constant(rewriter, *value) : nullptr;
  if (constant == nullptr || element_count(*constant) != channels) return {};
  return read_floats(*constant);
}

bool fold(Rewriter& rewriter, NodeId id) {
  const Node& node = rewriter.node(id);
  if (!is_inference_batch_norm(node)) return false;
  const auto input = tensor(node, "input");
  const std::vector<ValueId> produced = node.produced();
  const auto eps = number(node, "eps");
  if (!input || !eps || produced.empty()) return false;
  const auto layer = foldable_layer(rewriter, *input);
  // The channel of a batch norm is dimension 1.
  if (!layer || layer->channel_axis != 1 || layer->rank < 2) return false;
  if (!std::all_of(produced.begin() + 1, produced.end(), [&](ValueId v) { return rewriter.is_unused(v); }))
    return false;

  const auto weight = channel_values(rewriter, node, "weight", layer->channels, 1.0f);
  const auto bias = channel_values(rewriter, node, "bias", layer->channels, 0.0f);
  const auto mean = channel_values(rewriter, node, "running_mean", layer->channels, {});
  const auto variance = channel_values(rewriter, node, "running_var", layer->channels, {});
  if (!weight || !bias || !mean || !variance) return false;
  std::vector<double> scale(layer->channels);
  std::vector<double> shift(layer->channels);
  for (std::size_t c = 0; c < layer->channels; ++c) {
    scale[c] = (*weight)[c] / std::sqrt((*variance)[c] + *eps);
    shift[c] = (*bias)[c] - (*mean)[c] * scale[c];
  }
  return fold_into_weights(rewriter, *layer, id, produced[0], scale, shift);
}

}  // namespace

std::int64_t fold_batch_norm(Rewriter& rewriter, const Context&) {
  return rewriter.rewrite_each([&](NodeId id) { return fold(rewriter, id); });
}

}  // namespace plumb::passes
