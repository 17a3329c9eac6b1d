// Activations in the forms that exporters give them.
#include <gtest/gtest.h>

#include <cmath>

#include "method_builder.h"

namespace plumb::test {
namespace {

using Ops = std::vector<std::string>;
const Shape kShape = {2, 8};

ValueId binary(MethodBuilder& b, const std::string& name, const std::string& op, ValueId self,
               Argument other) {
  return b.call(name, "aten." + op + ".Tensor", {tensor("self", self), std::move(other)}, kShape);
}

ValueId unary(MethodBuilder& b, const std::string& name, const std::string& op, ValueId self) {
  return b.call(name, "aten." + op + ".default", {tensor("self", self)}, kShape);
}

// clamp(clamp(x + 3, 0), None, 6), as the exporter writes relu6(x + 3).
ValueId shifted_clamp(MethodBuilder& b, ValueId x, double high = 6) {
  const ValueId sum = binary(b, "plus_three", "add", x, integer("other", 3));
  const ValueId low =
      b.call("low", "aten.clamp.default", {tensor("self", sum), integer("min", 0), none("max")}, kShape);
  return b.call("high", "aten.clamp.default", {tensor("self", low), none("min"), number("max", high)},
                kShape);
}

TEST(RecognizeActivations, merges_clamps_of_either_side) {
  MethodBuilder b;
  const ValueId x = b.input("x", kShape);
  b.output(shifted_clamp(b, x));
  const Rewritten r = rewrite(b.build(), {"recognize_activations"});
  EXPECT_EQ(r.ops(), (Ops{"aten.add.Tensor", "aten.clamp.default"}));
  EXPECT_EQ(std::get<FloatArg>(r.node("high").find("min")->value).value, 0);
  EXPECT_EQ(std::get<FloatArg>(r.node("high").find("max")->value).value, 6);
}

TEST(RecognizeActivations, keeps_clamps_that_cross) {
  MethodBuilder b;
  const ValueId x = b.input("x", kShape);
  b.output(shifted_clamp(b, x, -1));
  EXPECT_EQ(rewrite(b.build(), {"recognize_activations"}).changes("recognize_activations"), 0);
}

TEST(RecognizeActivations, finds_silu_in_either_order) {
  for (const bool gate_first : {false, true}) {
    MethodBuilder b;
    const ValueId x = b.input("x", kShape);
    const ValueId gate = unary(b, "gate", "sigmoid", x);
    b.output(binary(b, "y", "mul", gate_first ? gate : x, tensor("other", gate_first ? x : gate)));
    EXPECT_EQ(rewrite(b.build(), {"recognize_activations"}).ops(), Ops{"aten.silu.default"});
  }
}

TEST(RecognizeActivations, keeps_a_sigmoid_that_gates_something_else_or_is_used_again) {
  MethodBuilder b;
  const ValueId x = b.input("x", kShape);
  const ValueId z = b.input("z", kShape);
  const ValueId gate = unary(b, "gate", "sigmoid", x);
  b.output(binary(b, "other", "mul", z, tensor("other", gate)));
  const ValueId twice = unary(b, "twice", "sigmoid", z);
  b.output(binary(b, "y", "mul", z, tensor("other", twice)));
  b.output(twice);
  EXPECT_EQ(rewrite(b.build(), {"recognize_activations"}).changes("recognize_activations"), 0);
}

TEST(RecognizeActivations, finds_hardsigmoid) {
  MethodBuilder b;
  const ValueId x = b.input("x", kShape);
  b.output(binary(b, "y", "div", shifted_clamp(b, x), integer("other", 6)));
  EXPECT_EQ(rewrite(b.build(), {"recognize_activations"}).ops(), Ops{"aten.hardsigmoid.default"});
}

TEST(RecognizeActivations, finds_hardswish_divided_last_or_first) {
  for (const bool divided_first : {false, true}) {
    MethodBuilder b;
    const ValueId x = b.input("x", kShape);
    const ValueId clamp = shifted_clamp(b, x);
    if (divided_first) {
      const ValueId gate = binary(b, "gate", "div", clamp, integer("other", 6));
      b.output(binary(b, "y", "mul", x, tensor("other", gate)));
    } else {
      const ValueId product = binary(b, "product", "mul", x, tensor("other", clamp));
      b.output(binary(b, "y", "div", product, integer("other", 6)));
    }
    EXPECT_EQ(rewrite(b.build(), {"recognize_activations"}).ops(), Ops{"aten.hardswish.default"});
  }
}

TEST(RecognizeActivations, leaves_other_dtypes_alone) {
  MethodBuilder b;
  const ValueId x = b.input("x", kShape, DType::kFloat64);
  const ValueId gate = b.call("gate", "aten.sigmoid.default", {tensor("self", x)}, kShape, DType::kFloat64);
  b.output(
      b.call("y", "aten.mul.Tensor", {tensor("self", x), tensor("other", gate)}, kShape, DType::kFloat64));
  EXPECT_EQ(rewrite(b.build(), {"recognize_activations"}).changes("recognize_activations"), 0);
}

TEST(RecognizeGelu, finds_the_erf_form) {
  MethodBuilder b;
  const ValueId x = b.input("x", kShape);
  const ValueId half = binary(b, "half", "mul", x, number("other", 0.5));
  const ValueId scaled = binary(b, "scaled", "div", x, number("other", std::sqrt(2.0)));
  const ValueId plus = binary(b, "plus", "add", unary(b, "erf", "erf", scaled), number("other", 1));
  b.output(binary(b, "y", "mul", half, tensor("other", plus)));
  const Rewritten r = rewrite(b.build(), {"recognize_gelu"});
  EXPECT_EQ(r.ops(), Ops{"aten.gelu.default"});
  EXPECT_EQ(std::get<std::string>(r.node("y").find("approximate")->value), "none");
}

std::shared_ptr<const Method> tanh_gelu(double cubic_factor) {
  MethodBuilder b;
  const ValueId x = b.input("x", kShape);
  const ValueId half = binary(b, "half", "mul", x, number("other", 0.5));
  const ValueId cube =
      b.call("cube", "aten.pow.Tensor_Scalar", {tensor("self", x), number("exponent", 3)}, kShape);
  const ValueId term = binary(b, "term", "mul", cube, number("other", cubic_factor));
  const ValueId sum = binary(b, "sum", "add", x, tensor("other", term));
  const ValueId scaled = binary(b, "scaled", "mul", sum, number("other", 0.7978845608));
  const ValueId plus = binary(b, "plus", "add", unary(b, "tanh", "tanh", scaled), number("other", 1));
  b.output(binary(b, "y", "mul", half, tensor("other", plus)));
  return b.build();
}

TEST(RecognizeGelu, finds_the_tanh_form) {
  const Rewritten r = rewrite(tanh_gelu(0.044715), {"recognize_gelu"});
  EXPECT_EQ(r.ops(), Ops{"aten.gelu.default"});
  EXPECT_EQ(std::get<std::string>(r.node("y").find("approximate")->value), "tanh");
}

TEST(RecognizeGelu, keeps_what_has_other_constants) {
  EXPECT_EQ(rewrite(tanh_gelu(0.0447), {"recognize_gelu"}).changes("recognize_gelu"), 0);
}

}  // namespace
}  // namespace plumb::test
