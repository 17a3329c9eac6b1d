// One form for what packages spell differently, and dead nodes.
#include <gtest/gtest.h>

#include "method_builder.h"

namespace plumb::test {
namespace {

using Ops = std::vector<std::string>;

TEST(Canonicalize, gives_copying_and_prefixed_forms_of_views_one_name) {
  MethodBuilder b;
  ValueId x = b.input("x", {2, 3});
  x = b.call("a", "torch.ops.aten.view_copy.default", {tensor("self", x), integers("size", {3, 2})}, {3, 2});
  x = b.call("b", "aten._unsafe_view.default", {tensor("self", x), integers("size", {6})}, {6});
  x = b.call("c", "aten.reshape.default", {tensor("self", x), integers("shape", {2, 3})}, {2, 3});
  x = b.call("d", "aten.permute_copy.default", {tensor("self", x), integers("dims", {1, 0})}, {3, 2});
  x = b.call("e", "aten.squeeze_copy.dims", {tensor("self", x), integers("dim", {})}, {3, 2});
  b.output(x);
  const Rewritten r = rewrite(b.build());
  EXPECT_EQ(r.ops(), (Ops{"aten.view.default", "aten.view.default", "aten.view.default",
                          "aten.permute.default", "aten.squeeze.dims"}));
  EXPECT_NE(r.node("c").find("size"), nullptr);
}

TEST(Canonicalize, leaves_conversions_alone) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2});
  b.output(b.call("y", "aten._to_copy.default", {tensor("self", x)}, {2}, DType::kInt64));
  EXPECT_EQ(rewrite(b.build()).ops(), Ops{"aten._to_copy.default"});
}

TEST(Canonicalize, removes_aliases_unless_they_are_results_made_from_inputs) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId inner = b.call("inner", "aten.detach_copy.default", {tensor("self", x)}, {2});
  const ValueId y = b.call("y", "aten.neg.default", {tensor("self", inner)}, {2});
  b.output(b.call("outer", "aten.lift_fresh_copy.default", {tensor("self", y)}, {2}));
  b.output(b.call("kept", "aten.alias_copy.default", {tensor("self", x)}, {2}));
  EXPECT_EQ(rewrite(b.build()).ops(), (Ops{"aten.neg.default", "aten.alias.default"}));
}

TEST(Canonicalize, resolves_left_over_getitems) {
  MethodBuilder b;
  const ValueId x = b.input("x", {4});
  const auto parts =
      b.call_many("parts", "aten.topk.default", {tensor("self", x), integer("k", 2)}, {{2}, {2}});
  const ValueId picked = b.call("picked", "_operator.getitem", {tensor("", parts[0]), integer("", 1)}, {2});
  b.output(b.call("y", "aten.neg.default", {tensor("self", picked)}, {2}));
  const Rewritten r = rewrite(b.build());
  EXPECT_EQ(r.ops(), (Ops{"aten.topk.default", "aten.neg.default"}));
  EXPECT_EQ(r.name_of(*r.node("y").find("self")), "parts_out1");
}

TEST(Canonicalize, names_positional_arguments_of_known_operators) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2});
  b.output(b.call("y", "aten.add.Tensor", {tensor("", x), number("", 1)}, {2}));
  const Rewritten r = rewrite(b.build());
  EXPECT_EQ(r.node("y").inputs[1].name, "other");
}

TEST(Canonicalize, turns_conv2d_into_convolution) {
  MethodBuilder b;
  const ValueId x = b.input("x", {1, 3, 8, 8});
  const ValueId w = b.constant("w", {4, 3, 3, 3});
  b.output(b.call("y", "aten.conv2d.default",
                  {tensor("input", x), tensor("weight", w), none("bias"), integers("stride", {2})},
                  {1, 4, 3, 3}));
  const Rewritten r = rewrite(b.build());
  EXPECT_EQ(r.ops(), Ops{"aten.convolution.default"});
  const Node& node = r.node("y");
  EXPECT_EQ(std::get<IntListArg>(node.find("stride")->value).items.size(), 2U);
  EXPECT_EQ(std::get<IntListArg>(node.find("stride")->value).items[1].value, 2);
  EXPECT_FALSE(std::get<BoolArg>(node.find("transposed")->value).value);
}

TEST(Canonicalize, pads_more_at_the_end_for_same_padding_of_an_even_kernel) {
  MethodBuilder b;
  const ValueId x = b.input("x", {1, 3, 8, 8});
  const ValueId w = b.constant("w", {4, 3, 3, 2});
  b.output(b.call("y", "aten.conv2d.padding",
                  {tensor("input", x), tensor("weight", w), none("bias"), text("padding", "same")},
                  {1, 4, 8, 8}));
  const Rewritten r = rewrite(b.build());
  EXPECT_EQ(r.ops(), (Ops{"aten.constant_pad_nd.default", "aten.convolution.default"}));
  const auto& pad = std::get<IntListArg>(r.node("y_padded").find("pad")->value).items;
  EXPECT_EQ(pad[0].value, 0);
  EXPECT_EQ(pad[1].value, 1);
  EXPECT_EQ(pad[3].value, 0);
  const auto& padding = std::get<IntListArg>(r.node("y").find("padding")->value).items;
  EXPECT_EQ(padding[0].value, 1);
  EXPECT_EQ(padding[1].value, 0);
}

TEST(RemoveDeadNodes, removes_unused_chains_and_implied_assertions_but_not_checks_of_values) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId unused = b.call("unused", "aten.neg.default", {tensor("self", x)}, {2});
  b.call("unused_too", "aten.neg.default", {tensor("self", unused)}, {2});
  b.call_without_result("implied", "aten._assert_tensor_metadata.default", {tensor("a", x)});
  b.call_without_result("check", "aten._assert_async.msg", {tensor("self", x), text("assert_msg", "no")});
  b.output(b.call("y", "aten.neg.default", {tensor("self", x)}, {2}));
  EXPECT_EQ(rewrite(b.build()).ops(), (Ops{"aten._assert_async.msg", "aten.neg.default"}));
}

TEST(RemoveDeadNodes, keeps_inputs_and_state_and_drops_unused_constants) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2});
  b.input("unused_input", {2});
  b.buffer("unused_buffer", {2}, "buffer");
  b.constant("unused_constant", {2});
  b.output(b.call("y", "aten.neg.default", {tensor("self", x)}, {2}));
  const Rewritten r = rewrite(b.build());
  EXPECT_EQ(r.method->graph.inputs.size(), 2U);
  EXPECT_EQ(r.method->buffers.size(), 1U);
  EXPECT_TRUE(r.method->constants.empty());
}

}  // namespace
}  // namespace plumb::test
