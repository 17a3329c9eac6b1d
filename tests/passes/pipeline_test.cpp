// The wrapper around the passes: what runs, what is recorded, nested graphs.
#include <gtest/gtest.h>

#include "method_builder.h"
#include "plumb/error.h"

namespace plumb::test {
namespace {

std::shared_ptr<const Method> small_method() {
  MethodBuilder b;
  const ValueId x = b.input("x", {1, 2});
  const ValueId y = b.linear("linear", x, b.constant("w", {2, 2}), {1, 2});
  b.output(b.call("act", "aten.relu.default", {tensor("self", y)}, {1, 2}));
  return b.build();
}

TEST(Pipeline, records_every_pass_in_order) {
  std::vector<PassRecord> log;
  run_passes(small_method(), {}, &log);
  std::vector<std::string> names;
  for (const PassRecord& record : log) {
    names.push_back(record.name);
    EXPECT_FALSE(record.skipped) << record.name;
  }
  EXPECT_EQ(names, pass_names());
}

TEST(Pipeline, leaves_the_given_method_as_it_was) {
  const auto method = small_method();
  const auto rewritten = run_passes(method, {}, nullptr);
  EXPECT_EQ(rewritten->graph.nodes.size(), 1U);
  EXPECT_EQ(method->graph.nodes.size(), 2U);
  EXPECT_EQ(method->graph.nodes[0].op, "aten.linear.default");
}

TEST(Pipeline, does_not_optimise_unless_asked) {
  PassOptions options;
  options.optimize = false;
  const auto rewritten = run_passes(small_method(), options, nullptr);
  EXPECT_EQ(rewritten->graph.nodes.size(), 2U);
  EXPECT_EQ(rewritten->graph.nodes[0].op, "aten.linear.default");
}

TEST(Pipeline, leaves_out_a_disabled_pass_and_ignores_unknown_names) {
  PassOptions options;
  options.disabled = {"fuse_epilogue", "some_kernel"};
  std::vector<PassRecord> log;
  const auto rewritten = run_passes(small_method(), options, &log);
  EXPECT_EQ(rewritten->graph.nodes.size(), 2U);
  EXPECT_EQ(log.back().name, "fuse_epilogue");
  EXPECT_TRUE(log.back().skipped);
}

TEST(Pipeline, refuses_to_disable_what_programs_need) {
  PassOptions options;
  options.disabled = {"functionalize"};
  EXPECT_THROW(run_passes(small_method(), options, nullptr), Error);
}

TEST(Pipeline, rewrites_nested_graphs) {
  MethodBuilder inner;
  const ValueId operand = inner.input("operand", {2});
  const ValueId copy = inner.call("copy", "aten.view_copy.default", {tensor("self", operand)}, {2});
  inner.output(inner.call("neg", "aten.neg.default", {tensor("self", copy)}, {2}));
  const auto graph = std::make_shared<const Graph>(inner.build()->graph);

  MethodBuilder b;
  const ValueId x = b.input("x", {2});
  b.output(b.call("cond", "cond", {{"", SubgraphArg{"branch", graph}, false}, tensors("", {x})}, {2}));
  const Rewritten r = rewrite(b.build());
  const auto& branch = std::get<SubgraphArg>(r.node("cond").inputs[0].value);
  EXPECT_EQ(branch.graph->nodes[0].op, "aten.view.default");
  EXPECT_EQ(graph->nodes[0].op, "aten.view_copy.default");
}

TEST(Pipeline, refuses_a_nested_graph_that_writes_its_operand) {
  MethodBuilder inner;
  const ValueId operand = inner.input("operand", {2});
  inner.output(inner.call("relu", "aten.relu_.default", {written("self", operand)}, {2}));
  const auto graph = std::make_shared<const Graph>(inner.build()->graph);
  MethodBuilder b;
  const ValueId x = b.input("x", {2});
  b.output(b.call("cond", "cond", {{"", SubgraphArg{"branch", graph}, false}, tensors("", {x})}, {2}));
  EXPECT_THROW(rewrite(b.build()), Error);
}

}  // namespace
}  // namespace plumb::test
