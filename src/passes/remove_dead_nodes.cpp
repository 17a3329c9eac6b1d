// Nodes whose results nobody uses, and the assertions of the exporter that say what declared sizes and dtypes
// say already. Assertions on computed values (_assert_scalar, _assert_async) stay.
#include <algorithm>
#include <array>

#include "passes/operators.h"
#include "passes/rewrites.h"

namespace plumb::passes {

namespace {

bool is_implied_assertion(std::string_view op) {
  constexpr std::array<std::string_view, 3> kImplied = {
      "aten._assert_tensor_metadata.default",
      "aten.sym_constrain_range.default",
      "aten.sym_constrain_range_for_size.default",
  };
  return std::find(kImplied.begin(), kImplied.end(), op) != kImplied.end();
}

}  // namespace

std::int64_t remove_dead_nodes(Rewriter& rewriter, const Context&) {
  std::int64_t changes = 0;
  // Last first, so that a whole chain goes in one walk.
  const std::vector<NodeId> nodes = rewriter.nodes();
  for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
    const Node& node = rewriter.node(*id);
    const std::vector<ValueId> produced = node.produced();
    const bool unused = std::all_of(produced.begin(), produced.end(),
                                    [&](ValueId value) { return rewriter.is_unused(value); });
    if (!unused || (has_effects(node) && !is_implied_assertion(node.op))) continue;
    rewriter.erase(*id);
    ++changes;
  }
  return changes;
}

}  // namespace plumb::passes
