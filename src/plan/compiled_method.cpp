// Passes, then two caches: prepared kernel state and constants in other layouts.
#include "plan/compiled_method.h"

#include "base/strided_copy.h"
#include "plan/fold.h"
#include "plan/planner.h"
#include "plan/scalars.h"
#include "plan/shapes/shapes.h"
#include "plan/views.h"
#include "plumb/error.h"

namespace plumb {

CompiledMethod::CompiledMethod(std::shared_ptr<const Method> method, const KernelTable& table,
                               std::vector<PassRecord> passes)
    : table_(table), method_(std::move(method)), passes_(std::move(passes)) {}

Plan CompiledMethod::plan(std::span<const Sizes> input_sizes, ThreadPool& pool) {
  return make_plan(*this, input_sizes, pool);
}

std::shared_ptr<const KernelState> CompiledMethod::prepared(std::size_t node_index, const Kernel& kernel,
                                                            const Call& call) {
  std::shared_ptr<const KernelState>& state = prepared_[{node_index, &kernel}];
  if (state == nullptr) state = kernel.impl->prepare(call);
  return state;
}

std::byte* CompiledMethod::converted(const Tensor& constant, std::span<const std::int64_t> strides) {
  AlignedBuffer& buffer = converted_[{constant.raw(), Sizes(strides.begin(), strides.end())}];
  if (buffer.data() == nullptr && constant.nbytes() > 0) {
    buffer = AlignedBuffer(constant.nbytes());
    copy_strided(Tensor(buffer.data(), constant.dtype(), constant.sizes(), strides), constant);
  }
  return buffer.data();
}

std::vector<std::string> unsupported_nodes(const Method& method, const KernelTable& table) {
  std::vector<std::string> lines;
  for (const Node& node : method.graph.nodes) {
    const bool planned =
        is_scalar_op(node.op) || is_view_op(node.op) || node.op == "aten._assert_scalar.default";
    if (planned || (!table.candidates(node.op).empty() && find_shape_function(node.op) != nullptr)) continue;
    lines.push_back(node.op + " at '" + node.name + "'");
  }
  return lines;
}

std::unique_ptr<CompiledMethod> compile(std::shared_ptr<const Method> source, const KernelTable& table,
                                        const std::vector<std::string>& disabled_passes) {
  PassOptions options;
  options.optimize = table.engine().optimize();
  options.disabled = disabled_passes;
  const auto evaluator = std::make_shared<NodeEvaluator>();
  options.evaluate = [evaluator](const Node& node, const Graph& graph,
                                 std::span<const ConstantBinding> constants) {
    return (*evaluator)(node, graph, constants);
  };
  std::vector<PassRecord> log;
  std::shared_ptr<const Method> method = run_passes(std::move(source), options, &log);
  const std::vector<std::string> unsupported = unsupported_nodes(*method, table);
  if (!unsupported.empty()) {
    throw Error(ErrorKind::kUnsupported, "method '" + method->name + "': engine '" +
                                             std::string(table.engine().name()) + "' has no kernel for " +
                                             unsupported.front());
  }
  return std::make_unique<CompiledMethod>(std::move(method), table, std::move(log));
}

}  // namespace plumb
