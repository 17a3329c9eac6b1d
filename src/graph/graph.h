// The program as plumb holds it after loading: methods, each a graph of nodes over single-assignment values.
// A Method is built once (by the package reader or a pass), verified, and then only read.
// Not here: how it is stored (package/), how it is rewritten (passes/), how it runs (plan/).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "plumb/dtype.h"
#include "plumb/package.h"

namespace plumb {

// Index into Graph::values.
using ValueId = std::uint32_t;
inline constexpr ValueId kNoValue = UINT32_MAX;
inline constexpr std::int32_t kNoNode = -1;

// A size between min and max (inclusive); max < 0 is unbounded; min == max is static.
struct Dim {
  std::int64_t min = 0;
  std::int64_t max = -1;
  bool is_static() const { return min == max; }
  bool operator==(const Dim&) const = default;
};

// value = scale * ((stored + quant_min) - zero_point), in groups along the last axis.
struct AffineGroup {
  std::string scale_key;
  DType scale_dtype = DType::kFloat32;
  std::int32_t quant_min = 0;
  std::int32_t quant_max = 0;
  std::int32_t group_size = 0;  // 0: one group over the whole last axis
  std::string zero_point_key;   // empty: symmetric
  DType zero_point_dtype = DType::kInt8;
  bool operator==(const AffineGroup&) const = default;
};

// Opaque blocks whose layout the codec's name defines, for example "gguf:q4_k".
struct PackedQuant {
  std::string codec;
  bool operator==(const PackedQuant&) const = default;
};

using QuantScheme = std::variant<std::monostate, AffineGroup, PackedQuant>;

struct TensorMeta {
  DType dtype = DType::kFloat32;
  std::vector<Dim> sizes;
  std::vector<std::int32_t> dim_order;  // outermost first; empty means row-major
  QuantScheme quant;

  bool is_static() const;
  // The sizes when all are static; throws Error(kExecution) otherwise.
  std::vector<std::int64_t> static_sizes() const;
  bool operator==(const TensorMeta&) const = default;
};

enum class ValueKind : std::uint8_t { kTensor, kInt, kBool, kFloat };

struct Value {
  std::string name;  // unique within its graph
  ValueKind kind = ValueKind::kTensor;
  std::optional<TensorMeta> meta;   // tensors only; a package may leave it out
  std::int32_t producer = kNoNode;  // index into Graph::nodes; kNoNode for inputs, constants and buffers
};

struct Graph;

struct None {
  bool operator==(const None&) const = default;
};
struct TensorRef {
  ValueId value;
};
// Scalars are literals unless `ref` names a value of the graph.
struct IntArg {
  std::int64_t value = 0;
  ValueId ref = kNoValue;
};
struct FloatArg {
  double value = 0;
  ValueId ref = kNoValue;
};
struct BoolArg {
  bool value = false;
  ValueId ref = kNoValue;
};
struct IntListArg {
  std::vector<IntArg> items;
};
struct FloatListArg {
  std::vector<double> items;
};
struct BoolListArg {
  std::vector<bool> items;
};
// kNoValue stands for None in a list of optional tensors.
struct TensorListArg {
  std::vector<ValueId> values;
};
struct SubgraphArg {
  std::string name;
  std::shared_ptr<const Graph> graph;
};

using ArgumentValue = std::variant<None, TensorRef, IntArg, FloatArg, BoolArg, std::string, DType, IntListArg,
                                   FloatListArg, BoolListArg, TensorListArg, SubgraphArg>;

struct Argument {
  std::string name;  // parameter name in the operator's schema; may be empty
  ArgumentValue value;
  bool mutated = false;  // the operator writes this tensor in place
};

// One return of an operator: a single value, or a Tensor[] (list).
struct Output {
  std::vector<ValueId> values;
  bool is_list = false;
  ValueId alias_of = kNoValue;  // an input that this output shares storage with
};

struct Node {
  std::string name;
  std::string op;  // "aten.add.Tensor", "_operator.mul", "plumb.convolution"
  std::vector<Argument> inputs;
  std::vector<Output> outputs;

  // The argument of that name, or null.
  const Argument* find(std::string_view argument) const;
  // All produced values, lists flattened, in order.
  std::vector<ValueId> produced() const;
};

// A result of a graph: a value, or a literal that the exported function returned.
using GraphOutput = std::variant<ValueId, std::int64_t, double, bool, None>;

struct Graph {
  std::vector<Value> values;
  std::vector<Node> nodes;      // topological
  std::vector<ValueId> inputs;  // user inputs (operands, for a subgraph)
  std::vector<GraphOutput> outputs;

  const Value& value(ValueId id) const { return values[id]; }
};

// Data of a constant or of a buffer's initial state. Shared and immutable; `owner` keeps `data` alive
// (a mapped file, or memory of a pass).
struct Constant {
  std::string key;  // data key in the package; for constants made by passes a descriptive name
  DType dtype = DType::kFloat32;
  std::vector<std::int64_t> sizes;
  std::span<const std::byte> data;  // row-major unless quant says otherwise
  QuantScheme quant;
  std::shared_ptr<const void> owner;
};

enum class InputKind : std::uint8_t { kUserInput, kParameter, kBuffer, kConstantTensor };

// A graph value bound to constant data.
struct ConstantBinding {
  ValueId value = kNoValue;
  std::shared_ptr<const Constant> constant;
  InputKind kind = InputKind::kParameter;
  bool mutated = false;  // a buffer that some method writes: state, the constant being its initial value
};

// State without stored data: starts as zeros. Buffers of equal fqn are one buffer for all methods of a
// session.
struct BufferBinding {
  ValueId value = kNoValue;
  std::string fqn;
};

enum class OutputKind : std::uint8_t { kUserOutput, kBufferMutation, kUserInputMutation };

// What becomes of a graph output: entry i belongs to Graph::outputs[i].
struct OutputSpec {
  OutputKind kind = OutputKind::kUserOutput;
  std::string target;  // fqn of the buffer, or name of the user input, that receives the value
};

struct Method {
  std::string name;
  Graph graph;
  std::vector<ConstantBinding> constants;
  std::vector<BufferBinding> buffers;
  std::vector<OutputSpec> output_specs;  // parallel to graph.outputs

  const ConstantBinding* find_constant(ValueId value) const;
  const BufferBinding* find_buffer(ValueId value) const;
};

struct Program {
  std::string path;  // of the package, for messages
  std::string version;
  std::vector<std::shared_ptr<const Method>> methods;
  std::vector<std::shared_ptr<const Constant>> constants;    // every tensor of the package, in file order
  std::vector<std::pair<std::string, std::string>> aliases;  // duplicate key, owner key
  std::vector<std::string> labels;                           // empty when the package has none
  std::optional<PreprocessingInfo> preprocessing;

  // Throws Error(kInvalidArgument) that lists the methods when there is none of this name.
  const std::shared_ptr<const Method>& method(std::string_view name) const;
};

// Structural rules: ids in range, names unique, every use after its one definition, lists sized alike,
// bindings consistent. Throws Error(kPackage) naming the method, the node and the field; `context` opens the
// message.
void verify(const Method& method, std::string_view context);

}  // namespace plumb
