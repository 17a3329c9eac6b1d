// The inverse of the package reader, on the generated object API.
#include "support/program_writer.h"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

namespace plumb::testing {
namespace {

fbs::ScalarType scalar_type(DType dtype) {
  return static_cast<fbs::ScalarType>(dtype);
}

std::unique_ptr<fbs::TensorMetaT> encode_meta(const TensorMeta& meta) {
  auto table = std::make_unique<fbs::TensorMetaT>();
  table->dtype = scalar_type(meta.dtype);
  for (const Dim& dim : meta.sizes) {
    table->sizes.push_back(std::make_unique<fbs::DimT>());
    table->sizes.back()->min = dim.min;
    table->sizes.back()->max = dim.max;
  }
  table->dim_order = meta.dim_order;
  if (std::holds_alternative<std::monostate>(meta.quant)) return table;
  table->quant = std::make_unique<fbs::QuantSpecT>();
  if (const auto* affine = std::get_if<AffineGroup>(&meta.quant)) {
    fbs::AffineGroupT group;
    group.scale_data_key = affine->scale_key;
    group.scale_dtype = scalar_type(affine->scale_dtype);
    group.quant_min = affine->quant_min;
    group.quant_max = affine->quant_max;
    group.group_size = affine->group_size;
    group.zero_point_data_key = affine->zero_point_key;
    group.zero_point_dtype = scalar_type(affine->zero_point_dtype);
    table->quant->scheme.Set(std::move(group));
  } else {
    fbs::PackedQuantT packed;
    packed.codec = std::get<PackedQuant>(meta.quant).codec;
    table->quant->scheme.Set(std::move(packed));
  }
  return table;
}

std::unique_ptr<fbs::GraphT> encode_graph(const Graph& graph, const std::vector<ValueId>& bound,
                                          const std::vector<ValueId>& without_meta);

class ArgumentEncoder {
 public:
  explicit ArgumentEncoder(const Graph& graph) : graph_(graph) {}

  std::unique_ptr<fbs::ArgumentT> encode(const ArgumentValue& value) const {
    auto table = std::make_unique<fbs::ArgumentT>();
    std::visit([&](const auto& alternative) { set(table->value, alternative); }, value);
    return table;
  }

 private:
  std::string name(ValueId id) const { return id == kNoValue ? "" : graph_.value(id).name; }

  void set(fbs::ArgumentValueUnion& out, const None&) const { out.Set(fbs::NoneArgT()); }
  void set(fbs::ArgumentValueUnion& out, const TensorRef& value) const {
    fbs::TensorArgT table;
    table.name = name(value.value);
    out.Set(std::move(table));
  }
  template <typename Table, typename Scalar>
  void set_scalar(fbs::ArgumentValueUnion& out, const Scalar& value) const {
    Table table;
    table.value = value.value;
    table.ref = name(value.ref);
    out.Set(std::move(table));
  }
  void set(fbs::ArgumentValueUnion& out, const IntArg& value) const { set_scalar<fbs::IntArgT>(out, value); }
  void set(fbs::ArgumentValueUnion& out, const FloatArg& value) const {
    set_scalar<fbs::FloatArgT>(out, value);
  }
  void set(fbs::ArgumentValueUnion& out, const BoolArg& value) const {
    set_scalar<fbs::BoolArgT>(out, value);
  }
  void set(fbs::ArgumentValueUnion& out, const std::string& value) const {
    fbs::StringArgT table;
    table.value = value;
    out.Set(std::move(table));
  }
  void set(fbs::ArgumentValueUnion& out, DType value) const {
    fbs::ScalarTypeArgT table;
    table.value = scalar_type(value);
    out.Set(table);
  }
  void set(fbs::ArgumentValueUnion& out, const IntListArg& value) const {
    fbs::IntListArgT table;
    bool has_refs = false;
    for (const IntArg& item : value.items) {
      table.values.push_back(item.value);
      table.refs.push_back(name(item.ref));
      has_refs = has_refs || item.ref != kNoValue;
    }
    if (!has_refs) table.refs.clear();
    out.Set(std::move(table));
  }
  void set(fbs::ArgumentValueUnion& out, const FloatListArg& value) const {
    fbs::FloatListArgT table;
    table.values = value.items;
    out.Set(std::move(table));
  }
  void set(fbs::ArgumentValueUnion& out, const BoolListArg& value) const {
    fbs::BoolListArgT table;
    table.values = value.items;
    out.Set(std::move(table));
  }
  void set(fbs::ArgumentValueUnion& out, const TensorListArg& value) const {
    fbs::OptionalTensorListArgT optional;
    bool has_none = false;
    for (const ValueId id : value.values) {
      optional.names.push_back(name(id));
      optional.has_value.push_back(id != kNoValue);
      has_none = has_none || id == kNoValue;
    }
    if (has_none) return out.Set(std::move(optional));
    fbs::TensorListArgT table;
    table.names = optional.names;
    out.Set(std::move(table));
  }
  void set(fbs::ArgumentValueUnion& out, const SubgraphArg& value) const {
    fbs::GraphArgT table;
    table.name = value.name;
    table.graph = encode_graph(*value.graph, {}, {});
    out.Set(std::move(table));
  }

  const Graph& graph_;
};

fbs::OutputValueKind output_kind(const Graph& graph, const Output& output) {
  if (output.is_list) return fbs::OutputValueKind::TENSOR_LIST;
  switch (graph.value(output.values.front()).kind) {
    case ValueKind::kInt:
      return fbs::OutputValueKind::INT;
    case ValueKind::kBool:
      return fbs::OutputValueKind::BOOL;
    case ValueKind::kFloat:
      return fbs::OutputValueKind::FLOAT;
    case ValueKind::kTensor:
      break;
  }
  return fbs::OutputValueKind::TENSOR;
}

std::unique_ptr<fbs::OutputT> encode_output(const Graph& graph, const Output& output) {
  auto table = std::make_unique<fbs::OutputT>();
  table->kind = output_kind(graph, output);
  if (output.alias_of != kNoValue) table->alias_of = graph.value(output.alias_of).name;
  if (!output.is_list) {
    table->name = graph.value(output.values.front()).name;
    return table;
  }
  for (const ValueId id : output.values) table->names.push_back(graph.value(id).name);
  return table;
}

std::unique_ptr<fbs::NodeT> encode_node(const Graph& graph, const Node& node) {
  auto table = std::make_unique<fbs::NodeT>();
  table->name = node.name;
  table->target = node.op.starts_with("_operator.") ? node.op : "torch.ops." + node.op;
  for (const Argument& argument : node.inputs) {
    table->inputs.push_back(std::make_unique<fbs::NamedArgumentT>());
    table->inputs.back()->name = argument.name;
    table->inputs.back()->arg = ArgumentEncoder(graph).encode(argument.value);
    table->inputs.back()->mutated = argument.mutated;
  }
  for (const Output& output : node.outputs) table->outputs.push_back(encode_output(graph, output));
  return table;
}

std::unique_ptr<fbs::NodeT> placeholder(const Graph& graph, ValueId id) {
  auto table = std::make_unique<fbs::NodeT>();
  table->op_kind = fbs::OpKind::PLACEHOLDER;
  table->name = graph.value(id).name;
  table->outputs.push_back(encode_output(graph, {.values = {id}}));
  return table;
}

ArgumentValue result_argument(const Graph& graph, const GraphOutput& output) {
  return std::visit(
      [&](const auto& value) -> ArgumentValue {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::int64_t>) return IntArg{.value = value};
        if constexpr (std::is_same_v<T, double>) return FloatArg{.value = value};
        if constexpr (std::is_same_v<T, bool>) return BoolArg{.value = value};
        if constexpr (std::is_same_v<T, ValueId>) {
          switch (graph.value(value).kind) {
            case ValueKind::kInt:
              return IntArg{.ref = value};
            case ValueKind::kBool:
              return BoolArg{.ref = value};
            case ValueKind::kFloat:
              return FloatArg{.ref = value};
            case ValueKind::kTensor:
              return TensorRef{value};
          }
        }
        return None{};
      },
      output);
}

bool is_tensor(const Graph& graph, const GraphOutput& output) {
  const auto* id = std::get_if<ValueId>(&output);
  return id != nullptr && graph.value(*id).kind == ValueKind::kTensor;
}

std::unique_ptr<fbs::GraphT> encode_graph(const Graph& graph, const std::vector<ValueId>& bound,
                                          const std::vector<ValueId>& without_meta) {
  auto table = std::make_unique<fbs::GraphT>();
  for (const ValueId id : graph.inputs) {
    table->inputs.push_back(graph.value(id).name);
    table->nodes.push_back(placeholder(graph, id));
  }
  for (const ValueId id : bound) table->nodes.push_back(placeholder(graph, id));
  for (const Node& node : graph.nodes) table->nodes.push_back(encode_node(graph, node));
  auto output = std::make_unique<fbs::NodeT>();
  output->name = "output";
  output->op_kind = fbs::OpKind::OUTPUT;
  for (const GraphOutput& result : graph.outputs) {
    output->inputs.push_back(std::make_unique<fbs::NamedArgumentT>());
    output->inputs.back()->arg = ArgumentEncoder(graph).encode(result_argument(graph, result));
    if (is_tensor(graph, result)) table->outputs.push_back(graph.value(std::get<ValueId>(result)).name);
  }
  table->nodes.push_back(std::move(output));
  for (ValueId id = 0; id < graph.values.size(); ++id) {
    const bool elsewhere = std::find(without_meta.begin(), without_meta.end(), id) != without_meta.end();
    if (elsewhere || !graph.value(id).meta) continue;
    table->tensor_values.push_back(std::make_unique<fbs::TensorValueT>());
    table->tensor_values.back()->name = graph.value(id).name;
    table->tensor_values.back()->meta = encode_meta(*graph.value(id).meta);
  }
  return table;
}

std::unique_ptr<fbs::MethodT> encode_method(const Method& method) {
  auto table = std::make_unique<fbs::MethodT>();
  table->name = method.name;
  std::vector<ValueId> bound;
  std::vector<ValueId> constants;
  for (const ConstantBinding& binding : method.constants) {
    bound.push_back(binding.value);
    constants.push_back(binding.value);
    auto ref = std::make_unique<fbs::NamedTensorRefT>();
    ref->name = method.graph.value(binding.value).name;
    ref->data_key = binding.constant->key;
    ref->meta = encode_meta(*method.graph.value(binding.value).meta);
    ref->kind = static_cast<fbs::InputKind>(binding.kind);
    ref->mutated = binding.mutated;
    table->constants.push_back(std::move(ref));
  }
  for (const BufferBinding& binding : method.buffers) {
    bound.push_back(binding.value);
    table->mutable_buffers.push_back(std::make_unique<fbs::MutableBufferSpecT>());
    table->mutable_buffers.back()->name = method.graph.value(binding.value).name;
    table->mutable_buffers.back()->fqn = binding.fqn;
  }
  table->graph = encode_graph(method.graph, bound, constants);
  for (std::size_t i = 0; i < method.output_specs.size(); ++i) {
    if (!is_tensor(method.graph, method.graph.outputs[i])) continue;
    auto spec = std::make_unique<fbs::OutputSpecT>();
    spec->name = method.graph.value(std::get<ValueId>(method.graph.outputs[i])).name;
    spec->kind = static_cast<fbs::OutputKind>(method.output_specs[i].kind);
    spec->target = method.output_specs[i].target;
    table->output_specs.push_back(std::move(spec));
  }
  return table;
}

}  // namespace

fbs::ProgramT to_tables(const Program& program) {
  fbs::ProgramT table;
  table.version = program.version;
  for (const auto& method : program.methods) table.methods.push_back(encode_method(*method));
  return table;
}

Bytes encode(const fbs::ProgramT& program) {
  flatbuffers::FlatBufferBuilder builder;
  fbs::FinishProgramBuffer(builder, fbs::CreateProgram(builder, &program));
  const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
  return {data, data + builder.GetSize()};
}

}  // namespace plumb::testing
