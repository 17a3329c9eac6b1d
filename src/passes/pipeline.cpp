// THE ordered list of passes: what runs, when, and what for.
#include "passes/pipeline.h"

#include <array>

namespace plumb::passes {

namespace {

using enum Need;

// Order matters where a line says so.
constexpr std::array kPipeline = {
    Pass{"functionalize", kRequired, functionalize,
         "writes in place become new values; first, because it must still tell views from copies"},
    Pass{"canonicalize", kRequired, canonicalize,
         "one name and one form for operators that packages spell differently"},
    Pass{"remove_dead_nodes", kAlways, remove_dead_nodes,
         "unused results, and assertions that the planner makes anyway"},
    Pass{"fold_constants", kOptimize, fold_constants, "what depends on constants alone is computed once"},
    Pass{"drop_identities", kOptimize, drop_identities,
         "copies, dropout and views that change nothing; after folding, which keeps constant copies dense"},
    Pass{"merge_permutes", kOptimize, merge_permutes, "a permutation of a permutation is one, or none"},
    Pass{"eliminate_common_subexpressions", kOptimize, eliminate_common_subexpressions,
         "equal computations happen once"},
    Pass{"drop_full_masks", kOptimize, drop_full_masks,
         "attention under a mask that hides nothing needs no mask"},
    Pass{"recognize_activations", kOptimize, recognize_activations,
         "clamp, SiLU, hard sigmoid, hard swish in one node"},
    Pass{"recognize_gelu", kOptimize, recognize_gelu, "GELU written as arithmetic becomes one node"},
    Pass{"lower_convolution", kOptimize, lower_convolution,
         "convolutions gain an epilogue and padding on each side"},
    Pass{"lower_linear", kOptimize, lower_linear,
         "matrix products with a weight become linear layers with an epilogue"},
    Pass{"fold_batch_norm", kOptimize, fold_batch_norm, "batch norm goes into the weights before it"},
    Pass{"fold_affine", kOptimize, fold_affine,
         "constant scales and shifts of channels go into the weights before them"},
    Pass{"fold_pad", kOptimize, fold_pad, "zero padding goes into the convolution after it"},
    Pass{"move_residual_permutes", kOptimize, move_residual_permutes,
         "permutes between a layer and its residual add move behind the add, so that it can be fused"},
    Pass{"fuse_epilogue", kOptimize, fuse_epilogue,
         "residual adds, then activations, become part of the layer before"},
};

}  // namespace

std::span<const Pass> pipeline() {
  return kPipeline;
}

}  // namespace plumb::passes
