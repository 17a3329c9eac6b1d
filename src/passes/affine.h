// Folding y = scale * x + shift, a constant pair for each output channel, into the weights of the layer that
// makes x.
#pragma once

#include <optional>
#include <vector>

#include "passes/rewriter.h"

namespace plumb::passes {

// A layer with constant weights and bias and an empty epilogue, its result used once.
struct FoldableLayer {
  NodeId node = kNoNode;
  std::size_t channels = 0;      // of its output
  std::size_t channel_axis = 0;  // of its output
  std::size_t rank = 0;          // of its output
};

std::optional<FoldableLayer> foldable_layer(const Rewriter& rewriter, ValueId value);

// Replaces `user`, which computes `output` from the layer's result, by the layer with other weights; they are
// computed in double and rounded once. False, and nothing done, when a factor is not finite.
bool fold_into_weights(Rewriter& rewriter, const FoldableLayer& layer, NodeId user, ValueId output,
                       const std::vector<double>& scale, const std::vector<double>& shift);

}  // namespace plumb::passes
