// Buffers: which are state, and which are zeros that nothing writes.
#include "package/state.h"

#include "support/method_builder.h"
#include "support/reading.h"

namespace plumb::testing {
namespace {

OutputSpec writes(const std::string& fqn) {
  return {.kind = OutputKind::kBufferMutation, .target = fqn};
}

// forward(x) = state + x, with the sum written back as `specs` say.
Method accumulator(const std::string& name, const std::vector<OutputSpec>& specs) {
  MethodBuilder builder(name);
  const ValueId x = builder.input("x", float_meta({2}));
  const ValueId state = builder.buffer("b_state", "state", float_meta({2}));
  const ValueId sum =
      builder.node("add", "aten.add.Tensor",
                   {{.name = "self", .value = TensorRef{state}}, {.name = "other", .value = TensorRef{x}}},
                   float_meta({2}));
  for (const OutputSpec& spec : specs) builder.output(sum, spec);
  return builder.build();
}

TEST(State, takes_a_repeated_write_back_as_write_back_and_result) {
  const auto program =
      read(to_parts(make_program(accumulator("forward", {writes("state"), writes("state")}))));
  const Method& method = *program->methods[0];
  EXPECT_EQ(method.output_specs[0].kind, OutputKind::kBufferMutation);
  EXPECT_EQ(method.output_specs[1].kind, OutputKind::kUserOutput);
  EXPECT_TRUE(unwritten_zero_buffers(*program).empty());
}

TEST(State, tells_zero_buffers_that_nothing_writes) {
  const auto program = read(to_parts(make_program(accumulator("forward", {{}}))));
  EXPECT_EQ(unwritten_zero_buffers(*program), std::vector<std::string>{"state"});
  const auto both =
      read(to_parts(make_program({accumulator("read", {{}}), accumulator("write", {writes("state")})})));
  EXPECT_TRUE(unwritten_zero_buffers(*both).empty());
}

TEST(State, sees_writes_in_place_through_a_view) {
  MethodBuilder builder;
  const ValueId x = builder.input("x", float_meta({2}));
  const ValueId state = builder.buffer("b_state", "state", float_meta({2}));
  const ValueId view = builder.node("view", "aten.view.default",
                                    {{.name = "self", .value = TensorRef{state}}}, float_meta({2}));
  builder.alias_last_of(state);
  builder.output(builder.node(
      "add_", "aten.add_.Tensor",
      {{.name = "self", .value = TensorRef{view}, .mutated = true}, {.name = "other", .value = TensorRef{x}}},
      float_meta({2})));
  EXPECT_TRUE(unwritten_zero_buffers(*read(to_parts(make_program(builder.build())))).empty());
}

Method constant_method(const std::string& name, const std::shared_ptr<const Constant>& constant,
                       bool written) {
  MethodBuilder builder(name);
  const ValueId value = builder.constant("b", constant, InputKind::kBuffer, written);
  builder.output(
      builder.node("neg", "aten.neg.default", {{.name = "self", .value = TensorRef{value}}}, float_meta({1})),
      written ? writes("buf") : OutputSpec{});
  return builder.build();
}

TEST(State, of_one_method_is_state_for_all) {
  const auto constant = float_constant("buf", {1}, {1});
  const auto program = read(to_parts(
      make_program({constant_method("read", constant, false), constant_method("write", constant, true)})));
  EXPECT_TRUE(program->methods[0]->constants[0].mutated);
  EXPECT_TRUE(program->methods[1]->constants[0].mutated);
}

TEST(State, is_refused_when_its_data_are_shared) {
  const auto constant = float_constant("buf", {1}, {1});
  PackageParts parts = to_parts(make_program(constant_method("forward", constant, true)));
  parts.aliases = R"({"other":"buf"})";
  expect_contains(refusal(parts), "buffer 'buf': is written by a method but shares its data");
}

TEST(State, is_refused_when_methods_disagree) {
  Method other = accumulator("other", {writes("state")});
  for (Value& value : other.graph.values) value.meta = float_meta({3});
  expect_contains(refusal(to_parts(make_program({accumulator("forward", {writes("state")}), other}))),
                  "method 'other', buffer 'state': has another dtype or shape");
}

TEST(State, has_a_limit) {
  Method huge = accumulator("forward", {writes("state")});
  for (Value& value : huge.graph.values) value.meta = float_meta({std::int64_t{1} << 40});
  expect_contains(refusal(to_parts(make_program(huge))), "kMaxZeroBufferBytes");
}

// forward() reads two zero-initialised buffers of `bytes` each.
Method two_buffers(std::int64_t bytes) {
  MethodBuilder builder;
  const TensorMeta meta = tensor_meta(DType::kUInt8, {bytes});
  builder.buffer("b_first", "first", meta);
  builder.output(builder.buffer("b_second", "second", meta));
  return builder.build();
}

TEST(State, has_a_limit_for_all_buffers_together) {
  constexpr std::int64_t kHalf = std::int64_t{8} << 30;
  EXPECT_EQ(read(to_parts(make_program(two_buffers(kHalf))))->methods.size(), 1U);
  expect_contains(refusal(to_parts(make_program(two_buffers(kHalf + 1)))),
                  "buffer 'second': takes the zero-initialised buffers of the program to 17179869186 bytes");
}

TEST(State, is_bound_to_one_value_a_method) {
  const auto constant = float_constant("buf", {1}, {1});
  MethodBuilder builder("read");
  builder.constant("a", constant, InputKind::kBuffer);
  builder.output(builder.constant("b", constant, InputKind::kBuffer));
  const Method twice = builder.build();
  EXPECT_EQ(read(to_parts(make_program(twice)))->methods.size(), 1U);
  expect_contains(refusal(to_parts(make_program({twice, constant_method("write", constant, true)}))),
                  "method 'read', buffer 'buf': is written by a method and bound to two values");
}

TEST(State, writes_to_an_input_must_name_one) {
  MethodBuilder builder;
  const ValueId x = builder.input("x", float_meta({2}));
  builder.output(
      builder.node("neg", "aten.neg.default", {{.name = "self", .value = TensorRef{x}}}, float_meta({2})),
      {.kind = OutputKind::kUserInputMutation, .target = "y"});
  expect_contains(refusal(to_parts(make_program(builder.build()))), "expected an input of the method");
}

}  // namespace
}  // namespace plumb::testing
