// See method_builder.h.
#include "method_builder.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace plumb::test {

namespace {

std::size_t count(const Shape& sizes) {
  std::size_t product = 1;
  for (const std::int64_t size : sizes) product *= static_cast<std::size_t>(size);
  return product;
}

}  // namespace

Argument tensor(std::string name, ValueId value) {
  return {std::move(name), TensorRef{value}, false};
}
Argument tensors(std::string name, std::vector<ValueId> values) {
  return {std::move(name), TensorListArg{std::move(values)}, false};
}
Argument number(std::string name, double value) {
  return {std::move(name), FloatArg{value, kNoValue}, false};
}
Argument integer(std::string name, std::int64_t value) {
  return {std::move(name), IntArg{value, kNoValue}, false};
}
Argument integers(std::string name, const std::vector<std::int64_t>& values) {
  IntListArg list;
  for (const std::int64_t value : values) list.items.push_back(IntArg{value, kNoValue});
  return {std::move(name), std::move(list), false};
}
Argument flag(std::string name, bool value) {
  return {std::move(name), BoolArg{value, kNoValue}, false};
}
Argument text(std::string name, std::string value) {
  return {std::move(name), std::move(value), false};
}
Argument none(std::string name) {
  return {std::move(name), None{}, false};
}
Argument written(std::string name, ValueId value) {
  return {std::move(name), TensorRef{value}, true};
}

ValueId MethodBuilder::input(std::string name, const Shape& sizes, DType dtype) {
  return testing::MethodBuilder::input(name, testing::tensor_meta(dtype, sizes));
}

ValueId MethodBuilder::dynamic_input(std::string name, const Shape& sizes) {
  const ValueId id = input(std::move(name), sizes);
  meta(id).sizes[0] = Dim{1, 8};
  return id;
}

ValueId MethodBuilder::constant(std::string name, const Shape& sizes, std::vector<float> values) {
  return testing::MethodBuilder::constant(name, testing::float_constant(name, sizes, values));
}

ValueId MethodBuilder::constant(std::string name, const Shape& sizes, float value) {
  return constant(std::move(name), sizes, std::vector<float>(count(sizes), value));
}

ValueId MethodBuilder::bool_constant(std::string name, const Shape& sizes, std::vector<bool> values) {
  std::vector<std::byte> bytes;
  for (const bool v : values) bytes.push_back(std::byte{v});
  return testing::MethodBuilder::constant(name, testing::make_constant(name, DType::kBool, sizes, bytes),
                                          InputKind::kBuffer);
}

ValueId MethodBuilder::state(std::string name, const Shape& sizes) {
  const auto ones = testing::float_constant(name, sizes, std::vector<float>(count(sizes), 1));
  return testing::MethodBuilder::constant(name, ones, InputKind::kBuffer, true);
}

ValueId MethodBuilder::buffer(std::string name, const Shape& sizes, std::string fqn) {
  return testing::MethodBuilder::buffer(name, fqn, testing::float_meta(sizes));
}

ValueId MethodBuilder::call(std::string name, std::string op, std::vector<Argument> inputs,
                            const Shape& sizes, DType dtype) {
  return node(name, op, std::move(inputs), testing::tensor_meta(dtype, sizes));
}

std::vector<ValueId> MethodBuilder::call_many(std::string name, std::string op, std::vector<Argument> inputs,
                                              const std::vector<Shape>& sizes) {
  std::vector<TensorMeta> metas;
  for (const Shape& each : sizes) metas.push_back(testing::float_meta(each));
  return nodes(name, op, std::move(inputs), metas);
}

void MethodBuilder::call_without_result(std::string name, std::string op, std::vector<Argument> inputs) {
  method_.graph.nodes.push_back({std::move(name), std::move(op), std::move(inputs), {}});
}

void MethodBuilder::output(ValueId value, OutputKind kind, std::string target) {
  testing::MethodBuilder::output(value, {kind, std::move(target)});
}

ValueId MethodBuilder::convolution(const std::string& name, ValueId x, ValueId weight, const Shape& sizes) {
  return call(name, "aten.convolution.default",
              {tensor("input", x), tensor("weight", weight), none("bias"), integers("stride", {1, 1}),
               integers("padding", {1, 1}), integers("dilation", {1, 1}), flag("transposed", false),
               integers("output_padding", {0, 0}), integer("groups", 1)},
              sizes);
}

ValueId MethodBuilder::linear(const std::string& name, ValueId x, ValueId weight, const Shape& sizes) {
  return call(name, "aten.linear.default", {tensor("input", x), tensor("weight", weight), none("bias")},
              sizes);
}

std::shared_ptr<const Method> MethodBuilder::build() {
  verify(method_, "test");
  return std::make_shared<const Method>(method_);
}

std::int64_t Rewritten::changes(std::string_view pass) const {
  for (const PassRecord& record : log) {
    if (record.name == pass) return record.changes;
  }
  throw std::out_of_range("no pass " + std::string(pass));
}

std::vector<std::string> Rewritten::ops() const {
  std::vector<std::string> ops;
  for (const Node& node : method->graph.nodes) ops.push_back(node.op);
  return ops;
}

const Node& Rewritten::node(std::string_view name) const {
  for (const Node& node : method->graph.nodes) {
    if (node.name == name) return node;
  }
  throw std::out_of_range("no node " + std::string(name));
}

std::string Rewritten::name_of(const Argument& argument) const {
  return method->graph.value(std::get<TensorRef>(argument.value).value).name;
}

const Constant& Rewritten::constant(std::string_view node_name, std::string_view argument) const {
  const ValueId value = std::get<TensorRef>(node(node_name).find(argument)->value).value;
  return *method->find_constant(value)->constant;
}

Rewritten rewrite(const std::shared_ptr<const Method>& method, const std::vector<std::string>& wanted,
                  Evaluator evaluate) {
  PassOptions options;
  options.evaluate = std::move(evaluate);
  for (const std::string& name : pass_names()) {
    const bool is_required = name == "functionalize" || name == "canonicalize" || name == "remove_dead_nodes";
    if (!is_required && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) {
      options.disabled.push_back(name);
    }
  }
  Rewritten result;
  result.method = run_passes(method, options, &result.log);
  return result;
}

std::vector<float> floats(const Constant& constant) {
  std::vector<float> values(constant.data.size() / sizeof(float));
  std::memcpy(values.data(), constant.data.data(), constant.data.size());
  return values;
}

}  // namespace plumb::test
