// The names of one graph while it is read, and the values behind them.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "graph/graph.h"
#include "package/place.h"

namespace plumb {

// Names are views into the package's bytes.
class Scope {
 public:
  explicit Scope(Graph& graph) : graph_(graph) {}

  // Adds a value; fails when the name is taken.
  ValueId define(std::string_view name, ValueKind kind, std::optional<TensorMeta> meta, std::int32_t producer,
                 const Place& place) {
    check_name(name, "name of a value", place);
    const auto id = static_cast<ValueId>(graph_.values.size());
    add_name(name, id, place);
    graph_.values.push_back(
        {.name = std::string(name), .kind = kind, .meta = std::move(meta), .producer = producer});
    return id;
  }

  // One more name for a value.
  void add_name(std::string_view name, ValueId id, const Place& place) {
    if (!ids_.emplace(name, id).second) place.fail("defines " + in_quotes(name) + " a second time");
  }

  // kNoValue when there is none.
  ValueId find(std::string_view name) const {
    const auto it = ids_.find(name);
    return it == ids_.end() ? kNoValue : it->second;
  }

  const Value& value(ValueId id) const { return graph_.values[id]; }

  ValueId tensor(std::string_view name, const Place& place) const {
    const ValueId id = require(name, place);
    if (value(id).kind != ValueKind::kTensor)
      place.fail("refers to " + in_quotes(name) + ", which is a number; expected a tensor");
    return id;
  }

  ValueId scalar(std::string_view name, const Place& place) const {
    const ValueId id = require(name, place);
    if (value(id).kind == ValueKind::kTensor)
      place.fail("refers to " + in_quotes(name) + ", which is a tensor; expected a number");
    return id;
  }

 private:
  ValueId require(std::string_view name, const Place& place) const {
    const ValueId id = find(name);
    if (id == kNoValue) {
      place.fail("refers to " + in_quotes(name) +
                 ", which nothing before it defines; expected a value of the same graph");
    }
    return id;
  }

  Graph& graph_;
  std::unordered_map<std::string_view, ValueId> ids_;
};

}  // namespace plumb
