// The node becomes a method of its own: its constants in, its results out, planned and run once.
#include "plan/fold.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "passes/references.h"
#include "plan/compiled_method.h"
#include "plan/planner.h"
#include "plumb/error.h"

namespace plumb {
namespace {

// A method that consists of `node` alone, with the values that it touches and no others.
Method single_node_method(Node node, const Graph& graph, std::span<const ConstantBinding> constants) {
  Method method;
  method.name = "constant";
  std::unordered_map<ValueId, ValueId> new_ids;
  const auto adopt = [&](ValueId& id) {
    const auto [known, added] = new_ids.try_emplace(id, static_cast<ValueId>(method.graph.values.size()));
    if (added) {
      method.graph.values.push_back(graph.value(id));
      method.graph.values.back().producer = kNoNode;
    }
    id = known->second;
  };
  for (Argument& argument : node.inputs) passes::for_each_reference(argument.value, adopt);
  for (const ConstantBinding& binding : constants) {
    method.constants.push_back(binding);
    adopt(method.constants.back().value);
  }
  for (Output& output : node.outputs) {
    output.alias_of = kNoValue;
    for (ValueId& id : output.values) {
      adopt(id);
      method.graph.values[id].producer = 0;
      method.graph.outputs.emplace_back(id);
      method.output_specs.emplace_back();
    }
  }
  method.graph.nodes.push_back(std::move(node));
  return method;
}

std::shared_ptr<const Constant> copied(const Tensor& tensor, const std::string& key) {
  auto memory = std::make_shared<AlignedBuffer>(tensor.nbytes());
  if (tensor.nbytes() > 0) std::copy_n(tensor.data<std::byte>(), tensor.nbytes(), memory->data());
  auto constant = std::make_shared<Constant>();
  constant->key = key;
  constant->dtype = tensor.dtype();
  constant->sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
  constant->data = memory->bytes();
  constant->owner = std::move(memory);
  return constant;
}

}  // namespace

std::optional<std::vector<std::shared_ptr<const Constant>>> NodeEvaluator::operator()(
    const Node& node, const Graph& graph, std::span<const ConstantBinding> constants) {
  try {
    const auto method = std::make_shared<const Method>(single_node_method(node, graph, constants));
    CompiledMethod compiled(method, table_);
    Plan plan = make_plan(compiled, {}, pool_);
    const AlignedBuffer arena(plan.arena_bytes);
    bind(plan, {.arena = arena.data(), .input = {}, .state = {}});
    execute(plan, pool_);
    std::vector<std::shared_ptr<const Constant>> results;
    const std::vector<ValueId> values = node.produced();
    for (std::size_t i = 0; i < values.size(); ++i) {
      results.push_back(copied(plan.slots[plan.output_slots[i]].tensor, graph.value(values[i]).name));
    }
    return results;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace plumb
