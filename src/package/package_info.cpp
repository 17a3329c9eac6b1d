// What can be asked of an open package. Which nodes an engine cannot run is the plan's to say.
#include <algorithm>
#include <map>
#include <set>

#include "graph/graph.h"
#include "graph/print.h"
#include "package/reader.h"
#include "plumb/package.h"

namespace plumb {
namespace {

TensorInfo info_of(const Value& value) {
  TensorInfo info{.name = value.name, .dtype = DType::kFloat32, .sizes = {}};
  switch (value.kind) {
    case ValueKind::kInt:
      info.dtype = DType::kInt64;
      return info;
    case ValueKind::kFloat:
      info.dtype = DType::kFloat64;
      return info;
    case ValueKind::kBool:
      info.dtype = DType::kBool;
      return info;
    case ValueKind::kTensor:
      break;
  }
  // The reader lets no input or result pass without metadata.
  info.dtype = value.meta->dtype;
  for (const Dim& dim : value.meta->sizes) info.sizes.push_back({.min = dim.min, .max = dim.max});
  return info;
}

// A literal that the exported function returned; `index` is its place among the results. None is no result.
std::optional<TensorInfo> info_of(const GraphOutput& output, const Graph& graph, std::size_t index) {
  if (const auto* id = std::get_if<ValueId>(&output)) return info_of(graph.value(*id));
  TensorInfo info{.name = "literal_" + std::to_string(index), .dtype = DType::kInt64, .sizes = {}};
  if (std::holds_alternative<None>(output)) return {};
  if (std::holds_alternative<double>(output)) info.dtype = DType::kFloat64;
  if (std::holds_alternative<bool>(output)) info.dtype = DType::kBool;
  return info;
}

void count_ops(const Graph& graph, std::map<std::string, std::int64_t>& counts) {
  for (const Node& node : graph.nodes) {
    ++counts[node.op];
    for (const Argument& argument : node.inputs) {
      if (const auto* nested = std::get_if<SubgraphArg>(&argument.value)) count_ops(*nested->graph, counts);
    }
  }
}

std::vector<OpCount> ops_of(const Graph& graph) {
  std::map<std::string, std::int64_t> counts;
  count_ops(graph, counts);
  std::vector<OpCount> ops;
  for (const auto& [op, count] : counts) ops.push_back({.op = op, .count = count});
  std::stable_sort(ops.begin(), ops.end(),
                   [](const OpCount& a, const OpCount& b) { return a.count > b.count; });
  return ops;
}

}  // namespace

std::string to_string(const TensorInfo& info) {
  std::string text(dtype_name(info.dtype));
  text += "[";
  for (std::size_t i = 0; i < info.sizes.size(); ++i) {
    const DimRange& range = info.sizes[i];
    if (i != 0) text += ", ";
    text += std::to_string(range.min);
    if (range.max < 0) text += "..";
    if (range.max >= 0 && range.max != range.min) text += ".." + std::to_string(range.max);
  }
  return text + "]";
}

Package::Package(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
Package::~Package() = default;

std::shared_ptr<const Package> Package::open(const std::string& path) {
  return std::shared_ptr<const Package>(new Package(read_program(path)));
}

const std::string& Package::path() const {
  return program_->path;
}
const std::string& Package::version() const {
  return program_->version;
}
const std::vector<std::string>& Package::labels() const {
  return program_->labels;
}
std::optional<PreprocessingInfo> Package::preprocessing() const {
  return program_->preprocessing;
}
const Program& Package::program() const {
  return *program_;
}

std::vector<std::string> Package::methods() const {
  std::vector<std::string> names;
  for (const auto& method : program_->methods) names.push_back(method->name);
  return names;
}

MethodInfo Package::method(std::string_view name) const {
  const Method& method = *program_->method(name);
  MethodInfo info;
  info.name = method.name;
  for (const ValueId id : method.graph.inputs) info.inputs.push_back(info_of(method.graph.value(id)));
  for (std::size_t i = 0; i < method.graph.outputs.size(); ++i) {
    if (method.output_specs[i].kind != OutputKind::kUserOutput) continue;
    if (auto output = info_of(method.graph.outputs[i], method.graph, i))
      info.outputs.push_back(*std::move(output));
  }
  std::set<std::string> keys;
  for (const ConstantBinding& binding : method.constants) {
    if (!keys.insert(binding.constant->key).second) continue;
    info.constants.push_back(binding.constant->key);
    if (binding.mutated) info.state.push_back(binding.constant->key);
  }
  for (const BufferBinding& binding : method.buffers) info.state.push_back(binding.fqn);
  info.ops = ops_of(method.graph);
  return info;
}

std::vector<ConstantInfo> Package::constants() const {
  std::map<std::string, std::vector<std::string>> aliases;
  for (const auto& [duplicate, owner] : program_->aliases) aliases[owner].push_back(duplicate);
  std::vector<ConstantInfo> infos;
  for (const auto& constant : program_->constants) {
    infos.push_back({.key = constant->key,
                     .dtype = constant->dtype,
                     .sizes = constant->sizes,
                     .bytes = constant->data.size(),
                     .aliases = aliases[constant->key]});
  }
  return infos;
}

std::string Package::dot(std::string_view method) const {
  return to_dot(*program_->method(method));
}

}  // namespace plumb
