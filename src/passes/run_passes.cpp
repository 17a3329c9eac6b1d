// Runs the list: names, times, disables, descends into nested graphs, verifies.
#include <algorithm>
#include <chrono>

#include "passes/passes.h"
#include "passes/pipeline.h"
#include "plumb/error.h"

namespace plumb {

namespace {

using passes::Context;
using passes::Need;
using passes::Pass;

// A nested graph as a method of its own: all its outputs are results, its operands are inputs.
Method method_of(const SubgraphArg& subgraph) {
  Method method;
  method.name = subgraph.name;
  method.graph = *subgraph.graph;
  method.output_specs.resize(method.graph.outputs.size());
  return method;
}

Method apply(const Pass& pass, const Method& method, const Context& context, std::int64_t& changes) {
  passes::Rewriter rewriter(method);
  changes += pass.rewrite(rewriter, context);
  Method result = rewriter.finish();
  for (Node& node : result.graph.nodes) {
    for (Argument& argument : node.inputs) {
      auto* subgraph = std::get_if<SubgraphArg>(&argument.value);
      if (subgraph == nullptr || subgraph->graph == nullptr) continue;
      std::int64_t nested_changes = 0;
      Method nested = apply(pass, method_of(*subgraph), Context{context.options, true}, nested_changes);
      // A nested graph has no place for constants of its own: a rewrite that made some is not kept.
      if (!nested.constants.empty()) continue;
      subgraph->graph = std::make_shared<const Graph>(std::move(nested.graph));
      changes += nested_changes;
    }
  }
  return result;
}

bool is_disabled(const Pass& pass, const PassOptions& options) {
  const auto& disabled = options.disabled;
  if (std::find(disabled.begin(), disabled.end(), pass.name) == disabled.end()) return false;
  if (pass.need == Need::kRequired) {
    throw Error(ErrorKind::kInvalidArgument,
                "pass '" + std::string(pass.name) + "' cannot be disabled: programs are wrong without it");
  }
  return true;
}

}  // namespace

std::shared_ptr<const Method> run_passes(std::shared_ptr<const Method> method, const PassOptions& options,
                                         std::vector<PassRecord>* log) {
  for (const Pass& pass : passes::pipeline()) {
    PassRecord record;
    record.name = pass.name;
    record.skipped = is_disabled(pass, options) || (pass.need == Need::kOptimize && !options.optimize);
    if (!record.skipped) {
      const auto start = std::chrono::steady_clock::now();
      auto rewritten =
          std::make_shared<const Method>(apply(pass, *method, Context{&options, false}, record.changes));
      verify(*rewritten, "after pass " + record.name);
      method = std::move(rewritten);
      record.milliseconds =
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }
    if (log != nullptr) log->push_back(std::move(record));
  }
  return method;
}

std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const Pass& pass : passes::pipeline()) names.emplace_back(pass.name);
  return names;
}

}  // namespace plumb
