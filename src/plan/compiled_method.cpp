// Passes, then two caches: prepared kernel state and constants in other layouts.
#include "plan/compiled_method.h"

#include <algorithm>

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
  const auto copy = [](std::span<const std::int64_t> values) { return Sizes(values.begin(), values.end()); };
  AlignedBuffer& buffer = converted_[{constant.raw(), constant.dtype(), copy(constant.sizes()),
                                      copy(constant.strides()), copy(strides)}];
  if (buffer.data() == nullptr && constant.nbytes() > 0) {
    buffer = AlignedBuffer(constant.nbytes());
    copy_strided(Tensor(buffer.data(), constant.dtype(), constant.sizes(), strides), constant);
  }
  return buffer.data();
}

namespace {

bool planned_without_kernel(const std::string& op) {
  return is_scalar_op(op) || is_view_op(op) || op == "aten._assert_scalar.default";
}

bool is_quantised(const ConstantBinding& binding) {
  return !std::holds_alternative<std::monostate>(binding.constant->quant);
}

void refuse(const Method& method, const KernelTable& table, const std::string& part) {
  throw Error(ErrorKind::kUnsupported, "method '" + method.name + "': engine '" +
                                           std::string(table.engine().name()) + "' has no kernel for " +
                                           part);
}

}  // namespace

std::vector<std::string> unsupported_parts(const Method& method, const KernelTable& table) {
  std::vector<std::string> lines;
  for (const ConstantBinding& binding : method.constants) {
    if (is_quantised(binding)) lines.push_back("the quantised constant '" + binding.constant->key + "'");
  }
  for (const Node& node : method.graph.nodes) {
    if (planned_without_kernel(node.op)) continue;
    if (!table.candidates(node.op).empty() && find_shape_function(node.op) != nullptr) continue;
    lines.push_back(node.op + " at '" + node.name + "'");
  }
  return lines;
}

Error no_kernel(const KernelTable& table, std::string_view op, std::string_view node,
                const std::string& reasons) {
  return Error(ErrorKind::kUnsupported, "engine '" + std::string(table.engine().name()) +
                                            "' has no kernel for " + std::string(op) + " at '" +
                                            std::string(node) + "'" + reasons);
}

std::unique_ptr<CompiledMethod> compile(std::shared_ptr<const Method> source, const KernelTable& table,
                                        const std::vector<std::string>& disabled_passes) {
  // Before the passes, which would fold what such a constant holds as if it were plain numbers.
  if (std::ranges::any_of(source->constants, is_quantised)) {
    refuse(*source, table, unsupported_parts(*source, table).front());
  }
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
  const std::vector<std::string> unsupported = unsupported_parts(*method, table);
  if (!unsupported.empty()) refuse(*method, table, unsupported.front());
  return std::make_unique<CompiledMethod>(std::move(method), table, std::move(log));
}

}  // namespace plumb
