// Scalars of a graph follow Python's rules.
#include <gtest/gtest.h>

#include "base/layout.h"
#include "plan/scalars.h"
#include "plumb/error.h"

namespace plumb {
namespace {

Scalar evaluate(std::string_view op, std::vector<CallArgument> operands) {
  std::vector<NamedCallArgument> arguments;
  for (CallArgument& operand : operands) arguments.push_back({"", std::move(operand), false});
  Call call;
  call.op = op;
  call.node = "node";
  call.arguments = arguments;
  return evaluate_scalar(call);
}

std::int64_t integer(std::string_view op, std::int64_t a, std::int64_t b) {
  return std::get<std::int64_t>(evaluate(op, {a, b}));
}

TEST(Scalars, floor_division_and_modulo_have_the_signs_of_python) {
  EXPECT_EQ(integer("_operator.floordiv", -7, 2), -4);
  EXPECT_EQ(integer("_operator.floordiv", 7, -2), -4);
  EXPECT_EQ(integer("_operator.mod", -7, 3), 2);
  EXPECT_EQ(integer("_operator.mod", 7, -3), -2);
  EXPECT_EQ(integer("_operator.mod", INT64_MIN, -1), 0);
}

TEST(Scalars, true_division_gives_a_float) {
  EXPECT_EQ(std::get<double>(evaluate("_operator.truediv", {std::int64_t{7}, std::int64_t{2}})), 3.5);
}

TEST(Scalars, an_overflow_or_a_division_by_zero_is_an_error) {
  EXPECT_THROW(integer("_operator.add", INT64_MAX, 1), Error);
  EXPECT_THROW(integer("_operator.mul", INT64_MAX, 2), Error);
  EXPECT_THROW(integer("_operator.floordiv", INT64_MIN, -1), Error);
  EXPECT_THROW(integer("_operator.mod", 1, 0), Error);
  EXPECT_THROW(evaluate("_operator.neg", {std::int64_t{INT64_MIN}}), Error);
}

TEST(Scalars, a_power_of_minus_one_takes_no_time) {
  EXPECT_EQ(integer("_operator.pow", -1, INT64_MAX), -1);
  EXPECT_EQ(integer("_operator.pow", -1, INT64_MAX - 1), 1);
  EXPECT_EQ(integer("_operator.pow", -2, 3), -8);
  EXPECT_THROW(integer("_operator.pow", 3, INT64_MAX), Error);
}

TEST(Scalars, and_works_on_the_bits_of_ints_and_on_bools) {
  EXPECT_EQ(integer("_operator.and_", 6, 3), 2);
  EXPECT_EQ(integer("_operator.or_", 6, 3), 7);
  EXPECT_TRUE(std::get<bool>(evaluate("_operator.and_", {true, true})));
}

TEST(Scalars, sizes_and_strides_are_those_of_the_row_major_tensor) {
  const Tensor tensor(nullptr, DType::kFloat32, Sizes{2, 3, 4}, Sizes{12, 1, 3});
  const auto at = [&](std::string_view op, std::int64_t dim) {
    return std::get<std::int64_t>(evaluate(op, {&tensor, dim}));
  };
  EXPECT_EQ(at("aten.sym_size.int", -1), 4);
  EXPECT_EQ(at("aten.sym_stride.int", 1), 4);
  EXPECT_THROW(at("aten.sym_size.int", 3), Error);
}

TEST(Scalars, an_item_of_a_tensor_that_is_no_constant_is_refused) {
  const Tensor tensor(nullptr, DType::kInt64, Sizes{});
  EXPECT_THROW(evaluate("aten._local_scalar_dense.default", {&tensor}), Error);
}

}  // namespace
}  // namespace plumb
