// Builds small methods for tests, value by value. Checks nothing: tests build broken ones too.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace plumb::testing {

TensorMeta tensor_meta(DType dtype, const std::vector<std::int64_t>& sizes);
TensorMeta float_meta(const std::vector<std::int64_t>& sizes);

// A constant that owns its data.
std::shared_ptr<const Constant> make_constant(std::string key, DType dtype, std::vector<std::int64_t> sizes,
                                              const std::vector<std::byte>& data);
std::shared_ptr<const Constant> float_constant(std::string key, std::vector<std::int64_t> sizes,
                                               const std::vector<float>& values);

class MethodBuilder {
 public:
  explicit MethodBuilder(std::string name = "forward") { method_.name = std::move(name); }

  ValueId input(const std::string& name, TensorMeta meta);
  // The operand of a nested graph that is a number.
  ValueId scalar_input(const std::string& name, ValueKind kind);
  ValueId constant(const std::string& name, std::shared_ptr<const Constant> constant,
                   InputKind kind = InputKind::kParameter, bool mutated = false);
  ValueId buffer(const std::string& name, const std::string& fqn, TensorMeta meta);
  // A node of one result, which has the node's name.
  ValueId node(const std::string& name, const std::string& op, std::vector<Argument> inputs, TensorMeta meta);
  ValueId scalar(const std::string& name, const std::string& op, std::vector<Argument> inputs,
                 ValueKind kind);
  // A node of several results, or of one list: `name`_out0, …
  std::vector<ValueId> nodes(const std::string& name, const std::string& op, std::vector<Argument> inputs,
                             const std::vector<TensorMeta>& metas, bool is_list = false);
  // That the last node's first result shares the storage of `value`.
  void alias_last_of(ValueId value) { method_.graph.nodes.back().outputs.front().alias_of = value; }
  void output(GraphOutput output, OutputSpec spec = {});

  Method build() const { return method_; }
  std::shared_ptr<const Graph> graph() const { return std::make_shared<Graph>(method_.graph); }

 protected:
  ValueId add_value(const std::string& name, ValueKind kind, std::optional<TensorMeta> meta,
                    std::int32_t producer);

  Method method_;
};

// One method, its constants in order of binding.
Program make_program(const Method& method);
Program make_program(const std::vector<Method>& methods);

// forward(x: float32[1, 4]) = relu(x + w) with a parameter w: what most tests start from.
Method small_method();

}  // namespace plumb::testing
