// Small methods for tests of passes, and what the passes make of them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "passes/passes.h"
#include "support/method_builder.h"

namespace plumb::test {

using Shape = std::vector<std::int64_t>;

// Arguments by name.
Argument tensor(std::string name, ValueId value);
Argument tensors(std::string name, std::vector<ValueId> values);
Argument number(std::string name, double value);
Argument integer(std::string name, std::int64_t value);
Argument integers(std::string name, const std::vector<std::int64_t>& values);
Argument flag(std::string name, bool value);
Argument text(std::string name, std::string value);
Argument none(std::string name);
Argument written(std::string name, ValueId value);

// What tests of passes need beyond the common builder: float32 by default, shapes without TensorMeta, a
// result that is verified.
class MethodBuilder : public testing::MethodBuilder {
 public:
  ValueId input(std::string name, const Shape& sizes, DType dtype = DType::kFloat32);
  // An input whose first size is dynamic, 1 to 8.
  ValueId dynamic_input(std::string name, const Shape& sizes);
  ValueId constant(std::string name, const Shape& sizes, std::vector<float> values);
  ValueId constant(std::string name, const Shape& sizes, float value = 1);
  ValueId bool_constant(std::string name, const Shape& sizes, std::vector<bool> values);
  ValueId state(std::string name, const Shape& sizes);                    // a constant that is written
  ValueId buffer(std::string name, const Shape& sizes, std::string fqn);  // starts as zeros
  // A node with one result, of the name of the node.
  ValueId call(std::string name, std::string op, std::vector<Argument> inputs, const Shape& sizes,
               DType dtype = DType::kFloat32);
  // A node with several results.
  std::vector<ValueId> call_many(std::string name, std::string op, std::vector<Argument> inputs,
                                 const std::vector<Shape>& sizes);
  void call_without_result(std::string name, std::string op, std::vector<Argument> inputs);
  void output(ValueId value, OutputKind kind = OutputKind::kUserOutput, std::string target = "");
  TensorMeta& meta(ValueId value) { return *method_.graph.values[value].meta; }
  Node& last_node() { return method_.graph.nodes.back(); }

  // x * w + b and the like, with sensible geometry: 3x3, padding 1, stride 1, NCHW.
  ValueId convolution(const std::string& name, ValueId x, ValueId weight, const Shape& sizes);
  ValueId linear(const std::string& name, ValueId x, ValueId weight, const Shape& sizes);

  std::shared_ptr<const Method> build();
};

struct Rewritten {
  std::shared_ptr<const Method> method;
  std::vector<PassRecord> log;

  std::int64_t changes(std::string_view pass) const;
  std::vector<std::string> ops() const;                 // of all nodes, in order
  const Node& node(std::string_view name) const;        // fails the test when there is none
  std::string name_of(const Argument& argument) const;  // of the value that the argument refers to
  const Constant& constant(std::string_view node, std::string_view argument) const;
};

// Runs the passes that every program needs, and of the others those named.
Rewritten rewrite(const std::shared_ptr<const Method>& method, const std::vector<std::string>& wanted = {},
                  Evaluator evaluate = {});

std::vector<float> floats(const Constant& constant);

}  // namespace plumb::test
