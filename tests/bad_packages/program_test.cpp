// The program's tables: each rule of the format broken once.
#include "support/method_builder.h"
#include "support/reading.h"

namespace plumb::testing {
namespace {

Program small_program() {
  return make_program(small_method());
}

// Refusal of the small program after `change` has changed its tables.
template <typename Change>
std::string refusal_after(const Change& change) {
  const Program program = small_program();
  fbs::ProgramT tables = to_tables(program);
  change(tables);
  return refusal(program, tables);
}

fbs::GraphT& graph_of(fbs::ProgramT& tables) {
  return *tables.methods[0]->graph;
}
// Nodes: x, w, add, relu, output.
fbs::NodeT& node_of(fbs::ProgramT& tables, std::size_t i) {
  return *graph_of(tables).nodes[i];
}
fbs::TensorMetaT& meta_of(fbs::ProgramT& tables, std::size_t i) {
  return *graph_of(tables).tensor_values[i]->meta;
}

TEST(Program, accepts_versions_1_and_1_x_only) {
  fbs::ProgramT tables = to_tables(small_program());
  for (const std::string version : {"", "1", "1.0", "1.7"}) {
    PackageParts parts = to_parts(small_program());
    tables.version = version;
    parts.program = encode(tables);
    EXPECT_EQ(read(parts)->version, version);
  }
  expect_contains(refusal_after([](auto& t) { t.version = "2"; }),
                  "field 'version': is '2'; expected 1 or 1.x");
}

TEST(Program, refuses_bad_methods) {
  expect_contains(refusal_after([](auto& t) { t.methods.clear(); }), "field 'methods': is empty");
  expect_contains(refusal_after([](auto& t) { t.methods[0]->name = ""; }),
                  "method 0, field 'name': is empty");
  expect_contains(refusal_after([](auto& t) { t.methods[0]->name = "a\nb"; }), "without control characters");
  expect_contains(refusal_after([](auto& t) { t.methods[0]->name = std::string(5000, 'a'); }),
                  "kMaxNameBytes = 4096");
  Method other = small_method();
  const Program program = make_program({small_method(), other});
  fbs::ProgramT tables = to_tables(program);
  expect_contains(refusal(small_program(), tables), "is the second called 'forward'");
}

TEST(Program, refuses_bad_tensor_metadata) {
  const std::string where = "test.ptn: member 'program.ptg': method 'forward', input 'x', value 'x', field ";
  expect_contains(refusal_after([](auto& t) { meta_of(t, 0).sizes[1]->min = -3; }),
                  where + "'sizes', dimension 1: ranges from -3 to 4");
  expect_contains(refusal_after([](auto& t) { meta_of(t, 0).sizes[1]->min = 5; }),
                  "a maximum that is not below");
  expect_contains(refusal_after([](auto& t) {
                    meta_of(t, 0).sizes[1]->min = INT64_MAX;
                    meta_of(t, 0).sizes[1]->max = INT64_MAX;
                  }),
                  "kMaxDimension");
  expect_contains(refusal_after([](auto& t) {
                    for (auto& dim : meta_of(t, 0).sizes) dim->min = dim->max = std::int64_t{1} << 40;
                  }),
                  "kMaxTensorBytes");
  expect_contains(refusal_after([](auto& t) { meta_of(t, 0).dim_order = {0}; }),
                  where + "'dim_order': has 1 entries");
  expect_contains(refusal_after([](auto& t) { meta_of(t, 0).dim_order = {1, 1}; }), "no permutation");
  expect_contains(refusal_after([](auto& t) { meta_of(t, 0).dim_order = {-1, 0}; }), "no permutation");
  expect_contains(refusal_after([](auto& t) {
                    for (int i = 0; i < 20; ++i) meta_of(t, 0).sizes.push_back(std::make_unique<fbs::DimT>());
                  }),
                  "kMaxRank = 16");
  expect_contains(refusal_after([](auto& t) { meta_of(t, 0).dtype = static_cast<fbs::ScalarType>(9); }),
                  "field 'dtype': is 9, which names nothing");
}

TEST(Program, refuses_bad_names_and_references) {
  expect_contains(refusal_after([](auto& t) { node_of(t, 3).name = "add"; }),
                  "node 'add': is the second of this name");
  expect_contains(refusal_after([](auto& t) { node_of(t, 3).outputs[0]->name = "x"; }),
                  "defines 'x' a second time");
  expect_contains(
      refusal_after([](auto& t) { node_of(t, 3).inputs[0]->arg->value.AsTensorArg()->name = "y"; }),
      "node 'relu', argument 'self': refers to 'y', which nothing before it defines");
  expect_contains(refusal_after([](auto& t) { std::swap(graph_of(t).nodes[2], graph_of(t).nodes[3]); }),
                  "refers to 'add', which nothing before it defines");
  expect_contains(refusal_after([](auto& t) { node_of(t, 0).name = "z"; }),
                  "node 'z': is a placeholder that is no input");
  expect_contains(refusal_after([](auto& t) { node_of(t, 2).target = ""; }), "field 'target': is empty");
  expect_contains(refusal_after([](auto& t) { node_of(t, 2).outputs[0]->alias_of = "relu"; }),
                  "field 'alias_of'");
  expect_contains(refusal_after([](auto& t) { std::swap(graph_of(t).nodes[3], graph_of(t).nodes[4]); }),
                  "output");
  expect_contains(refusal_after([](auto& t) { graph_of(t).tensor_values[1]->name = "x"; }),
                  "describes 'x' twice");
  expect_contains(refusal_after([](auto& t) { graph_of(t).tensor_values[0]->name = "elsewhere"; }),
                  "expected an entry 'x' in tensor_values");
}

TEST(Program, refuses_outputs_that_do_not_agree) {
  expect_contains(refusal_after([](auto& t) { graph_of(t).outputs[0] = "add"; }), "field 'outputs': differs");
  expect_contains(refusal_after([](auto& t) { graph_of(t).outputs.push_back("add"); }),
                  "has 2 entries; expected 1");
  expect_contains(refusal_after([](auto& t) { t.methods[0]->output_specs.clear(); }),
                  "field 'output_specs': has 0");
  expect_contains(refusal_after([](auto& t) { t.methods[0]->output_specs[0]->name = "add"; }),
                  "field 'name': is 'add'");
  expect_contains(refusal_after([](auto& t) {
                    t.methods[0]->output_specs[0]->kind = fbs::OutputKind::BUFFER_MUTATION;
                    t.methods[0]->output_specs[0]->target = "nothing";
                  }),
                  "field 'target': is 'nothing'; expected the fqn of a buffer");
  expect_contains(refusal_after([](auto& t) {
                    fbs::StringArgT text;
                    text.value = "hello";
                    node_of(t, 4).inputs[0]->arg->value.Set(std::move(text));
                  }),
                  "expected a tensor, a number or None");
}

TEST(Program, refuses_lists_of_different_lengths) {
  expect_contains(refusal_after([](auto& t) {
                    fbs::IntListArgT list;
                    list.values = {1, 2};
                    list.refs = {""};
                    node_of(t, 2).inputs[2]->arg->value.Set(std::move(list));
                  }),
                  "argument 'alpha', field 'refs': has 1 entries; expected 2");
  expect_contains(refusal_after([](auto& t) {
                    fbs::OptionalTensorListArgT list;
                    list.names = {"x"};
                    node_of(t, 2).inputs[2]->arg->value.Set(std::move(list));
                  }),
                  "field 'has_value': has 0 entries; expected 1");
}

TEST(Program, refuses_arguments_of_the_wrong_kind) {
  expect_contains(refusal_after([](auto& t) { node_of(t, 2).inputs[2]->arg->value.AsIntArg()->ref = "x"; }),
                  "refers to 'x', which is a tensor; expected a number");
  expect_contains(refusal_after([](auto& t) { node_of(t, 2).inputs[2]->mutated = true; }),
                  "is marked as written");
  expect_contains(refusal_after([](auto& t) { node_of(t, 2).inputs[2]->arg->value.Reset(); }),
                  "has no value");
  expect_contains(
      refusal_after([](auto& t) { t.methods[0]->constants[0]->kind = fbs::InputKind::USER_INPUT; }),
      "field 'kind': is USER_INPUT");
}

TEST(Program, refuses_an_argument_that_is_given_twice) {
  expect_contains(refusal_after([](auto& t) { node_of(t, 2).inputs[1]->name = "self"; }),
                  "node 'add', argument 'self': is given twice");
  // Arguments without a name are told apart by their place.
  fbs::ProgramT tables = to_tables(small_program());
  for (auto& input : node_of(tables, 2).inputs) input->name = "";
  PackageParts parts = to_parts(small_program());
  parts.program = encode(tables);
  EXPECT_EQ(read(parts)->methods.size(), 1U);
}

TEST(Program, limits_the_depth_of_graphs) {
  std::shared_ptr<const Graph> inner;
  for (int i = 0; i < 40; ++i) {
    MethodBuilder level;
    const ValueId x = level.input("x", float_meta({1}));
    std::vector<Argument> arguments{{.name = "", .value = TensorRef{x}}};
    if (inner != nullptr)
      arguments.push_back({.name = "", .value = SubgraphArg{.name = "body", .graph = inner}});
    level.output(level.node("map", "higher_order.map", std::move(arguments), float_meta({1})));
    inner = level.graph();
    if (i == 32) {  // the method's own graph and 32 within it
      Method method = level.build();
      method.name = "forward";
      EXPECT_EQ(read(to_parts(make_program(method)))->methods.size(), 1U);
    }
    if (i == 33) {
      Method method = level.build();
      method.name = "forward";
      expect_contains(refusal(to_parts(make_program(method))), "is nested deeper than kMax");
    }
  }
}

// A package of one method with this graph.
PackageParts package_of(flatbuffers::FlatBufferBuilder& builder, flatbuffers::Offset<fbs::Graph> graph) {
  const auto method = fbs::CreateMethod(builder, builder.CreateString("forward"), graph);
  const auto methods = builder.CreateVector(std::vector<flatbuffers::Offset<fbs::Method>>{method});
  fbs::FinishProgramBuffer(builder, fbs::CreateProgram(builder, 0, methods));
  PackageParts parts;
  const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
  parts.program.assign(data, data + builder.GetSize());
  return parts;
}

// Each graph refers twice to the same graph below: 2^30 of them when unfolded, in about a kilobyte.
TEST(Program, refuses_a_small_file_that_describes_an_enormous_program) {
  flatbuffers::FlatBufferBuilder builder;
  const auto add_graph = [&](std::vector<flatbuffers::Offset<fbs::Node>> nodes) {
    return fbs::CreateGraph(builder, builder.CreateVector(nodes));
  };
  auto graph = add_graph({});
  for (int level = 0; level < 30; ++level) {
    const auto label = builder.CreateString("g");
    const auto value = fbs::CreateGraphArg(builder, label, graph);
    const auto argument = fbs::CreateArgument(builder, fbs::ArgumentValue::GraphArg, value.Union());
    const auto named = fbs::CreateNamedArgument(builder, 0, argument);
    const auto inputs =
        builder.CreateVector(std::vector<flatbuffers::Offset<fbs::NamedArgument>>{named, named});
    const auto name = builder.CreateString("n");
    graph = add_graph({fbs::CreateNode(builder, name, fbs::OpKind::CALL_FUNCTION, name, inputs)});
  }
  expect_contains(refusal(package_of(builder, graph)), "kMaxVisitsPerByte");
}

TEST(Program, refuses_more_nodes_than_the_limit) {
  flatbuffers::FlatBufferBuilder builder;
  const auto node = fbs::CreateNode(builder, builder.CreateString("n"));
  const std::vector<flatbuffers::Offset<fbs::Node>> nodes(1'000'001, node);
  expect_contains(refusal(package_of(builder, fbs::CreateGraph(builder, builder.CreateVector(nodes)))),
                  "entry 1000000: is one too many in the program; expected at most kMaxNodes = 1000000");
}

TEST(Program, refuses_more_values_than_the_limit) {
  flatbuffers::FlatBufferBuilder builder;
  const auto name = builder.CreateString("n");
  const auto names =
      builder.CreateVector(std::vector<flatbuffers::Offset<flatbuffers::String>>(4'000'001, name));
  const auto output = fbs::CreateOutput(builder, name, 0, fbs::OutputValueKind::TENSOR_LIST, names);
  const auto outputs = builder.CreateVector(std::vector<flatbuffers::Offset<fbs::Output>>{output});
  const auto node = fbs::CreateNode(builder, name, fbs::OpKind::CALL_FUNCTION, name, 0, outputs);
  const auto nodes = builder.CreateVector(std::vector<flatbuffers::Offset<fbs::Node>>{node});
  expect_contains(refusal(package_of(builder, fbs::CreateGraph(builder, nodes))),
                  "expected at most kMaxValues = 4000000");
}

TEST(Program, names_a_required_field_that_is_missing) {
  flatbuffers::FlatBufferBuilder builder;
  const auto start = builder.StartTable();
  builder.Finish(flatbuffers::Offset<fbs::Program>(builder.EndTable(start)), fbs::ProgramIdentifier());
  PackageParts parts;
  const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
  parts.program.assign(data, data + builder.GetSize());
  EXPECT_EQ(refusal(parts), "test.ptn: member 'program.ptg': field 'methods': is missing");
}

TEST(Program, refuses_what_is_no_program) {
  PackageParts parts;
  parts.program = to_bytes("0123456789");
  expect_contains(refusal(parts), "expected a FlatBuffer with the file identifier 'NPTG'");
}

}  // namespace
}  // namespace plumb::testing
