// What is written comes back: compared as text, which shows every value, argument, binding and output.
#include <cstring>

#include "graph/print.h"
#include "support/reading.h"
#include "support/rich_method.h"
#include "support/temp_dir.h"

namespace plumb::testing {
namespace {

TEST(RoundTrip, keeps_everything_that_the_format_can_say) {
  const Method written = rich_method();
  const auto program = read(to_parts(make_program(written)));
  ASSERT_EQ(program->methods.size(), 1U);
  const Method& method = *program->methods[0];
  EXPECT_EQ(to_text(method), to_text(written));
  ASSERT_EQ(method.graph.nodes.size(), written.graph.nodes.size());
  for (std::size_t i = 0; i < method.graph.nodes.size(); ++i) {
    const Node& got = method.graph.nodes[i];
    const Node& expected = written.graph.nodes[i];
    EXPECT_EQ(got.name, expected.name);
    ASSERT_EQ(got.outputs.size(), expected.outputs.size());
    for (std::size_t k = 0; k < got.outputs.size(); ++k) {
      EXPECT_EQ(got.outputs[k].is_list, expected.outputs[k].is_list);
      EXPECT_EQ(got.outputs[k].alias_of == kNoValue, expected.outputs[k].alias_of == kNoValue);
    }
  }
  EXPECT_EQ(method.graph.value(method.graph.inputs[1]).meta->dim_order,
            (std::vector<std::int32_t>{0, 2, 3, 1}));
  EXPECT_EQ(method.constants[1].kind, InputKind::kBuffer);
}

TEST(RoundTrip, through_a_file_keeps_constants_bit_for_bit) {
  const TempDir folder;
  const std::string path = folder.file("small.ptn");
  const Program written = make_program(small_method());
  write_package(path, written);
  const auto program = read_program(path);
  EXPECT_EQ(program->path, path);
  ASSERT_EQ(program->constants.size(), 1U);
  ASSERT_EQ(program->constants[0]->data.size(), written.constants[0]->data.size());
  EXPECT_EQ(std::memcmp(program->constants[0]->data.data(), written.constants[0]->data.data(), 16), 0);
}

TEST(RoundTrip, strips_the_prefix_of_operators_only) {
  const auto program = read(to_parts(make_program(rich_method())));
  const auto& nodes = program->methods[0]->graph.nodes;
  EXPECT_EQ(nodes[0].op, "aten.sym_size.int");
  EXPECT_EQ(nodes[1].op, "_operator.truediv");
}

TEST(RoundTrip, accepts_a_batch_of_one_where_tracing_wrote_two) {
  Method method = small_method();
  method.graph.values[0].meta->sizes[0] = {.min = 2, .max = 8};
  const auto program = read(to_parts(make_program(method)));
  EXPECT_EQ(program->methods[0]->graph.value(0).meta->sizes[0].min, 1);
}

TEST(RoundTrip, normalises_dims_and_orders_that_say_nothing) {
  Method method = small_method();
  method.graph.values[0].meta->sizes[0] = {.min = 0, .max = -7};
  method.graph.values[0].meta->dim_order = {0, 1};
  const auto program = read(to_parts(make_program(method)));
  EXPECT_EQ(program->methods[0]->graph.value(0).meta->sizes[0].max, -1);
  EXPECT_TRUE(program->methods[0]->graph.value(0).meta->dim_order.empty());
}

TEST(RoundTrip, takes_a_getitem_of_a_tuple_as_one_more_name) {
  MethodBuilder builder;
  const ValueId x = builder.input("x", float_meta({4}));
  builder.nodes("topk", "aten.topk.default", {argument("self", TensorRef{x})},
                {float_meta({2}), tensor_meta(DType::kInt64, {2})});
  const ValueId item = builder.node("getitem", "_operator.getitem",
                                    {argument("", TensorRef{x}), argument("", IntArg{.value = 1})},
                                    tensor_meta(DType::kInt64, {2}));
  builder.output(item);
  const Program program = make_program(builder.build());
  fbs::ProgramT tables = to_tables(program);
  // The tuple has the node's name, which no value of a Program can have.
  tables.methods[0]->graph->nodes[2]->inputs[0]->arg->value.AsTensorArg()->name = "topk";
  PackageParts parts = to_parts(program);
  parts.program = encode(tables);
  const auto loaded = read(parts);
  ASSERT_EQ(loaded->methods[0]->graph.nodes.size(), 1U);
  const Graph& graph = loaded->methods[0]->graph;
  EXPECT_EQ(graph.value(std::get<ValueId>(graph.outputs[0])).name, "topk_out1");
  tables.methods[0]->graph->nodes[2]->inputs[1]->arg->value.AsIntArg()->value = 2;
  expect_contains(refusal(program, tables), "takes result 2 of node 'topk', which has 2");
}

TEST(RoundTrip, takes_the_listed_outputs_when_there_is_no_output_node) {
  const Program program = make_program(small_method());
  fbs::ProgramT tables = to_tables(program);
  tables.methods[0]->graph->nodes.pop_back();
  PackageParts parts = to_parts(program);
  parts.program = encode(tables);
  const auto loaded = read(parts);
  const Graph& graph = loaded->methods[0]->graph;
  ASSERT_EQ(graph.outputs.size(), 1U);
  EXPECT_EQ(graph.value(std::get<ValueId>(graph.outputs[0])).name, "relu");
}

}  // namespace
}  // namespace plumb::testing
