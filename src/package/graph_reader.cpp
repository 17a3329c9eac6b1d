// Names become ids, one pass over the nodes: a reference to what comes later is an error.
#include "package/graph_reader.h"

#include <string>
#include <utility>

#include "package/argument_reader.h"
#include "package/limits.h"
#include "package/tensor_meta_reader.h"

namespace plumb {
namespace {

constexpr std::string_view kOpPrefix = "torch.ops.";
constexpr std::string_view kGetitem = "_operator.getitem";

// An absent list is an empty one.
template <typename Vector>
std::size_t length(const Vector* vector) {
  return vector == nullptr ? 0 : vector->size();
}

template <typename Vector>
auto at(const Vector* vector, std::size_t i) {
  return vector->Get(static_cast<flatbuffers::uoffset_t>(i));
}

ValueKind kind_of(fbs::OutputValueKind kind) {
  switch (kind) {
    case fbs::OutputValueKind::INT:
      return ValueKind::kInt;
    case fbs::OutputValueKind::BOOL:
      return ValueKind::kBool;
    case fbs::OutputValueKind::FLOAT:
      return ValueKind::kFloat;
    default:
      return ValueKind::kTensor;
  }
}

}  // namespace

GraphReader::GraphReader(const fbs::Graph& source, std::size_t depth, const Place& place)
    : source_(source), depth_(depth), place_(place), scope_(graph_) {
  if (depth > limits::kMaxGraphDepth) {
    place.fail("is nested deeper than kMaxGraphDepth = " + std::to_string(limits::kMaxGraphDepth));
  }
  for (std::size_t i = 0; i < length(source.tensor_values()); ++i) {
    const fbs::TensorValue& entry = *at(source.tensor_values(), i);
    if (!metas_.emplace(text_of(entry.name()), entry.meta()).second) {
      Place(place, "field", "tensor_values").fail("describes " + in_quotes(text_of(entry.name())) + " twice");
    }
  }
  define_inputs();
}

std::optional<TensorMeta> GraphReader::meta_of(std::string_view name, const Place& place) const {
  const auto it = metas_.find(name);
  if (it == metas_.end()) return {};
  return read_tensor_meta(*it->second, Place(place, "value", name));
}

TensorMeta GraphReader::require_meta(std::string_view name, const Place& place) const {
  auto meta = meta_of(name, place);
  if (!meta) place.fail("has no dtype and sizes; expected an entry " + in_quotes(name) + " in tensor_values");
  return *std::move(meta);
}

void GraphReader::define_inputs() {
  // Only a placeholder node tells that the operand of a nested graph is a number.
  std::unordered_map<std::string_view, ValueKind> kinds;
  for (std::size_t i = 0; i < length(source_.nodes()); ++i) {
    const fbs::Node& node = *at(source_.nodes(), i);
    if (node.op_kind() != fbs::OpKind::PLACEHOLDER || length(node.outputs()) == 0) continue;
    kinds.emplace(text_of(node.name()), kind_of(at(node.outputs(), 0)->kind()));
  }
  for (std::size_t i = 0; i < length(source_.inputs()); ++i) {
    const std::string_view name = text_of(at(source_.inputs(), i));
    const Place input(place_, "input", name);
    const auto found = kinds.find(name);
    const ValueKind kind = found == kinds.end() ? ValueKind::kTensor : found->second;
    if (depth_ == 0 && kind != ValueKind::kTensor) input.fail("is a number; expected a tensor");
    std::optional<TensorMeta> meta;
    if (kind == ValueKind::kTensor) meta = require_meta(name, input);
    if (depth_ == 0) {
      // Tracing specialises 0 and 1, so that exporters write 2 for dimensions that may also be 1.
      for (Dim& dim : meta->sizes) {
        if (dim.min == 2 && !dim.is_static()) dim.min = 1;
      }
    }
    graph_.inputs.push_back(scope_.define(name, kind, std::move(meta), kNoNode, input));
  }
}

ValueId GraphReader::bind(std::string_view name, std::optional<TensorMeta> meta, const Place& binding) {
  if (!meta) meta = require_meta(name, binding);
  return scope_.define(name, ValueKind::kTensor, std::move(meta), kNoNode, binding);
}

Graph GraphReader::read() {
  for (std::size_t i = 0; i < length(source_.nodes()); ++i) read_node(*at(source_.nodes(), i), i);
  if (!has_output_node_) {
    for (std::size_t i = 0; i < length(source_.outputs()); ++i) {
      graph_.outputs.emplace_back(
          scope_.tensor(text_of(at(source_.outputs(), i)), Place(place_, "output", i)));
    }
  }
  check_listed_outputs();
  return std::move(graph_);
}

void GraphReader::read_node(const fbs::Node& node, std::size_t index) {
  const std::string_view name = text_of(node.name());
  check_name(name, "name", Place(place_, "node", index));
  const Place place(place_, "node", name);
  if (!node_names_.insert(name).second) place.fail("is the second of this name; expected different names");
  if (has_output_node_) place.fail("comes after the output node; expected that to be the last");
  switch (node.op_kind()) {
    case fbs::OpKind::PLACEHOLDER:
      if (scope_.find(name) == kNoValue) {
        place.fail("is a placeholder that is no input of its graph and bound to no constant or buffer");
      }
      return;
    case fbs::OpKind::OUTPUT:
      has_output_node_ = true;
      return read_results(node, place);
    case fbs::OpKind::CALL_FUNCTION:
      return read_call(node, place);
  }
}

void GraphReader::read_call(const fbs::Node& source, const Place& place) {
  std::string_view op = text_of(source.target());
  if (op.starts_with(kOpPrefix)) op.remove_prefix(kOpPrefix.size());
  check_name(op, "target", place);
  if (op == kGetitem && read_getitem(source, place)) return;

  Node node{.name = std::string(text_of(source.name())), .op = std::string(op), .inputs = {}, .outputs = {}};
  node.inputs.reserve(length(source.inputs()));
  for (std::size_t i = 0; i < length(source.inputs()); ++i) {
    const fbs::NamedArgument& input = *at(source.inputs(), i);
    const std::string_view name = text_of(input.name());
    const Place argument = name.empty() ? Place(place, "argument", i) : Place(place, "argument", name);
    if (!name.empty()) check_name(name, "name", argument);
    if (!name.empty() && node.find(name) != nullptr) argument.fail("is given twice");
    ArgumentValue value = read_argument(*input.arg(), scope_, depth_, argument);
    const bool mutated = input.mutated() && !std::holds_alternative<None>(value);
    if (mutated && !std::holds_alternative<TensorRef>(value) &&
        !std::holds_alternative<TensorListArg>(value)) {
      argument.fail("is marked as written; expected that of tensors only");
    }
    node.inputs.push_back({.name = std::string(name), .value = std::move(value), .mutated = mutated});
  }
  for (std::size_t i = 0; i < length(source.outputs()); ++i) {
    read_output(*at(source.outputs(), i), node, Place(place, "output", i));
  }
  results_of_node_.emplace(text_of(source.name()), node.produced());
  graph_.nodes.push_back(std::move(node));
}

// Results of a tuple have names of their own, but exporters leave a getitem on the node's name where it goes
// straight to the outputs: that is one more name for the result.
bool GraphReader::read_getitem(const fbs::Node& source, const Place& place) {
  if (length(source.inputs()) != 2 || length(source.outputs()) != 1) return false;
  const auto* tuple = at(source.inputs(), 0)->arg()->value_as_TensorArg();
  const auto* index = at(source.inputs(), 1)->arg()->value_as_IntArg();
  if (tuple == nullptr || index == nullptr || scope_.find(text_of(tuple->name())) != kNoValue) return false;
  const auto it = results_of_node_.find(text_of(tuple->name()));
  if (it == results_of_node_.end()) return false;
  const auto count = static_cast<std::int64_t>(it->second.size());
  if (index->value() < 0 || index->value() >= count) {
    place.fail("takes result " + std::to_string(index->value()) + " of node " +
               in_quotes(text_of(tuple->name())) + ", which has " + std::to_string(count));
  }
  const std::string_view name = text_of(at(source.outputs(), 0)->name());
  check_name(name, "name of a value", place);
  scope_.add_name(name, it->second[static_cast<std::size_t>(index->value())], place);
  return true;
}

void GraphReader::read_output(const fbs::Output& source, Node& node, const Place& place) {
  const auto producer = static_cast<std::int32_t>(graph_.nodes.size());
  Output output;
  // Before the names of this node exist: an output shares the storage of an input, not of another output.
  if (const std::string_view alias = text_of(source.alias_of()); !alias.empty()) {
    output.alias_of = scope_.tensor(alias, Place(place, "field", "alias_of"));
  }
  output.is_list = source.kind() == fbs::OutputValueKind::TENSOR_LIST;
  if (output.is_list) {
    for (std::size_t i = 0; i < length(source.names()); ++i) {
      const std::string_view name = text_of(at(source.names(), i));
      output.values.push_back(scope_.define(name, ValueKind::kTensor, meta_of(name, place), producer, place));
    }
  } else {
    if (length(source.names()) != 0) {
      Place(place, "field", "names")
          .fail("is given for a single value; expected it for lists of tensors only");
    }
    const std::string_view name = text_of(source.name());
    const ValueKind kind = kind_of(source.kind());
    auto meta = kind == ValueKind::kTensor ? meta_of(name, place) : std::nullopt;
    output.values.push_back(scope_.define(name, kind, std::move(meta), producer, place));
  }
  node.outputs.push_back(std::move(output));
}

void GraphReader::read_results(const fbs::Node& source, const Place& place) {
  for (std::size_t i = 0; i < length(source.inputs()); ++i) {
    const Place result(place, "argument", i);
    const ArgumentValue value = read_argument(*at(source.inputs(), i)->arg(), scope_, depth_, result);
    if (const auto* tensor = std::get_if<TensorRef>(&value)) {
      graph_.outputs.emplace_back(tensor->value);
    } else if (const auto* number = std::get_if<IntArg>(&value)) {
      graph_.outputs.push_back(number->ref == kNoValue ? GraphOutput(number->value)
                                                       : GraphOutput(number->ref));
    } else if (const auto* real = std::get_if<FloatArg>(&value)) {
      graph_.outputs.push_back(real->ref == kNoValue ? GraphOutput(real->value) : GraphOutput(real->ref));
    } else if (const auto* flag = std::get_if<BoolArg>(&value)) {
      graph_.outputs.push_back(flag->ref == kNoValue ? GraphOutput(flag->value) : GraphOutput(flag->ref));
    } else if (std::holds_alternative<None>(value)) {
      graph_.outputs.emplace_back(None{});
    } else {
      result.fail("is a list, a text, a dtype or a graph; expected a tensor, a number or None");
    }
  }
}

// Graph.outputs repeats the tensors among the results, in order.
void GraphReader::check_listed_outputs() {
  const Place field(place_, "field", "outputs");
  std::size_t next = 0;
  for (const GraphOutput& output : graph_.outputs) {
    const auto* id = std::get_if<ValueId>(&output);
    if (id == nullptr || scope_.value(*id).kind != ValueKind::kTensor) continue;
    if (next == length(source_.outputs()) || scope_.find(text_of(at(source_.outputs(), next))) != *id) {
      field.fail("differs from the output node: expected " + in_quotes(scope_.value(*id).name) +
                 " as entry " + std::to_string(next));
    }
    if (!scope_.value(*id).meta) {
      field.fail("lists " + in_quotes(scope_.value(*id).name) +
                 ", which has no dtype and sizes; expected an entry in tensor_values");
    }
    ++next;
  }
  if (next != length(source_.outputs())) {
    field.fail("has " + std::to_string(length(source_.outputs())) + " entries; expected " +
               std::to_string(next) + ", the tensors of the output node");
  }
}

Graph read_subgraph(const fbs::Graph& source, std::size_t depth, const Place& place) {
  return GraphReader(source, depth, place).read();
}

}  // namespace plumb
