// The structural rules of a method, checked after loading and after every pass.
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "graph/graph.h"
#include "plumb/error.h"
#include "plumb/tensor.h"

namespace plumb {
namespace {

constexpr int kMaxNesting = 64;  // of graphs; the package reader allows fewer

// The shape of a message: "context: method 'm', node 'n': problem".
class Verifier {
 public:
  Verifier(const Graph& graph, std::string where, int depth)
      : graph_(graph), where_(std::move(where)), defined_(graph.values.size(), false), depth_(depth) {
    if (depth > kMaxNesting) fail("graphs are nested deeper than " + std::to_string(kMaxNesting));
  }

  // `bound` are values that the method binds to data or state.
  void check(const std::vector<ValueId>& bound) {
    check_values();
    for (const ValueId id : graph_.inputs) define_source(id, "input");
    for (const ValueId id : bound) define_source(id, "constant or buffer");
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
      check_node(graph_.nodes[i], static_cast<std::int32_t>(i));
    check_producers();
    for (const GraphOutput& output : graph_.outputs) {
      if (const auto* id = std::get_if<ValueId>(&output)) check_use(*id, "a graph output");
    }
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(ErrorKind::kPackage, where_ + node_ + ": " + problem);
  }

 private:
  void check_values() const {
    std::unordered_set<std::string_view> names;
    for (const Value& value : graph_.values) {
      if (value.name.empty()) fail("a value has no name");
      if (!names.insert(value.name).second) fail("two values are called '" + value.name + "'");
      if (value.kind != ValueKind::kTensor && value.meta)
        fail("number '" + value.name + "' has tensor metadata");
      if (value.meta) check_meta(value);
    }
  }

  void check_meta(const Value& value) const {
    const TensorMeta& meta = *value.meta;
    const std::string field = "value '" + value.name + "', field ";
    if (meta.sizes.size() > kMaxRank)
      fail(field + "sizes: more than " + std::to_string(kMaxRank) + " dimensions");
    for (const Dim& dim : meta.sizes) {
      if (dim.min < 0 || (dim.max >= 0 && dim.max < dim.min)) {
        fail(field + "sizes: range " + std::to_string(dim.min) + ".." + std::to_string(dim.max));
      }
    }
    if (meta.dim_order.empty()) return;
    std::vector<bool> seen(meta.sizes.size(), false);
    for (const std::int32_t dim : meta.dim_order) {
      const auto index = static_cast<std::size_t>(dim);
      if (dim < 0 || index >= seen.size() || seen[index]) fail(field + "dim_order: no permutation");
      seen[index] = true;
    }
    if (meta.dim_order.size() != seen.size()) fail(field + "dim_order: expected one entry a dimension");
  }

  const Value& value_in_range(ValueId id, std::string_view role) const {
    if (id >= graph_.values.size()) {
      fail(std::string(role) + " has id " + std::to_string(id) + "; the graph has " +
           std::to_string(graph_.values.size()) + " values");
    }
    return graph_.values[id];
  }

  void define(ValueId id, std::string_view role) {
    const Value& value = value_in_range(id, role);
    if (defined_[id]) fail("value '" + value.name + "' is defined twice");
    defined_[id] = true;
  }

  void define_source(ValueId id, std::string_view role) {
    define(id, role);
    if (graph_.values[id].producer != kNoNode) {
      fail(std::string(role) + " '" + graph_.values[id].name + "' is also said to be computed by a node");
    }
  }

  const Value& check_use(ValueId id, std::string_view role) const {
    const Value& value = value_in_range(id, role);
    if (!defined_[id]) fail(std::string(role) + " uses '" + value.name + "', which nothing before defines");
    return value;
  }

  void check_tensor(ValueId id, const std::string& role) const {
    if (check_use(id, role).kind != ValueKind::kTensor) fail(role + " is a number; expected a tensor");
  }

  void check_scalar(ValueId ref, const std::string& role) const {
    if (ref == kNoValue) return;
    if (check_use(ref, role).kind == ValueKind::kTensor) fail(role + " is a tensor; expected a number");
  }

  void check_node(const Node& node, std::int32_t index) {
    node_ = ", node '" + node.name + "'";
    if (node.name.empty()) fail("has no name");
    if (!node_names_.insert(node.name).second) fail("is the second of this name");
    if (node.op.empty()) fail("field op: is empty");
    for (std::size_t i = 0; i < node.inputs.size(); ++i) check_argument(node.inputs[i], i);
    for (const Output& output : node.outputs) {
      if (output.alias_of != kNoValue) check_tensor(output.alias_of, "field alias_of");
      if (!output.is_list && output.values.size() != 1)
        fail("has an output that is no list without its one value");
    }
    for (const ValueId id : node.produced()) {
      define(id, "an output");
      if (graph_.values[id].producer != index) {
        fail("computes '" + graph_.values[id].name + "', which is said to come from elsewhere");
      }
    }
    node_.clear();
  }

  void check_argument(const Argument& argument, std::size_t index) const {
    const std::string role =
        "argument '" + (argument.name.empty() ? std::to_string(index) : argument.name) + "'";
    if (const auto* tensor = std::get_if<TensorRef>(&argument.value)) {
      check_tensor(tensor->value, role);
    } else if (const auto* list = std::get_if<TensorListArg>(&argument.value)) {
      for (const ValueId id : list->values) {
        if (id != kNoValue) check_tensor(id, role);
      }
    } else if (argument.mutated) {
      fail(role + " is marked as written but is no tensor");
    } else if (const auto* integer = std::get_if<IntArg>(&argument.value)) {
      check_scalar(integer->ref, role);
    } else if (const auto* real = std::get_if<FloatArg>(&argument.value)) {
      check_scalar(real->ref, role);
    } else if (const auto* flag = std::get_if<BoolArg>(&argument.value)) {
      check_scalar(flag->ref, role);
    } else if (const auto* integers = std::get_if<IntListArg>(&argument.value)) {
      for (const IntArg& item : integers->items) check_scalar(item.ref, role);
    } else if (const auto* nested = std::get_if<SubgraphArg>(&argument.value)) {
      if (nested->graph == nullptr) fail(role + " has no graph");
      Verifier(*nested->graph, where_ + node_ + ", graph '" + nested->name + "'", depth_ + 1).check({});
    }
  }

  void check_producers() const {
    for (ValueId id = 0; id < graph_.values.size(); ++id) {
      if (!defined_[id]) fail("value '" + graph_.values[id].name + "' is defined by nothing");
    }
  }

  const Graph& graph_;
  std::string where_;
  std::string node_;
  std::vector<bool> defined_;
  std::unordered_set<std::string_view> node_names_;
  int depth_;
};

void check_constant(const ConstantBinding& binding, const Verifier& verifier, const Graph& graph) {
  const std::string& name = graph.value(binding.value).name;
  if (binding.constant == nullptr) verifier.fail("constant '" + name + "' has no data");
  const Value& value = graph.value(binding.value);
  if (value.kind != ValueKind::kTensor)
    verifier.fail("constant '" + name + "' is a number; expected a tensor");
  if (value.meta && value.meta->quant != binding.constant->quant) {
    verifier.fail("constant '" + name + "' and its data differ in quantisation");
  }
}

void check_specs(const Method& method, const Verifier& verifier) {
  if (method.output_specs.size() != method.graph.outputs.size()) {
    verifier.fail("field output_specs: has " + std::to_string(method.output_specs.size()) + " entries for " +
                  std::to_string(method.graph.outputs.size()) + " outputs");
  }
  for (std::size_t i = 0; i < method.output_specs.size(); ++i) {
    const OutputSpec& spec = method.output_specs[i];
    if (spec.kind == OutputKind::kUserOutput) continue;
    const std::string field = "field output_specs[" + std::to_string(i) + "]: ";
    const auto* id = std::get_if<ValueId>(&method.graph.outputs[i]);
    if (id == nullptr || method.graph.value(*id).kind != ValueKind::kTensor) {
      verifier.fail(field + "writes back what is no tensor");
    }
    if (spec.target.empty()) verifier.fail(field + "has no target");
  }
}

}  // namespace

void verify(const Method& method, std::string_view context) {
  std::vector<ValueId> bound;
  for (const ConstantBinding& binding : method.constants) bound.push_back(binding.value);
  for (const BufferBinding& binding : method.buffers) bound.push_back(binding.value);
  const std::string where = std::string(context) + ", method '" + method.name + "'";
  Verifier verifier(method.graph, where, 0);
  verifier.check(bound);
  for (const ConstantBinding& binding : method.constants) check_constant(binding, verifier, method.graph);
  for (const BufferBinding& binding : method.buffers) {
    const Value& value = method.graph.value(binding.value);
    if (!value.meta || !value.meta->is_static()) {
      verifier.fail("buffer '" + binding.fqn + "' has no fixed dtype and sizes");
    }
  }
  check_specs(method, verifier);
}

}  // namespace plumb
