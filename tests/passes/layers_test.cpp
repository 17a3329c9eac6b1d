// Lowering to layers with an epilogue, and folding into their weights and padding.
#include <gtest/gtest.h>

#include <cmath>

#include "method_builder.h"

namespace plumb::test {
namespace {

using Ops = std::vector<std::string>;
const Shape kImage = {1, 2, 4, 4};

TEST(LowerConvolution, adds_an_empty_epilogue) {
  MethodBuilder b;
  const ValueId x = b.input("x", kImage);
  b.output(b.convolution("y", x, b.constant("w", {2, 2, 3, 3}), kImage));
  const Rewritten r = rewrite(b.build(), {"lower_convolution"});
  EXPECT_EQ(r.ops(), Ops{"plumb.convolution"});
  EXPECT_EQ(std::get<std::string>(r.node("y").find("activation")->value), "none");
  EXPECT_TRUE(std::holds_alternative<None>(r.node("y").find("residual")->value));
}

TEST(LowerConvolution, leaves_other_dtypes_alone) {
  MethodBuilder b;
  const ValueId x = b.input("x", kImage);
  const ValueId y = b.convolution("y", x, b.constant("w", {2, 2, 3, 3}), kImage);
  b.meta(y).dtype = DType::kInt32;
  b.output(y);
  EXPECT_EQ(rewrite(b.build(), {"lower_convolution"}).ops(), Ops{"aten.convolution.default"});
}

TEST(LowerLinear, transposes_the_weight_of_an_addmm_once) {
  MethodBuilder b;
  const ValueId x = b.input("x", {1, 3});
  const ValueId w = b.constant("w", {3, 2}, {1, 2, 3, 4, 5, 6});
  const ValueId bias = b.constant("bias", {2});
  for (const char* name : {"y", "z"}) {
    b.output(b.call(name, "aten.addmm.default", {tensor("self", bias), tensor("mat1", x), tensor("mat2", w)},
                    {1, 2}));
  }
  const Rewritten r = rewrite(b.build(), {"lower_linear"});
  EXPECT_EQ(r.ops(), (Ops{"plumb.linear", "plumb.linear"}));
  EXPECT_EQ(r.constant("y", "weight").sizes, (Shape{2, 3}));
  EXPECT_EQ(floats(r.constant("y", "weight")), (std::vector<float>{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(&r.constant("y", "weight"), &r.constant("z", "weight"));
  EXPECT_EQ(r.name_of(*r.node("y").find("bias")), "bias");
}

TEST(LowerLinear, takes_the_weight_behind_a_transposition_as_it_is) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2, 1, 3});
  const ValueId w = b.constant("w", {2, 3});
  const ValueId t =
      b.call("t", "aten.permute.default", {tensor("self", w), integers("dims", {1, 0})}, {3, 2});
  b.output(b.call("y", "aten.matmul.default", {tensor("self", x), tensor("other", t)}, {2, 1, 2}));
  const Rewritten r = rewrite(b.build(), {"lower_linear"});
  EXPECT_EQ(r.ops(), Ops{"plumb.linear"});
  EXPECT_EQ(r.name_of(*r.node("y").find("weight")), "w");
}

TEST(LowerLinear, leaves_computed_right_sides_scaled_and_broadcast_products_alone) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2, 3});
  const ValueId computed = b.input("computed", {3, 2});
  const ValueId w = b.constant("w", {3, 2});
  const ValueId bias = b.constant("bias", {2});
  const ValueId matrix = b.constant("matrix", {2, 2});
  b.output(b.call("a", "aten.mm.default", {tensor("self", x), tensor("mat2", computed)}, {2, 2}));
  b.output(b.call("b", "aten.addmm.default",
                  {tensor("self", bias), tensor("mat1", x), tensor("mat2", w), number("alpha", 2)}, {2, 2}));
  b.output(b.call("c", "aten.addmm.default", {tensor("self", matrix), tensor("mat1", x), tensor("mat2", w)},
                  {2, 2}));
  EXPECT_EQ(rewrite(b.build(), {"lower_linear"}).changes("lower_linear"), 0);
}

TEST(LowerLinear, leaves_a_linear_with_a_broadcast_bias_alone) {
  for (const Shape& sizes : {Shape{1}, Shape{2, 2}}) {
    MethodBuilder b;
    const ValueId x = b.input("x", {2, 3});
    const ValueId w = b.constant("w", {2, 3});
    b.output(b.call("y", "aten.linear.default",
                    {tensor("input", x), tensor("weight", w), tensor("bias", b.constant("bias", sizes))},
                    {2, 2}));
    EXPECT_EQ(rewrite(b.build(), {"lower_linear"}).changes("lower_linear"), 0);
  }
}

struct BatchNorm {
  ValueId output;
  std::vector<ValueId> results;
};

BatchNorm batch_norm(MethodBuilder& b, ValueId x, const Shape& sizes) {
  const ValueId weight = b.constant("bn_weight", {2}, {2, 3});
  const ValueId bias = b.constant("bn_bias", {2}, {5, 7});
  const ValueId mean = b.constant("bn_mean", {2}, {1, -1});
  const ValueId variance = b.constant("bn_var", {2}, {3, 8});
  const auto results = b.call_many(
      "bn", "aten._native_batch_norm_legit_no_training.default",
      {tensor("input", x), tensor("weight", weight), tensor("bias", bias), tensor("running_mean", mean),
       tensor("running_var", variance), number("momentum", 0.1), number("eps", 1)},
      {sizes, {0}, {0}});
  return {results[0], results};
}

const std::vector<std::string> kBatchNorm = {"lower_convolution", "lower_linear", "fold_batch_norm"};

TEST(FoldBatchNorm, scales_weights_and_makes_a_bias) {
  MethodBuilder b;
  const ValueId x = b.input("x", kImage);
  const ValueId y = b.convolution("conv", x, b.constant("w", {2, 2, 3, 3}), kImage);
  b.output(batch_norm(b, y, kImage).output);
  const Rewritten r = rewrite(b.build(), kBatchNorm);
  EXPECT_EQ(r.ops(), Ops{"plumb.convolution"});
  const std::vector<float> weight = floats(r.constant("bn", "weight"));
  ASSERT_EQ(weight.size(), 36U);
  EXPECT_EQ(weight[0], 1.0f);   // 2 / sqrt(3 + 1)
  EXPECT_EQ(weight[18], 1.0f);  // 3 / sqrt(8 + 1)
  EXPECT_EQ(floats(r.constant("bn", "bias")), (std::vector<float>{4, 8}));
}

TEST(FoldBatchNorm, knows_the_weight_layout_of_transposed_grouped_convolutions) {
  MethodBuilder b;
  const ValueId x = b.input("x", {1, 4, 4, 4});
  // Two groups of two input channels, one output channel each.
  const ValueId y = b.convolution("conv", x, b.constant("w", {4, 1, 1, 1}), kImage);
  for (Argument& argument : b.last_node().inputs) {
    if (argument.name == "transposed") argument.value = BoolArg{true, kNoValue};
    if (argument.name == "groups") argument.value = IntArg{2, kNoValue};
  }
  const ValueId weight = b.constant("bn_weight", {2}, {2, 6});
  const ValueId ones = b.constant("bn_ones", {2});
  const ValueId zeros = b.constant("bn_zeros", {2}, 0);
  b.output(
      b.call_many("bn", "aten._native_batch_norm_legit_no_training.default",
                  {tensor("input", y), tensor("weight", weight), none("bias"), tensor("running_mean", zeros),
                   tensor("running_var", ones), number("momentum", 0.1), number("eps", 0)},
                  {kImage, {0}, {0}})[0]);
  const Rewritten r = rewrite(b.build(), kBatchNorm);
  EXPECT_EQ(floats(r.constant("bn", "weight")), (std::vector<float>{2, 2, 6, 6}));
}

TEST(FoldBatchNorm, keeps_a_batch_norm_whose_layer_is_used_again) {
  MethodBuilder b;
  const ValueId x = b.input("x", kImage);
  const ValueId y = b.convolution("conv", x, b.constant("w", {2, 2, 3, 3}), kImage);
  b.output(batch_norm(b, y, kImage).output);
  b.output(y);
  EXPECT_EQ(rewrite(b.build(), kBatchNorm).changes("fold_batch_norm"), 0);
}

TEST(FoldBatchNorm, keeps_a_batch_norm_behind_computed_weights_or_behind_no_layer) {
  MethodBuilder b;
  const ValueId x = b.input("x", kImage);
  const ValueId w = b.input("w", {2, 2, 3, 3});
  b.output(batch_norm(b, b.convolution("conv", x, w, kImage), kImage).output);
  EXPECT_EQ(rewrite(b.build(), kBatchNorm).changes("fold_batch_norm"), 0);
  MethodBuilder alone;
  const ValueId z = alone.input("x", kImage);
  alone.output(batch_norm(alone, z, kImage).output);
  EXPECT_EQ(rewrite(alone.build(), kBatchNorm).changes("fold_batch_norm"), 0);
}

TEST(FoldBatchNorm, keeps_a_batch_norm_whose_channels_are_not_those_of_the_linear_layer) {
  MethodBuilder b;
  const ValueId x = b.input("x", {1, 2, 2});
  const ValueId y = b.linear("linear", x, b.constant("w", {2, 2}), {1, 2, 2});
  b.output(batch_norm(b, y, {1, 2, 2}).output);
  EXPECT_EQ(rewrite(b.build(), kBatchNorm).changes("fold_batch_norm"), 0);
}

TEST(FoldBatchNorm, folds_into_a_linear_layer) {
  MethodBuilder b;
  const ValueId x = b.input("x", {3, 2});
  const ValueId y = b.linear("linear", x, b.constant("w", {2, 2}), {3, 2});
  b.output(batch_norm(b, y, {3, 2}).output);
  EXPECT_EQ(rewrite(b.build(), kBatchNorm).ops(), Ops{"plumb.linear"});
}

const std::vector<std::string> kAffine = {"lower_convolution", "lower_linear", "fold_affine"};

TEST(FoldAffine, folds_layer_scale_and_a_separate_bias) {
  MethodBuilder b;
  const ValueId x = b.input("x", {1, 3, 2});
  const ValueId y = b.linear("linear", x, b.constant("w", {2, 2}), {1, 3, 2});
  const ValueId shifted =
      b.call("shifted", "aten.add.Tensor",
             {tensor("self", y), tensor("other", b.constant("bias", {2}, {1, 2}))}, {1, 3, 2});
  b.output(b.call("scaled", "aten.mul.Tensor",
                  {tensor("self", b.constant("gamma", {1, 2}, {10, 100})), tensor("other", shifted)},
                  {1, 3, 2}));
  const Rewritten r = rewrite(b.build(), kAffine);
  EXPECT_EQ(r.ops(), Ops{"plumb.linear"});
  EXPECT_EQ(floats(r.constant("scaled", "weight")), (std::vector<float>{10, 10, 100, 100}));
  EXPECT_EQ(floats(r.constant("scaled", "bias")), (std::vector<float>{10, 200}));
}

TEST(FoldAffine, keeps_constants_that_vary_elsewhere_or_broadcast_the_result) {
  MethodBuilder b;
  const ValueId x = b.input("x", kImage);
  const ValueId y = b.convolution("conv", x, b.constant("w", {2, 2, 3, 3}), kImage);
  b.output(b.call("columns", "aten.mul.Tensor", {tensor("self", y), tensor("other", b.constant("c", {4}))},
                  kImage));
  const ValueId z = b.linear("linear", b.input("v", {1, 2}), b.constant("w2", {2, 2}), {1, 2});
  b.output(b.call("broadcast", "aten.mul.Tensor",
                  {tensor("self", z), tensor("other", b.constant("d", {1, 1}))}, {3, 2}));
  EXPECT_EQ(rewrite(b.build(), kAffine).changes("fold_affine"), 0);
}

TEST(FoldAffine, keeps_a_division_by_zero) {
  MethodBuilder b;
  const ValueId y = b.linear("linear", b.input("x", {1, 2}), b.constant("w", {2, 2}), {1, 2});
  b.output(b.call("y", "aten.div.Tensor", {tensor("self", y), number("other", 0)}, {1, 2}));
  EXPECT_EQ(rewrite(b.build(), kAffine).changes("fold_affine"), 0);
}

std::shared_ptr<const Method> padded_convolution(std::vector<std::int64_t> pad, double value,
                                                 bool used_again = false) {
  MethodBuilder b;
  const ValueId x = b.input("x", {1, 2, 3, 3});
  const ValueId p = b.call("pad", "aten.constant_pad_nd.default",
                           {tensor("self", x), integers("pad", pad), number("value", value)}, kImage);
  b.output(b.convolution("y", p, b.constant("w", {2, 2, 3, 3}), kImage));
  if (used_again) b.output(p);
  return b.build();
}

const std::vector<std::string> kPad = {"lower_convolution", "fold_pad"};

TEST(FoldPad, pads_each_side_of_the_convolution) {
  const Rewritten r = rewrite(padded_convolution({0, 1, 2, 3}, 0), kPad);
  EXPECT_EQ(r.ops(), Ops{"plumb.convolution"});
  const auto& padding = std::get<IntListArg>(r.node("y").find("padding")->value).items;
  ASSERT_EQ(padding.size(), 4U);  // before_h, before_w, after_h, after_w, on top of 1
  EXPECT_EQ(padding[0].value, 3);
  EXPECT_EQ(padding[1].value, 1);
  EXPECT_EQ(padding[2].value, 4);
  EXPECT_EQ(padding[3].value, 2);
}

TEST(FoldPad, writes_symmetric_padding_once_a_dimension) {
  const Rewritten r = rewrite(padded_convolution({1, 1}, 0), kPad);
  const auto& padding = std::get<IntListArg>(r.node("y").find("padding")->value).items;
  ASSERT_EQ(padding.size(), 2U);
  EXPECT_EQ(padding[0].value, 1);
  EXPECT_EQ(padding[1].value, 2);
}

TEST(FoldPad, keeps_other_values_cropping_padded_channels_and_shared_pads) {
  EXPECT_EQ(rewrite(padded_convolution({0, 1, 0, 1}, 1), kPad).changes("fold_pad"), 0);
  EXPECT_EQ(rewrite(padded_convolution({0, 1, 0, -1}, 0), kPad).changes("fold_pad"), 0);
  EXPECT_EQ(rewrite(padded_convolution({0, 1, 0, 1, 1, 0}, 0), kPad).changes("fold_pad"), 0);
  EXPECT_EQ(rewrite(padded_convolution({0, 1, 0, 1}, 0, true), kPad).changes("fold_pad"), 0);
}

}  // namespace
}  // namespace plumb::test
