// Evaluates nodes whose inputs are all constant, with the reference engine: what the constant-folding pass
// calls.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "graph/graph.h"
#include "plan/kernel_table.h"

namespace plumb {

class NodeEvaluator {
 public:
  // The node's outputs as constants; nothing when the reference engine cannot run it.
  std::optional<std::vector<std::shared_ptr<const Constant>>> operator()(
      const Node& node, const Graph& graph, std::span<const ConstantBinding> constants);

 private:
  KernelTable table_{"reference", {.threads = 1, .isa = {}}, {}};
  ThreadPool pool_{1};
};

}  // namespace plumb
