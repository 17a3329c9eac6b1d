// Both forms share how values and arguments are written.
#include "graph/print.h"

#include <cstdio>
#include <type_traits>
#include <variant>

#include "plumb/dtype.h"

namespace plumb {
namespace {

std::string number(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", value);
  return buffer;
}

std::string range(const Dim& dim) {
  if (dim.is_static()) return std::to_string(dim.min);
  return std::to_string(dim.min) + ".." + (dim.max < 0 ? "" : std::to_string(dim.max));
}

std::string type_of(const Value& value) {
  switch (value.kind) {
    case ValueKind::kInt:
      return "int";
    case ValueKind::kBool:
      return "bool";
    case ValueKind::kFloat:
      return "float";
    case ValueKind::kTensor:
      break;
  }
  if (!value.meta) return "tensor";
  std::string text = std::string(dtype_name(value.meta->dtype)) + "[";
  for (std::size_t i = 0; i < value.meta->sizes.size(); ++i) {
    text += (i == 0 ? "" : ", ") + range(value.meta->sizes[i]);
  }
  return text + "]";
}

// "[a, b]" of what `item` makes of each element.
template <typename List, typename Item>
std::string bracketed(const List& list, const Item& item) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i) text += (i == 0 ? "" : ", ") + item(list[i]);
  return text + "]";
}

class ArgumentPrinter {
 public:
  explicit ArgumentPrinter(const Graph& graph) : graph_(graph) {}

  std::string name(ValueId id) const { return id == kNoValue ? "None" : "%" + graph_.value(id).name; }

  std::string operator()(const None&) const { return "None"; }
  std::string operator()(const TensorRef& tensor) const { return name(tensor.value); }
  std::string operator()(const IntArg& arg) const {
    return arg.ref == kNoValue ? std::to_string(arg.value) : name(arg.ref);
  }
  std::string operator()(const FloatArg& arg) const {
    return arg.ref == kNoValue ? number(arg.value) : name(arg.ref);
  }
  std::string operator()(const BoolArg& arg) const {
    return arg.ref == kNoValue ? flag(arg.value) : name(arg.ref);
  }
  std::string operator()(const std::string& text) const { return "\"" + text + "\""; }
  std::string operator()(DType dtype) const { return std::string(dtype_name(dtype)); }
  std::string operator()(const IntListArg& list) const { return bracketed(list.items, *this); }
  std::string operator()(const FloatListArg& list) const { return bracketed(list.items, number); }
  std::string operator()(const BoolListArg& list) const { return bracketed(list.items, flag); }
  std::string operator()(const TensorListArg& list) const {
    return bracketed(list.values, [this](ValueId id) { return name(id); });
  }
  std::string operator()(const SubgraphArg& nested) const { return "graph " + nested.name; }

 private:
  static std::string flag(bool value) { return value ? "True" : "False"; }

  const Graph& graph_;
};

std::string argument_text(const Argument& argument, const Graph& graph) {
  return (argument.name.empty() ? "" : argument.name + "=") +
         std::visit(ArgumentPrinter(graph), argument.value) + (argument.mutated ? "!" : "");
}

std::string output_text(const GraphOutput& output, const Graph& graph) {
  const ArgumentPrinter print(graph);
  return std::visit(
      [&](const auto& value) -> std::string {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, ValueId>) return print.name(value);
        if constexpr (std::is_same_v<T, std::int64_t>) return print(IntArg{.value = value});
        if constexpr (std::is_same_v<T, double>) return print(FloatArg{.value = value});
        if constexpr (std::is_same_v<T, bool>) return print(BoolArg{.value = value});
        return "None";
      },
      output);
}

void append_graph(const Graph& graph, const std::string& indent, std::string& text) {
  for (const Node& node : graph.nodes) {
    text += indent;
    bool first = true;
    for (const ValueId id : node.produced()) {
      text += (first ? "%" : ", %") + graph.value(id).name + ": " + type_of(graph.value(id));
      first = false;
    }
    text += (first ? "" : " = ") + node.op + "(";
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      text += (i == 0 ? "" : ", ") + argument_text(node.inputs[i], graph);
    }
    text += ")\n";
    for (const Argument& argument : node.inputs) {
      const auto* nested = std::get_if<SubgraphArg>(&argument.value);
      if (nested == nullptr) continue;
      text += indent + "  graph " + nested->name + "\n";
      append_graph(*nested->graph, indent + "    ", text);
    }
  }
  text += indent + "return ";
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    text += (i == 0 ? "" : ", ") + output_text(graph.outputs[i], graph);
  }
  text += "\n";
}

std::string dot_string(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

class DotPrinter {
 public:
  explicit DotPrinter(const Method& method) : method_(method), graph_(method.graph) {}

  std::string print() {
    text_ = "digraph " + dot_string(method_.name) + " {\n  node [shape=box, fontname=\"sans-serif\"];\n";
    for (const ValueId id : graph_.inputs) source(id, graph_.value(id).name, "ellipse");
    for (const ConstantBinding& binding : method_.constants)
      source(binding.value, binding.constant->key, "note");
    for (const BufferBinding& binding : method_.buffers) source(binding.value, binding.fqn, "cylinder");
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) node(graph_.nodes[i], i);
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) output(i);
    return text_ + "}\n";
  }

 private:
  std::string origin(ValueId id) const {
    const std::int32_t producer = graph_.value(id).producer;
    return producer == kNoNode ? "v" + std::to_string(id) : "n" + std::to_string(producer);
  }

  void source(ValueId id, const std::string& label, const std::string& shape) {
    text_ += "  v" + std::to_string(id) + " [shape=" + shape +
             ", label=" + dot_string(label + "\n" + type_of(graph_.value(id))) + "];\n";
  }

  void edge(ValueId from, const std::string& to, const std::string& name) {
    text_ += "  " + origin(from) + " -> " + to +
             " [label=" + dot_string(name + "\n" + type_of(graph_.value(from))) + "];\n";
  }

  // Literals go into the label; an edge is drawn for each value that an argument refers to.
  void node(const Node& node, std::size_t index) {
    const std::string id = "n" + std::to_string(index);
    std::string label = node.op + "\n" + node.name;
    for (const Argument& argument : node.inputs) {
      if (std::holds_alternative<None>(argument.value)) continue;
      const std::size_t before = text_.size();
      edges(argument, id);
      if (text_.size() == before) label += "\n" + argument_text(argument, graph_);
    }
    text_ += "  " + id + " [label=" + dot_string(label) + "];\n";
  }

  void edges(const Argument& argument, const std::string& to) {
    const auto draw = [&](ValueId id) {
      if (id != kNoValue) edge(id, to, argument.name);
    };
    if (const auto* tensor = std::get_if<TensorRef>(&argument.value)) draw(tensor->value);
    if (const auto* integer = std::get_if<IntArg>(&argument.value)) draw(integer->ref);
    if (const auto* real = std::get_if<FloatArg>(&argument.value)) draw(real->ref);
    if (const auto* flag = std::get_if<BoolArg>(&argument.value)) draw(flag->ref);
    if (const auto* list = std::get_if<TensorListArg>(&argument.value)) {
      for (const ValueId id : list->values) draw(id);
    }
    if (const auto* integers = std::get_if<IntListArg>(&argument.value)) {
      for (const IntArg& item : integers->items) draw(item.ref);
    }
  }

  void output(std::size_t i) {
    const std::string id = "o" + std::to_string(i);
    const OutputSpec& spec = method_.output_specs[i];
    const std::string label = spec.kind == OutputKind::kUserOutput
                                  ? "output " + output_text(graph_.outputs[i], graph_)
                                  : "writes " + spec.target;
    text_ += "  " + id + " [shape=ellipse, label=" + dot_string(label) + "];\n";
    if (const auto* value = std::get_if<ValueId>(&graph_.outputs[i])) edge(*value, id, "");
  }

  const Method& method_;
  const Graph& graph_;
  std::string text_;
};

}  // namespace

std::string to_text(const Method& method) {
  const Graph& graph = method.graph;
  std::string text = "method " + method.name + "\n";
  for (const ValueId id : graph.inputs) {
    text += "  input %" + graph.value(id).name + ": " + type_of(graph.value(id)) + "\n";
  }
  for (const ConstantBinding& binding : method.constants) {
    text += std::string("  ") + (binding.mutated ? "state" : "constant") + " %" +
            graph.value(binding.value).name + ": " + type_of(graph.value(binding.value)) + " = " +
            binding.constant->key + "\n";
  }
  for (const BufferBinding& binding : method.buffers) {
    text += "  state %" + graph.value(binding.value).name + ": " + type_of(graph.value(binding.value)) +
            " = zeros " + binding.fqn + "\n";
  }
  append_graph(graph, "  ", text);
  for (std::size_t i = 0; i < method.output_specs.size(); ++i) {
    const OutputSpec& spec = method.output_specs[i];
    if (spec.kind == OutputKind::kUserOutput) continue;
    text += "  output " + std::to_string(i) + " writes " + spec.target + "\n";
  }
  return text;
}

std::string to_dot(const Method& method) {
  return DotPrinter(method).print();
}

}  // namespace plumb
