// Residual adds and activations in layers.
#include <gtest/gtest.h>

#include <limits>

#include "method_builder.h"

namespace plumb::test {
namespace {

using Ops = std::vector<std::string>;
const Shape kImage = {1, 2, 4, 4};
const std::vector<std::string> kFuse = {"lower_convolution", "lower_linear", "fuse_epilogue"};

ValueId add(MethodBuilder& b, const std::string& name, ValueId self, ValueId other,
            const Shape& sizes = kImage) {
  return b.call(name, "aten.add.Tensor", {tensor("self", self), tensor("other", other), integer("alpha", 1)},
                sizes);
}

std::string activation(const Rewritten& r, std::string_view node) {
  return std::get<std::string>(r.node(node).find("activation")->value);
}

struct Convolution : MethodBuilder {
  ValueId x = input("x", kImage);
  ValueId w = constant("w", {2, 2, 3, 3});
  ValueId y = convolution("conv", x, w, kImage);
};

TEST(FuseEpilogue, takes_each_activation) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"aten.relu.default", "relu"}, {"aten.sigmoid.default", "sigmoid"},
      {"aten.tanh.default", "tanh"}, {"aten.silu.default", "silu"},
      {"aten.gelu.default", "gelu"}, {"aten.hardswish.default", "hardswish"}};
  for (const auto& [op, name] : rows) {
    Convolution b;
    b.output(b.call("act", op, {tensor("self", b.y)}, kImage));
    const Rewritten r = rewrite(b.build(), kFuse);
    EXPECT_EQ(r.ops(), Ops{"plumb.convolution"}) << op;
    EXPECT_EQ(activation(r, "act"), name);
  }
}

TEST(FuseEpilogue, takes_bounds_from_clamps) {
  Convolution b;
  b.output(b.call("act", "aten.hardtanh.default",
                  {tensor("self", b.y), number("min_val", 0), number("max_val", 6)}, kImage));
  const Rewritten r = rewrite(b.build(), kFuse);
  EXPECT_EQ(activation(r, "act"), "clamp");
  EXPECT_EQ(std::get<FloatArg>(r.node("act").find("min")->value).value, 0);
  EXPECT_EQ(std::get<FloatArg>(r.node("act").find("max")->value).value, 6);
}

TEST(FuseEpilogue, leaves_a_clamp_to_nan_alone) {
  for (const char* bound : {"min", "max"}) {
    Convolution b;
    b.output(b.call("act", "aten.clamp.default",
                    {tensor("self", b.y), number(bound, std::numeric_limits<double>::quiet_NaN())}, kImage));
    const Rewritten r = rewrite(b.build(), kFuse);
    EXPECT_EQ(r.ops(), (Ops{"plumb.convolution", "aten.clamp.default"})) << bound;
  }
}

TEST(FuseEpilogue, tells_the_tanh_form_of_gelu_apart) {
  MethodBuilder b;
  const ValueId y = b.linear("linear", b.input("x", {1, 2}), b.constant("w", {2, 2}), {1, 2});
  b.output(b.call("act", "aten.gelu.default", {tensor("self", y), text("approximate", "tanh")}, {1, 2}));
  EXPECT_EQ(activation(rewrite(b.build(), kFuse), "act"), "gelu_tanh");
}

TEST(FuseEpilogue, adds_a_residual_and_then_activates) {
  Convolution b;
  b.output(b.call("act", "aten.relu.default", {tensor("self", add(b, "sum", b.x, b.y))}, kImage));
  const Rewritten r = rewrite(b.build(), kFuse);
  EXPECT_EQ(r.ops(), Ops{"plumb.convolution"});
  EXPECT_EQ(r.name_of(*r.node("act").find("residual")), "x");
  EXPECT_EQ(activation(r, "act"), "relu");
}

TEST(FuseEpilogue, adds_into_the_later_of_two_layers_and_only_there) {
  Convolution b;
  const ValueId shortcut = b.convolution("shortcut", b.x, b.w, kImage);
  b.output(add(b, "sum", shortcut, b.y));
  const Rewritten r = rewrite(b.build(), kFuse);
  EXPECT_EQ(r.ops(), (Ops{"plumb.convolution", "plumb.convolution"}));
  EXPECT_EQ(r.method->graph.nodes[0].name, "conv");
  EXPECT_EQ(r.name_of(*r.node("sum").find("residual")), "conv");
}

TEST(FuseEpilogue, takes_a_residual_that_is_computed_after_the_layer) {
  Convolution b;
  const ValueId late = b.call("late", "aten.neg.default", {tensor("self", b.x)}, kImage);
  b.output(add(b, "sum", b.y, late));
  const Rewritten r = rewrite(b.build(), kFuse);
  EXPECT_EQ(r.ops(), (Ops{"aten.neg.default", "plumb.convolution"}));
}

TEST(FuseEpilogue, does_not_add_after_an_activation) {
  Convolution b;
  const ValueId act = b.call("act", "aten.relu.default", {tensor("self", b.y)}, kImage);
  b.output(add(b, "sum", act, b.x));
  const Rewritten r = rewrite(b.build(), kFuse);
  EXPECT_EQ(r.ops(), (Ops{"plumb.convolution", "aten.add.Tensor"}));
}

TEST(FuseEpilogue, keeps_what_is_used_again_or_is_a_result) {
  Convolution b;
  b.output(b.call("act", "aten.relu.default", {tensor("self", b.y)}, kImage));
  b.output(b.y);
  EXPECT_EQ(rewrite(b.build(), kFuse).changes("fuse_epilogue"), 0);
  Convolution twice;
  twice.output(add(twice, "sum", twice.y, twice.y));
  EXPECT_EQ(rewrite(twice.build(), kFuse).changes("fuse_epilogue"), 0);
}

TEST(FuseEpilogue, keeps_scaled_broadcast_and_mixed_adds) {
  Convolution scaled;
  scaled.output(scaled.call("sum", "aten.add.Tensor",
                            {tensor("self", scaled.x), tensor("other", scaled.y), number("alpha", 0.5)},
                            kImage));
  EXPECT_EQ(rewrite(scaled.build(), kFuse).changes("fuse_epilogue"), 0);
  Convolution broadcast;
  const ValueId row = broadcast.input("row", {4});
  broadcast.output(add(broadcast, "sum", broadcast.y, row));
  EXPECT_EQ(rewrite(broadcast.build(), kFuse).changes("fuse_epilogue"), 0);
  Convolution mixed;
  const ValueId ints = mixed.input("ints", kImage, DType::kInt64);
  mixed.output(add(mixed, "sum", mixed.y, ints));
  EXPECT_EQ(rewrite(mixed.build(), kFuse).changes("fuse_epilogue"), 0);
}

TEST(MoveResidualPermutes, puts_the_add_directly_behind_the_layer) {
  MethodBuilder b;
  const Shape nhwc = {1, 4, 4, 2};
  const ValueId x = b.input("x", nhwc);
  const ValueId shortcut =
      b.call("shortcut", "aten.permute.default", {tensor("self", x), integers("dims", {0, 3, 1, 2})}, kImage);
  const ValueId y = b.linear("linear", x, b.constant("w", {2, 2}), nhwc);
  const ValueId back =
      b.call("back", "aten.permute.default", {tensor("self", y), integers("dims", {0, 3, 1, 2})}, kImage);
  b.output(add(b, "sum", shortcut, back));
  const Rewritten r = rewrite(b.build(), {"lower_linear", "move_residual_permutes", "fuse_epilogue"});
  EXPECT_EQ(r.ops(), (Ops{"plumb.linear", "aten.permute.default"}));
  EXPECT_EQ(r.name_of(*r.node("sum_unpermuted").find("residual")), "x");
}

TEST(MoveResidualPermutes, permutes_a_residual_that_was_not_permuted) {
  MethodBuilder b;
  const ValueId x = b.input("x", {1, 4, 4, 2});
  const ValueId z = b.input("z", kImage);
  const ValueId y = b.linear("linear", x, b.constant("w", {2, 2}), {1, 4, 4, 2});
  const ValueId back =
      b.call("back", "aten.permute.default", {tensor("self", y), integers("dims", {0, 3, 1, 2})}, kImage);
  b.output(add(b, "sum", back, z));
  const Rewritten r = rewrite(b.build(), {"lower_linear", "move_residual_permutes"});
  EXPECT_EQ(r.ops(),
            (Ops{"plumb.linear", "aten.permute.default", "aten.add.Tensor", "aten.permute.default"}));
  const auto& dims = std::get<IntListArg>(r.node("z_unpermuted").find("dims")->value).items;
  EXPECT_EQ(dims[1].value, 2);
  EXPECT_EQ(dims[3].value, 1);
}

TEST(MoveResidualPermutes, leaves_permutes_of_shared_results_alone) {
  MethodBuilder b;
  const ValueId x = b.input("x", {1, 4, 4, 2});
  const ValueId z = b.input("z", kImage);
  const ValueId y = b.linear("linear", x, b.constant("w", {2, 2}), {1, 4, 4, 2});
  const ValueId back =
      b.call("back", "aten.permute.default", {tensor("self", y), integers("dims", {0, 3, 1, 2})}, kImage);
  b.output(add(b, "sum", back, z));
  b.output(y);
  EXPECT_EQ(rewrite(b.build(), {"lower_linear", "move_residual_permutes"}).changes("move_residual_permutes"),
            0);
}

}  // namespace
}  // namespace plumb::test
