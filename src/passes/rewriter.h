// The working copy of a method that a pass changes: who uses a value, replacing nodes and values, constants
// made by a pass. Not here: what to change.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace plumb::passes {

// A handle of a node that stays valid while other nodes come and go; kNoNode is no node.
using NodeId = std::int32_t;

class Rewriter {
 public:
  explicit Rewriter(const Method& method);

  // The rewritten method: nodes in order, values that nothing refers to and constants that nothing uses left
  // out. Pure nodes whose results lost their last use while rewriting are gone. The rewriter is spent
  // afterwards.
  Method finish();

  const std::string& method_name() const { return method_.name; }

  // Reading.

  // The nodes in order of execution; a copy, so that a pass may change nodes while it walks.
  std::vector<NodeId> nodes() const { return order_; }
  const Node& node(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  // Place in the order of execution; for comparing.
  std::size_t position(NodeId id) const;
  const Graph& graph() const { return method_.graph; }  // values, inputs and outputs; its nodes are stale
  const Value& value(ValueId id) const { return method_.graph.values[id]; }
  std::size_t value_count() const { return method_.graph.values.size(); }
  // The node that computes the value; kNoNode for inputs, constants and state.
  NodeId producer(ValueId id) const { return producers_[id]; }
  // The nodes that use the value, one entry a use.
  const std::vector<NodeId>& users(ValueId id) const { return users_[id]; }
  std::size_t output_uses(ValueId id) const { return output_uses_[id]; }
  // Used once, by a node: whoever fuses with that node may make the value disappear.
  bool has_single_use(ValueId id) const { return users_[id].size() == 1 && output_uses_[id] == 0; }
  bool is_unused(ValueId id) const { return users_[id].empty() && output_uses_[id] == 0; }
  // The immutable constant that the value is bound to, or null.
  const std::shared_ptr<const Constant>& constant(ValueId id) const;
  std::span<const ConstantBinding> constants() const { return method_.constants; }
  std::span<const BufferBinding> buffers() const { return method_.buffers; }
  std::span<const OutputSpec> output_specs() const { return method_.output_specs; }

  // Calls rewrite(id) for every node that is there at the start and still there when its turn comes, in order
  // of execution, and returns how often it said true. What a rewrite leaves unused is gone before the next.
  template <typename Function>
  std::int64_t rewrite_each(const Function& rewrite) {
    std::int64_t changes = 0;
    for (const NodeId id : nodes()) {
      if (!is_alive(id) || !rewrite(id)) continue;
      ++changes;
      sweep();
    }
    return changes;
  }

  // Changing.

  // The node keeps its name, its place and its outputs.
  void replace(NodeId id, std::string op, std::vector<Argument> inputs);
  // Also its outputs: values left out must be unused.
  void replace(NodeId id, std::string op, std::vector<Argument> inputs, std::vector<Output> outputs);
  // A node with one tensor result, placed before `anchor`. Returns the result.
  ValueId insert_before(NodeId anchor, std::string_view name, std::string op, std::vector<Argument> inputs,
                        TensorMeta meta);
  // Its results must be unused.
  void erase(NodeId id);
  // Every use, those by graph outputs included.
  void replace_uses(ValueId from, ValueId to);
  // Only uses by nodes after `node`, and by graph outputs.
  void replace_uses_after(NodeId node, ValueId from, ValueId to);
  ValueId add_constant(std::string_view name, std::shared_ptr<const Constant> constant);
  void add_output(ValueId value, OutputSpec spec);

 private:
  bool is_alive(NodeId id) const { return alive_[static_cast<std::size_t>(id)]; }
  std::string fresh_name(std::string_view wanted);
  ValueId add_value(std::string_view name, TensorMeta meta);
  void count_uses(NodeId id);
  void forget_uses(NodeId id);
  void sweep();

  Method method_;
  std::vector<Node> nodes_;
  std::vector<bool> alive_;
  std::vector<NodeId> order_;
  mutable std::vector<std::size_t> positions_;  // of nodes by id; empty: to be computed
  std::vector<NodeId> producers_;
  std::vector<std::vector<NodeId>> users_;
  std::vector<std::size_t> output_uses_;
  std::vector<std::int32_t> constant_index_;  // into method_.constants, by value; -1: none
  std::vector<NodeId> maybe_dead_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace plumb::passes
