// A permutation (or transposition) of a permutation is one permutation; when the two undo each other it is
// none.
#include "passes/permutation.h"
#include "passes/rewrites.h"

namespace plumb::passes {

std::int64_t merge_permutes(Rewriter& rewriter, const Context&) {
  return rewriter.rewrite_each([&](NodeId id) {
    const ValueId value = result(rewriter.node(id));
    const auto outer = value == kNoValue ? std::nullopt : read_permute(rewriter, value);
    const auto inner = outer ? read_permute(rewriter, outer->input) : std::nullopt;
    if (!inner) return false;
    const Permutation dims = compose(inner->dims, outer->dims);
    if (!is_identity(dims)) {
      rewriter.replace(id, "aten.permute.default", permute_arguments(inner->input, dims));
    } else if (rewriter.output_uses(value) == 0) {
      rewriter.replace_uses(value, inner->input);
      rewriter.erase(id);
    } else {
      return false;
    }
    return true;
  });
}

}  // namespace plumb::passes
