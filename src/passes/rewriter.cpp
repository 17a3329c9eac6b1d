// Bookkeeping of the working copy: uses and producers are kept up to date with every change.
#include "passes/rewriter.h"

#include <algorithm>
#include <utility>

#include "passes/operators.h"
#include "passes/references.h"

namespace plumb::passes {

namespace {

std::size_t index(NodeId id) {
  return static_cast<std::size_t>(id);
}

void remove_one(std::vector<NodeId>& users, NodeId id) {
  const auto it = std::find(users.begin(), users.end(), id);
  if (it != users.end()) users.erase(it);
}

}  // namespace

Rewriter::Rewriter(const Method& method)
    : method_(method),
      nodes_(std::move(method_.graph.nodes)),
      alive_(nodes_.size(), true),
      producers_(method_.graph.values.size(), kNoNode),
      users_(method_.graph.values.size()),
      output_uses_(method_.graph.values.size(), 0),
      constant_index_(method_.graph.values.size(), -1) {
  method_.graph.nodes.clear();
  for (const Value& value : method_.graph.values) names_.insert(value.name);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto id = static_cast<NodeId>(i);
    order_.push_back(id);
    names_.insert(nodes_[i].name);
    count_uses(id);
    for (const ValueId produced : nodes_[i].produced()) producers_[produced] = id;
  }
  for (const GraphOutput& output : method_.graph.outputs) {
    if (const auto* value = std::get_if<ValueId>(&output)) ++output_uses_[*value];
  }
  for (std::size_t i = 0; i < method_.constants.size(); ++i) {
    constant_index_[method_.constants[i].value] = static_cast<std::int32_t>(i);
  }
}

std::size_t Rewriter::position(NodeId id) const {
  if (positions_.empty()) {
    positions_.resize(nodes_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) positions_[index(order_[i])] = i;
  }
  return positions_[index(id)];
}

const std::shared_ptr<const Constant>& Rewriter::constant(ValueId id) const {
  static const std::shared_ptr<const Constant> none;
  const std::int32_t i = constant_index_[id];
  if (i < 0) return none;
  const ConstantBinding& binding = method_.constants[static_cast<std::size_t>(i)];
  return binding.mutated ? none : binding.constant;
}

void Rewriter::count_uses(NodeId id) {
  for_each_input(node(id), [&](ValueId value) { users_[value].push_back(id); });
}

void Rewriter::forget_uses(NodeId id) {
  for_each_input(node(id), [&](ValueId value) {
    remove_one(users_[value], id);
    if (is_unused(value) && producers_[value] != kNoNode) maybe_dead_.push_back(producers_[value]);
  });
}

void Rewriter::replace(NodeId id, std::string op, std::vector<Argument> inputs) {
  std::vector<Output> outputs = node(id).outputs;
  replace(id, std::move(op), std::move(inputs), std::move(outputs));
}

void Rewriter::replace(NodeId id, std::string op, std::vector<Argument> inputs, std::vector<Output> outputs) {
  Node& node = nodes_[index(id)];
  for (const ValueId value : node.produced()) producers_[value] = kNoNode;
  // New uses first: a value that both versions use must not look dead in between.
  std::vector<Argument> old_inputs = std::exchange(node.inputs, std::move(inputs));
  count_uses(id);
  std::swap(node.inputs, old_inputs);
  forget_uses(id);
  node.inputs = std::move(old_inputs);
  node.op = std::move(op);
  node.outputs = std::move(outputs);
  for (const ValueId value : node.produced()) producers_[value] = id;
}

ValueId Rewriter::insert_before(NodeId anchor, std::string_view name, std::string op,
                                std::vector<Argument> inputs, TensorMeta meta) {
  const ValueId result = add_value(name, std::move(meta));
  const auto id = static_cast<NodeId>(nodes_.size());
  Node node;
  node.name = value(result).name;
  node.op = std::move(op);
  node.inputs = std::move(inputs);
  node.outputs.push_back(Output{{result}, false, kNoValue});
  nodes_.push_back(std::move(node));
  alive_.push_back(true);
  order_.insert(std::find(order_.begin(), order_.end(), anchor), id);
  positions_.clear();
  producers_[result] = id;
  count_uses(id);
  return result;
}

void Rewriter::erase(NodeId id) {
  forget_uses(id);
  alive_[index(id)] = false;
  for (const ValueId value : node(id).produced()) producers_[value] = kNoNode;
  order_.erase(std::find(order_.begin(), order_.end(), id));
  positions_.clear();
}

void Rewriter::replace_uses(ValueId from, ValueId to) {
  const std::vector<NodeId> users = std::exchange(users_[from], {});
  for (const NodeId id : users) {
    for (Argument& argument : nodes_[index(id)].inputs) {
      for_each_reference(argument.value, [&](ValueId& value) { value = value == from ? to : value; });
    }
    users_[to].push_back(id);
  }
  for (GraphOutput& output : method_.graph.outputs) {
    if (auto* value = std::get_if<ValueId>(&output); value != nullptr && *value == from) *value = to;
  }
  output_uses_[to] += std::exchange(output_uses_[from], 0);
  if (producers_[from] != kNoNode) maybe_dead_.push_back(producers_[from]);
}

void Rewriter::replace_uses_after(NodeId node, ValueId from, ValueId to) {
  std::vector<NodeId> kept;
  const std::size_t place = position(node);
  std::vector<NodeId> moved;
  for (const NodeId id : users_[from]) (position(id) > place ? moved : kept).push_back(id);
  users_[from] = std::move(moved);
  replace_uses(from, to);
  users_[from] = std::move(kept);
}

std::string Rewriter::fresh_name(std::string_view wanted) {
  std::string name(wanted);
  for (int i = 1; !names_.insert(name).second; ++i) name = std::string(wanted) + "_" + std::to_string(i);
  return name;
}

ValueId Rewriter::add_value(std::string_view name, TensorMeta meta) {
  const auto id = static_cast<ValueId>(method_.graph.values.size());
  Value value;
  value.name = fresh_name(name);
  value.meta = std::move(meta);
  method_.graph.values.push_back(std::move(value));
  producers_.push_back(kNoNode);
  users_.emplace_back();
  output_uses_.push_back(0);
  constant_index_.push_back(-1);
  return id;
}

ValueId Rewriter::add_constant(std::string_view name, std::shared_ptr<const Constant> constant) {
  TensorMeta meta;
  meta.dtype = constant->dtype;
  for (const std::int64_t size : constant->sizes) meta.sizes.push_back(Dim{size, size});
  const ValueId id = add_value(name, std::move(meta));
  constant_index_[id] = static_cast<std::int32_t>(method_.constants.size());
  method_.constants.push_back(ConstantBinding{id, std::move(constant), InputKind::kConstantTensor, false});
  return id;
}

void Rewriter::add_output(ValueId value, OutputSpec spec) {
  method_.graph.outputs.emplace_back(value);
  method_.output_specs.push_back(std::move(spec));
  ++output_uses_[value];
}

void Rewriter::sweep() {
  while (!maybe_dead_.empty()) {
    const NodeId id = maybe_dead_.back();
    maybe_dead_.pop_back();
    if (!is_alive(id) || has_effects(node(id))) continue;
    const std::vector<ValueId> produced = node(id).produced();
    if (std::all_of(produced.begin(), produced.end(), [&](ValueId v) { return is_unused(v); })) erase(id);
  }
}

Method Rewriter::finish() {
  sweep();
  Method result = std::move(method_);
  for (const NodeId id : order_) result.graph.nodes.push_back(std::move(nodes_[index(id)]));
  std::erase_if(result.constants, [&](const ConstantBinding& binding) {
    return !binding.mutated && users_[binding.value].empty() && output_uses_[binding.value] == 0;
  });

  Graph& graph = result.graph;
  std::vector<bool> kept(graph.values.size(), false);
  for (const ValueId input : graph.inputs) kept[input] = true;
  for (const ConstantBinding& binding : result.constants) kept[binding.value] = true;
  for (const BufferBinding& binding : result.buffers) kept[binding.value] = true;
  for (const Node& node : graph.nodes) {
    for (const ValueId value : node.produced()) kept[value] = true;
  }
  std::vector<ValueId> renumbered(graph.values.size(), kNoValue);
  std::vector<Value> values;
  for (std::size_t old = 0; old < kept.size(); ++old) {
    if (!kept[old]) continue;
    renumbered[old] = static_cast<ValueId>(values.size());
    values.push_back(std::move(graph.values[old]));
    values.back().producer = kNoNode;
  }
  graph.values = std::move(values);

  const auto renumber = [&](ValueId& id) { id = renumbered[id]; };
  for (ValueId& input : graph.inputs) renumber(input);
  for (ConstantBinding& binding : result.constants) renumber(binding.value);
  for (BufferBinding& binding : result.buffers) renumber(binding.value);
  for (GraphOutput& output : graph.outputs) {
    if (auto* value = std::get_if<ValueId>(&output)) renumber(*value);
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = graph.nodes[i];
    for (Argument& argument : node.inputs) for_each_reference(argument.value, renumber);
    for (Output& output : node.outputs) {
      for (ValueId& value : output.values) {
        renumber(value);
        graph.values[value].producer = static_cast<std::int32_t>(i);
      }
      if (output.alias_of != kNoValue) renumber(output.alias_of);
    }
  }
  return result;
}

}  // namespace plumb::passes
