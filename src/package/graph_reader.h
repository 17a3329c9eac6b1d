// One graph of the package as a Graph: inputs, bound values, nodes in order, results. Not here: what binds
// values to data and what becomes of results (method_reader.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/graph.h"
#include "package/place.h"
#include "package/scope.h"
#include "program_generated.h"

namespace plumb {

// Use: construct, bind what the method binds, read once.
class GraphReader {
 public:
  // Defines the inputs. `source` and `place` must outlive the reader.
  GraphReader(const fbs::Graph& source, std::size_t depth, const Place& place);

  // Defines a value that is no input: a constant with its metadata, or a buffer whose metadata the graph
  // holds.
  ValueId bind(std::string_view name, std::optional<TensorMeta> meta, const Place& binding);
  Graph read();

  const Graph& graph() const { return graph_; }
  // kNoValue when the graph has no value of that name.
  ValueId find(std::string_view name) const { return scope_.find(name); }

 private:
  using Results = std::vector<ValueId>;

  std::optional<TensorMeta> meta_of(std::string_view name, const Place& place) const;
  TensorMeta require_meta(std::string_view name, const Place& place) const;
  void define_inputs();
  void read_node(const fbs::Node& node, std::size_t index);
  void read_call(const fbs::Node& source, const Place& place);
  bool read_getitem(const fbs::Node& source, const Place& place);
  void read_output(const fbs::Output& source, Node& node, const Place& place);
  void read_results(const fbs::Node& source, const Place& place);
  void check_listed_outputs();

  const fbs::Graph& source_;
  const std::size_t depth_;
  const Place& place_;
  Graph graph_;
  Scope scope_;
  std::unordered_map<std::string_view, const fbs::TensorMeta*> metas_;
  std::unordered_set<std::string_view> node_names_;
  std::unordered_map<std::string_view, Results> results_of_node_;
  bool has_output_node_ = false;
};

// A graph that is an argument: it binds nothing. `depth` counts from 1.
Graph read_subgraph(const fbs::Graph& source, std::size_t depth, const Place& place);

}  // namespace plumb
