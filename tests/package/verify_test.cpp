// The structural rules of a graph, each broken once.
#include <gtest/gtest.h>

#include "support/reading.h"
#include "support/rich_method.h"

namespace plumb::testing {
namespace {

template <typename Change>
std::string complaint(const Change& change) {
  Method method = rich_method();
  change(method);
  try {
    verify(method, "after pass test");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kPackage);
    return error.what();
  }
  ADD_FAILURE() << "the method was accepted";
  return "";
}

Node& node(Method& method, const std::string& name) {
  for (Node& node : method.graph.nodes) {
    if (node.name == name) return node;
  }
  throw std::logic_error("no node " + name);
}

TEST(Verify, accepts_a_sound_method) {
  EXPECT_NO_THROW(verify(rich_method(), "test"));
  EXPECT_NO_THROW(verify(small_method(), "test"));
}

TEST(Verify, names_context_method_and_node) {
  EXPECT_EQ(complaint([](Method& m) { node(m, "cat").op.clear(); }),
            "after pass test, method 'forward', node 'cat': field op: is empty");
}

TEST(Verify, refuses_ids_out_of_range) {
  expect_contains(complaint([](Method& m) { node(m, "view").inputs[0].value = TensorRef{999}; }),
                  "has id 999");
  expect_contains(complaint([](Method& m) { m.graph.inputs.push_back(999); }), "has id 999");
  expect_contains(complaint([](Method& m) { m.graph.outputs[0] = ValueId{999}; }), "has id 999");
}

TEST(Verify, refuses_use_before_definition_and_two_definitions) {
  expect_contains(complaint([](Method& m) { std::swap(m.graph.nodes[0], m.graph.nodes[1]); }),
                  "which nothing before defines");
  expect_contains(complaint([](Method& m) { m.graph.inputs.push_back(m.graph.inputs[0]); }),
                  "'x' is defined twice");
  expect_contains(complaint([](Method& m) { m.buffers.clear(); }), "which nothing before defines");
  expect_contains(complaint([](Method& m) { m.graph.values.push_back({.name = "lost", .meta = {}}); }),
                  "'lost' is defined by nothing");
}

TEST(Verify, refuses_producers_that_do_not_agree) {
  expect_contains(
      complaint([](Method& m) { m.graph.values[node(m, "cat").outputs[0].values[0]].producer = 0; }),
      "is said to come from elsewhere");
  expect_contains(complaint([](Method& m) { m.graph.values[m.graph.inputs[0]].producer = 0; }),
                  "also said to be computed");
}

TEST(Verify, refuses_names_that_clash) {
  expect_contains(complaint([](Method& m) { m.graph.values[1].name = "x"; }), "two values are called 'x'");
  expect_contains(complaint([](Method& m) { node(m, "cat").name = "view"; }), "is the second of this name");
}

TEST(Verify, refuses_numbers_for_tensors_and_tensors_for_numbers) {
  expect_contains(
      complaint([](Method& m) { node(m, "sym_size").inputs[1].value = IntArg{.ref = m.graph.inputs[0]}; }),
      "argument 'dim' is a tensor; expected a number");
  expect_contains(complaint([](Method& m) {
                    node(m, "cat").inputs[0].value = TensorRef{node(m, "gt").outputs[0].values[0]};
                  }),
                  "argument 'tensors' is a number; expected a tensor");
}

TEST(Verify, looks_into_nested_graphs) {
  expect_contains(complaint([](Method& m) {
                    Graph broken = *branch();
                    broken.outputs[0] = ValueId{50};
                    node(m, "cond").inputs[1].value =
                        SubgraphArg{.name = "g", .graph = std::make_shared<Graph>(broken)};
                  }),
                  "node 'cond', graph 'g': a graph output has id 50");
  expect_contains(complaint([](Method& m) {
                    node(m, "cond").inputs[1].value = SubgraphArg{.name = "g", .graph = nullptr};
                  }),
                  "has no graph");
}

TEST(Verify, refuses_output_specs_that_do_not_fit) {
  expect_contains(complaint([](Method& m) { m.output_specs.pop_back(); }), "field output_specs: has");
  expect_contains(complaint([](Method& m) { m.output_specs[0].target.clear(); }), "has no target");
  expect_contains(complaint([](Method& m) {
                    m.output_specs[7] = {.kind = OutputKind::kBufferMutation, .target = "counter"};
                  }),
                  "writes back what is no tensor");
}

TEST(Verify, refuses_bad_metadata) {
  expect_contains(complaint([](Method& m) { m.graph.values[0].meta->sizes[0] = {.min = 3, .max = 2}; }),
                  "range 3..2");
  expect_contains(complaint([](Method& m) { m.graph.values[0].meta->dim_order = {0, 0}; }), "no permutation");
}

}  // namespace
}  // namespace plumb::testing
