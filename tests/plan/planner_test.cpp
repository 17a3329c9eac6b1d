// Planning and running small methods: views of constants, shapes that cannot be, constants that no kernel
// reads.
#include "plan/planner.h"

#include <gtest/gtest.h>

#include <numeric>

#include "plumb/error.h"
#include "support/method_builder.h"

namespace plumb {
namespace {

using testing::float_constant;
using testing::float_meta;
using testing::MethodBuilder;

Argument tensor(std::string name, ValueId value) {
  return {std::move(name), TensorRef{value}};
}

Argument ints(std::string name, const Sizes& values) {
  IntListArg list;
  for (const std::int64_t value : values) list.items.push_back({value, kNoValue});
  return {std::move(name), list};
}

Argument integer(std::string name, std::int64_t value) {
  return {std::move(name), IntArg{value, kNoValue}};
}

// The results of a method without inputs, on the reference engine.
std::vector<std::vector<float>> run(const Method& method) {
  const KernelTable table("reference", {}, {});
  CompiledMethod compiled(std::make_shared<Method>(method), table);
  ThreadPool pool(1);
  Plan plan = make_plan(compiled, {}, pool);
  const AlignedBuffer arena(plan.arena_bytes);
  bind(plan, {.arena = arena.data(), .input = {}, .state = {}});
  execute(plan, pool);
  std::vector<std::vector<float>> results;
  for (const std::size_t slot : plan.output_slots) {
    const Tensor& output = plan.slots[slot].tensor;
    results.emplace_back(output.data<float>(), output.data<float>() + output.numel());
  }
  return results;
}

std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

TEST(Planner, two_views_of_one_constant_that_begin_at_one_address_keep_their_values) {
  MethodBuilder builder;
  const ValueId w = builder.constant("w", float_constant("w", {4, 4}, counted(16)));
  const ValueId columns = builder.node(
      "columns", "aten.slice.Tensor",
      {tensor("self", w), integer("dim", 1), integer("start", 0), integer("end", 4), integer("step", 2)},
      float_meta({4, 2}));
  const ValueId rows = builder.node(
      "rows", "aten.slice.Tensor",
      {tensor("self", w), integer("dim", 0), integer("start", 0), integer("end", 2)}, float_meta({2, 4}));
  const ValueId turned = builder.node("turned", "aten.permute.default",
                                      {tensor("self", rows), ints("dims", {1, 0})}, float_meta({4, 2}));
  builder.output(
      builder.node("a", "aten.view.default", {tensor("self", columns), ints("size", {8})}, float_meta({8})));
  builder.output(
      builder.node("b", "aten.view.default", {tensor("self", turned), ints("size", {8})}, float_meta({8})));
  const auto results = run(builder.build());
  EXPECT_EQ(results[0], (std::vector<float>{0, 2, 4, 6, 8, 10, 12, 14}));
  EXPECT_EQ(results[1], (std::vector<float>{0, 4, 1, 5, 2, 6, 3, 7}));
}

TEST(Planner, a_tensor_larger_than_any_machine_is_an_error_before_memory_is_asked_for) {
  MethodBuilder builder;
  const Sizes sizes{std::int64_t{1} << 40, std::int64_t{1} << 40};
  Argument fill{"fill_value", FloatArg{1.0, kNoValue}};
  builder.output(builder.node("huge", "aten.full.default", {ints("size", sizes), fill}, float_meta(sizes)));
  EXPECT_THROW(run(builder.build()), Error);
}

TEST(Planner, what_the_package_declares_must_be_what_the_inputs_give) {
  MethodBuilder builder;
  const ValueId w = builder.constant("w", float_constant("w", {4}, counted(4)));
  builder.output(builder.node("y", "aten.neg.default", {tensor("self", w)}, float_meta({5})));
  try {
    run(builder.build());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kPackage);
    EXPECT_NE(std::string(error.what()).find("'y' as float32[5], its inputs give float32[4]"),
              std::string::npos)
        << error.what();
  }
}

TEST(Planner, a_quantised_constant_is_refused_by_name) {
  MethodBuilder builder;
  auto constant = std::make_shared<Constant>(*float_constant("packed", {4}, counted(4)));
  constant->quant = PackedQuant{"gguf:q4_k"};
  const ValueId w = builder.constant("w", constant);
  builder.output(builder.node("y", "aten.neg.default", {tensor("self", w)}, float_meta({4})));
  const KernelTable table("reference", {}, {});
  try {
    compile(std::make_shared<Method>(builder.build()), table, {});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    EXPECT_NE(std::string(error.what()).find("quantised constant 'packed'"), std::string::npos)
        << error.what();
  }
}

TEST(Planner, an_op_that_nothing_runs_is_refused_with_op_node_and_engine) {
  MethodBuilder builder;
  const ValueId w = builder.constant("w", float_constant("w", {4}, counted(4)));
  builder.output(builder.node("y", "aten.no_such_op.default", {tensor("self", w)}, float_meta({4})));
  const KernelTable table("cpu", {}, {});
  try {
    compile(std::make_shared<Method>(builder.build()), table, {});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "method 'forward': engine 'cpu' has no kernel for aten.no_such_op.default at 'y'");
  }
}

}  // namespace
}  // namespace plumb
