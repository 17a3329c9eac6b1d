// aten.convolution in float32 becomes plumb.convolution, which has an epilogue and may pad each side
// differently.
#include "passes/layer.h"
#include "passes/rewrites.h"

namespace plumb::passes {

std::int64_t lower_convolution(Rewriter& rewriter, const Context&) {
  return rewriter.rewrite_each([&](NodeId id) {
    const Node& node = rewriter.node(id);
    if (node.op != "aten.convolution.default" || !is_float32(rewriter, result(node))) return false;
    std::vector<Argument> inputs = node.inputs;
    append_empty_epilogue(inputs);
    rewriter.replace(id, std::string(kConvolution), std::move(inputs));
    return true;
  });
}

}  // namespace plumb::passes
