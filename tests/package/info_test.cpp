// What an open package tells about itself.
#include "plumb/package.h"
#include "support/reading.h"
#include "support/rich_method.h"
#include "support/temp_dir.h"

namespace plumb::testing {
namespace {

class Info : public ::testing::Test {
 protected:
  Info() {
    Program program = make_program(rich_method());
    program.labels = {"cat", "dog"};
    program.aliases = {{"tied", "w"}};
    write_package(folder_.file("rich.ptn"), program);
    package_ = Package::open(folder_.file("rich.ptn"));
  }

  TempDir folder_;
  std::shared_ptr<const Package> package_;
};

TEST_F(Info, tells_inputs_and_results_with_ranges) {
  const MethodInfo info = package_->method("forward");
  ASSERT_EQ(info.inputs.size(), 2U);
  EXPECT_EQ(to_string(info.inputs[0]), "float32[1..8, 3..]");
  EXPECT_EQ(to_string(info.inputs[1]), "float32[1, 3, 8, 8]");
  // Two write-backs and a None are no results.
  ASSERT_EQ(info.outputs.size(), 9U);
  EXPECT_EQ(info.outputs[4].name, "sym_size");
  EXPECT_EQ(to_string(info.outputs[4]), "int64[]");
  EXPECT_EQ(to_string(info.outputs[6]), "float64[]");
  EXPECT_EQ(to_string(info.outputs[7]), "bool[]");
}

TEST_F(Info, tells_state_constants_and_ops) {
  const MethodInfo info = package_->method("forward");
  EXPECT_EQ(info.state, (std::vector<std::string>{"counter", "cache"}));
  EXPECT_EQ(info.constants, (std::vector<std::string>{"w", "counter"}));
  EXPECT_EQ(info.ops.front().op, "_operator.gt");
  const auto constants = package_->constants();
  ASSERT_EQ(constants.size(), 2U);
  EXPECT_EQ(constants[0].bytes, 16U);
  EXPECT_EQ(constants[0].aliases, std::vector<std::string>{"tied"});
  EXPECT_EQ(package_->labels(), (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(package_->methods(), std::vector<std::string>{"forward"});
}

TEST_F(Info, lists_the_methods_when_a_name_is_wrong) {
  try {
    package_->method("backward");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument);
    expect_contains(error.what(), "no method 'backward'; the package has: forward");
  }
}

TEST_F(Info, draws_every_node_and_escapes_labels) {
  const std::string dot = package_->dot("forward");
  for (const Node& node : package_->program().methods[0]->graph.nodes) expect_contains(dot, node.op);
  expect_contains(dot, "digraph \"forward\" {");
  expect_contains(dot, "mode=\\\"nearest\\\"");
  expect_contains(dot, "writes counter");
}

TEST_F(Info, says_when_the_file_is_not_there) {
  try {
    Package::open(folder_.file("missing.ptn"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kFile);
    expect_contains(error.what(), "missing.ptn");
  }
}

}  // namespace
}  // namespace plumb::testing
