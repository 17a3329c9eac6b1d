// Part of `canonicalize`: the convolutions that are named by dimension.
#pragma once

#include "passes/rewriter.h"

namespace plumb::passes {

// aten.conv{1,2,3}d and aten.conv_transpose{1,2,3}d, string padding included, become
// aten.convolution.default. False when the node is none of them, or has no batch dimension (which
// aten.convolution needs).
bool canonicalize_convolution(Rewriter& rewriter, NodeId id);

}  // namespace plumb::passes
