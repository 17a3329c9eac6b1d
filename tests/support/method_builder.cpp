// Bookkeeping of ids and producers.
#include "support/method_builder.h"

#include <cstring>
#include <set>
#include <span>
#include <utility>

namespace plumb::testing {

TensorMeta tensor_meta(DType dtype, const std::vector<std::int64_t>& sizes) {
  TensorMeta meta;
  meta.dtype = dtype;
  for (const std::int64_t size : sizes) meta.sizes.push_back({.min = size, .max = size});
  return meta;
}

TensorMeta float_meta(const std::vector<std::int64_t>& sizes) {
  return tensor_meta(DType::kFloat32, sizes);
}

std::shared_ptr<const Constant> make_constant(std::string key, DType dtype, std::vector<std::int64_t> sizes,
                                              const std::vector<std::byte>& data) {
  // A vector of doubles is aligned for every dtype.
  auto storage = std::make_shared<std::vector<double>>(data.size() / sizeof(double) + 1);
  if (!data.empty()) std::memcpy(storage->data(), data.data(), data.size());
  auto constant = std::make_shared<Constant>();
  constant->key = std::move(key);
  constant->dtype = dtype;
  constant->sizes = std::move(sizes);
  constant->data = std::as_bytes(std::span(*storage)).first(data.size());
  constant->owner = storage;
  return constant;
}

std::shared_ptr<const Constant> float_constant(std::string key, std::vector<std::int64_t> sizes,
                                               const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return make_constant(std::move(key), DType::kFloat32, std::move(sizes), {bytes.begin(), bytes.end()});
}

ValueId MethodBuilder::add_value(const std::string& name, ValueKind kind, std::optional<TensorMeta> meta,
                                 std::int32_t producer) {
  method_.graph.values.push_back({.name = name, .kind = kind, .meta = std::move(meta), .producer = producer});
  return static_cast<ValueId>(method_.graph.values.size() - 1);
}

ValueId MethodBuilder::input(const std::string& name, TensorMeta meta) {
  const ValueId id = add_value(name, ValueKind::kTensor, std::move(meta), kNoNode);
  method_.graph.inputs.push_back(id);
  return id;
}

ValueId MethodBuilder::scalar_input(const std::string& name, ValueKind kind) {
  const ValueId id = add_value(name, kind, {}, kNoNode);
  method_.graph.inputs.push_back(id);
  return id;
}

ValueId MethodBuilder::constant(const std::string& name, std::shared_ptr<const Constant> constant,
                                InputKind kind, bool mutated) {
  TensorMeta meta = tensor_meta(constant->dtype, constant->sizes);
  meta.quant = constant->quant;
  const ValueId id = add_value(name, ValueKind::kTensor, std::move(meta), kNoNode);
  method_.constants.push_back(
      {.value = id, .constant = std::move(constant), .kind = kind, .mutated = mutated});
  return id;
}

ValueId MethodBuilder::buffer(const std::string& name, const std::string& fqn, TensorMeta meta) {
  const ValueId id = add_value(name, ValueKind::kTensor, std::move(meta), kNoNode);
  method_.buffers.push_back({.value = id, .fqn = fqn});
  return id;
}

ValueId MethodBuilder::node(const std::string& name, const std::string& op, std::vector<Argument> inputs,
                            TensorMeta meta) {
  const auto index = static_cast<std::int32_t>(method_.graph.nodes.size());
  const ValueId id = add_value(name, ValueKind::kTensor, std::move(meta), index);
  method_.graph.nodes.push_back(
      {.name = name, .op = op, .inputs = std::move(inputs), .outputs = {{.values = {id}}}});
  return id;
}

ValueId MethodBuilder::scalar(const std::string& name, const std::string& op, std::vector<Argument> inputs,
                              ValueKind kind) {
  const auto index = static_cast<std::int32_t>(method_.graph.nodes.size());
  const ValueId id = add_value(name, kind, {}, index);
  method_.graph.nodes.push_back(
      {.name = name, .op = op, .inputs = std::move(inputs), .outputs = {{.values = {id}}}});
  return id;
}

std::vector<ValueId> MethodBuilder::nodes(const std::string& name, const std::string& op,
                                          std::vector<Argument> inputs, const std::vector<TensorMeta>& metas,
                                          bool is_list) {
  const auto index = static_cast<std::int32_t>(method_.graph.nodes.size());
  std::vector<ValueId> ids;
  for (const TensorMeta& meta : metas) {
    ids.push_back(add_value(name + "_out" + std::to_string(ids.size()), ValueKind::kTensor, meta, index));
  }
  Node node{.name = name, .op = op, .inputs = std::move(inputs), .outputs = {}};
  if (is_list) {
    node.outputs.push_back({.values = ids, .is_list = true});
  } else {
    for (const ValueId id : ids) node.outputs.push_back({.values = {id}});
  }
  method_.graph.nodes.push_back(std::move(node));
  return ids;
}

void MethodBuilder::output(GraphOutput output, OutputSpec spec) {
  method_.graph.outputs.push_back(output);
  method_.output_specs.push_back(std::move(spec));
}

Program make_program(const Method& method) {
  return make_program(std::vector<Method>{method});
}

Program make_program(const std::vector<Method>& methods) {
  Program program;
  program.version = "1";
  std::set<const Constant*> seen;
  for (const Method& method : methods) {
    program.methods.push_back(std::make_shared<Method>(method));
    for (const ConstantBinding& binding : method.constants) {
      if (seen.insert(binding.constant.get()).second) program.constants.push_back(binding.constant);
    }
  }
  return program;
}

Method small_method() {
  MethodBuilder builder;
  const ValueId x = builder.input("x", float_meta({1, 4}));
  const ValueId w = builder.constant("w", float_constant("layer.weight", {4}, {1, -2, 3, -4}));
  const ValueId sum = builder.node("add", "aten.add.Tensor",
                                   {{.name = "self", .value = TensorRef{x}},
                                    {.name = "other", .value = TensorRef{w}},
                                    {.name = "alpha", .value = IntArg{.value = 1}}},
                                   float_meta({1, 4}));
  builder.output(builder.node("relu", "aten.relu.default", {{.name = "self", .value = TensorRef{sum}}},
                              float_meta({1, 4})));
  return builder.build();
}

}  // namespace plumb::testing
