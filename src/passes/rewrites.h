// Every rewrite, one function a pass, each in the file of its name. What runs, and in which order, is in
// pipeline.cpp.
#pragma once

#include <cstdint>

#include "passes/passes.h"
#include "passes/rewriter.h"

namespace plumb::passes {

struct Context {
  const PassOptions* options = nullptr;
  bool nested = false;  // the graph is an operand of a node: its outputs cannot be extended
};

// Each returns the number of its changes.
using Rewrite = std::int64_t (*)(Rewriter& rewriter, const Context& context);

std::int64_t functionalize(Rewriter& rewriter, const Context& context);
std::int64_t canonicalize(Rewriter& rewriter, const Context& context);
std::int64_t remove_dead_nodes(Rewriter& rewriter, const Context& context);
std::int64_t fold_constants(Rewriter& rewriter, const Context& context);
std::int64_t drop_identities(Rewriter& rewriter, const Context& context);
std::int64_t merge_permutes(Rewriter& rewriter, const Context& context);
std::int64_t drop_full_masks(Rewriter& rewriter, const Context& context);
std::int64_t eliminate_common_subexpressions(Rewriter& rewriter, const Context& context);
std::int64_t recognize_activations(Rewriter& rewriter, const Context& context);
std::int64_t recognize_gelu(Rewriter& rewriter, const Context& context);
std::int64_t lower_convolution(Rewriter& rewriter, const Context& context);
std::int64_t lower_linear(Rewriter& rewriter, const Context& context);
std::int64_t fold_batch_norm(Rewriter& rewriter, const Context& context);
std::int64_t fold_affine(Rewriter& rewriter, const Context& context);
std::int64_t fold_pad(Rewriter& rewriter, const Context& context);
std::int64_t move_residual_permutes(Rewriter& rewriter, const Context& context);
std::int64_t fuse_epilogue(Rewriter& rewriter, const Context& context);

}  // namespace plumb::passes
