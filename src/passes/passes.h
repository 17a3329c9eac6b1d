// Rewriting a method before it is planned: what the program means is made explicit, then it is made cheaper.
// The ordered list of passes is in pipeline.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace plumb {

// Computes a node whose tensor arguments are all among the bindings: one constant for each produced value, or
// nothing when it cannot. `graph` is the node's; its values have the names and metadata. View operators are
// asked for as well.
using Evaluator = std::function<std::optional<std::vector<std::shared_ptr<const Constant>>>(
    const Node& node, const Graph& graph, std::span<const ConstantBinding> bindings)>;

struct PassOptions {
  bool optimize = true;               // false: only the passes that every program needs
  std::vector<std::string> disabled;  // passes to leave out; names that are no pass are ignored
  Evaluator evaluate;                 // none: constants are not folded
};

struct PassRecord {
  std::string name;
  double milliseconds = 0;
  std::int64_t changes = 0;
  bool skipped = false;  // disabled, or not wanted without optimisation
};

// Runs the passes in order and verifies the method after each. Nested graphs are rewritten too. `log`, if not
// null, receives one record a pass. Throws Error(kUnsupported) for programs whose writes in place cannot be
// expressed as values, Error(kInvalidArgument) when a pass is disabled that programs are wrong without.
std::shared_ptr<const Method> run_passes(std::shared_ptr<const Method> method, const PassOptions& options,
                                         std::vector<PassRecord>* log);

// In the order in which they run.
std::vector<std::string> pass_names();

}  // namespace plumb
