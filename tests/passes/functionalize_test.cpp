// Writes in place as values: renaming, write-back of state and inputs, and what is refused.
#include <gtest/gtest.h>

#include "method_builder.h"
#include "plumb/error.h"

namespace plumb::test {
namespace {

using Ops = std::vector<std::string>;

std::string refusal(MethodBuilder& builder) {
  try {
    rewrite(builder.build());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    return error.what();
  }
  return "";
}

TEST(Functionalize, makes_the_operator_functional_and_renames_later_uses) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2, 3});
  const ValueId sum = b.call("sum", "aten.add.Tensor", {tensor("self", x), number("other", 1)}, {2, 3});
  const ValueId before = b.call("before", "aten.neg.default", {tensor("self", sum)}, {2, 3});
  b.call("relu", "torch.ops.aten.relu_.default", {written("self", sum)}, {2, 3});
  b.last_node().outputs[0].alias_of = sum;
  const ValueId after = b.call("after", "aten.neg.default", {tensor("self", sum)}, {2, 3});
  b.output(before);
  b.output(after);
  b.output(sum);
  const Rewritten r = rewrite(b.build());
  EXPECT_EQ(r.ops(), (Ops{"aten.add.Tensor", "aten.neg.default", "aten.relu.default", "aten.neg.default"}));
  EXPECT_EQ(r.name_of(*r.node("before").find("self")), "sum");
  EXPECT_EQ(r.name_of(*r.node("after").find("self")), "relu");
  EXPECT_FALSE(r.node("relu").find("self")->mutated);
  EXPECT_EQ(r.node("relu").outputs[0].alias_of, kNoValue);
  EXPECT_EQ(r.method->graph.value(std::get<ValueId>(r.method->graph.outputs[2])).name, "relu");
  EXPECT_EQ(r.method->graph.outputs.size(), 3U);
}

TEST(Functionalize, writes_state_back_once_with_its_last_value) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId count = b.state("count", {2});
  const ValueId cache = b.buffer("cache", {2}, "layer.cache");
  b.call("first", "aten.add_.Tensor", {written("self", count), tensor("other", x)}, {2});
  b.call("second", "aten.mul_.Tensor", {written("self", count), number("other", 2)}, {2});
  const ValueId put = b.call("put", "aten.copy_.default", {written("self", cache), tensor("src", x)}, {2});
  b.output(put);
  const Rewritten r = rewrite(b.build());
  ASSERT_EQ(r.method->output_specs.size(), 3U);
  EXPECT_EQ(r.method->output_specs[1].kind, OutputKind::kBufferMutation);
  EXPECT_EQ(r.method->output_specs[1].target, "count");
  EXPECT_EQ(r.method->graph.value(std::get<ValueId>(r.method->graph.outputs[1])).name, "second");
  EXPECT_EQ(r.method->output_specs[2].target, "layer.cache");
  EXPECT_EQ(r.name_of(*r.node("second").find("self")), "first");
  // Overwriting the whole buffer leaves the new value itself.
  EXPECT_EQ(r.method->graph.value(std::get<ValueId>(r.method->graph.outputs[2])).name, "put");
}

TEST(Functionalize, keeps_a_write_back_that_the_package_declares) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId cache = b.buffer("cache", {2}, "cache");
  const ValueId put = b.call("put", "aten.add_.Tensor", {written("self", cache), tensor("other", x)}, {2});
  b.output(put, OutputKind::kBufferMutation, "cache");
  b.output(put);
  EXPECT_EQ(rewrite(b.build()).method->output_specs.size(), 2U);
}

TEST(Functionalize, tells_the_caller_about_a_written_input) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2});
  b.call("relu", "aten.relu_.default", {written("self", x)}, {2});
  const Rewritten r = rewrite(b.build());
  ASSERT_EQ(r.method->output_specs.size(), 1U);
  EXPECT_EQ(r.method->output_specs[0].kind, OutputKind::kUserInputMutation);
  EXPECT_EQ(r.method->output_specs[0].target, "x");
}

TEST(Functionalize, refuses_a_view_that_outlives_a_write_to_its_base) {
  MethodBuilder b;
  const ValueId x = b.input("x", {4});
  const ValueId sum = b.call("sum", "aten.add.Tensor", {tensor("self", x), number("other", 1)}, {4});
  const ValueId view =
      b.call("view", "aten.view.default", {tensor("self", sum), integers("size", {2, 2})}, {2, 2});
  b.call("relu", "aten.relu_.default", {written("self", sum)}, {4});
  b.output(view);
  const std::string message = refusal(b);
  EXPECT_NE(message.find("'relu'"), std::string::npos) << message;
  EXPECT_NE(message.find("'view'"), std::string::npos) << message;
}

TEST(Functionalize, accepts_a_copy_that_outlives_a_write_to_its_source) {
  MethodBuilder b;
  const ValueId x = b.input("x", {4});
  const ValueId sum = b.call("sum", "aten.add.Tensor", {tensor("self", x), number("other", 1)}, {4});
  const ValueId copy =
      b.call("copy", "aten.view_copy.default", {tensor("self", sum), integers("size", {2, 2})}, {2, 2});
  b.call("relu", "aten.relu_.default", {written("self", sum)}, {4});
  b.output(copy);
  b.output(sum);
  const Rewritten r = rewrite(b.build());
  EXPECT_EQ(r.name_of(*r.node("copy").find("self")), "sum");
}

TEST(Functionalize, refuses_to_write_state_through_a_view) {
  MethodBuilder b;
  const ValueId cache = b.buffer("cache", {4}, "cache");
  const ValueId part = b.call("part", "aten.slice.Tensor",
                              {tensor("self", cache), integer("dim", 0), integer("start", 0)}, {2});
  const ValueId relu = b.call("relu", "aten.relu_.default", {written("self", part)}, {2});
  b.output(relu);
  EXPECT_NE(refusal(b).find("'cache'"), std::string::npos);
}

TEST(Functionalize, refuses_to_write_a_constant) {
  MethodBuilder b;
  const ValueId weight = b.constant("weight", {4});
  b.output(b.call("relu", "aten.relu_.default", {written("self", weight)}, {4}));
  EXPECT_NE(refusal(b).find("'weight'"), std::string::npos);
}

TEST(Functionalize, refuses_a_writing_operator_without_a_functional_form) {
  MethodBuilder b;
  const ValueId x = b.input("x", {4});
  const ValueId y = b.call("y", "aten.neg.default", {tensor("self", x)}, {4});
  b.output(b.call("out", "aten.relu.out", {tensor("self", x), written("out", y)}, {4}));
  EXPECT_NE(refusal(b).find("'out'"), std::string::npos);
}

}  // namespace
}  // namespace plumb::test
