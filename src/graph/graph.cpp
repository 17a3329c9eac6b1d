// Look-ups on graphs, methods and programs.
#include "graph/graph.h"

#include <algorithm>

#include "plumb/error.h"

namespace plumb {

bool TensorMeta::is_static() const {
  return std::all_of(sizes.begin(), sizes.end(), [](const Dim& d) { return d.is_static(); });
}

std::vector<std::int64_t> TensorMeta::static_sizes() const {
  std::vector<std::int64_t> result;
  result.reserve(sizes.size());
  for (const Dim& dim : sizes) {
    if (!dim.is_static()) throw Error(ErrorKind::kExecution, "a tensor of dynamic shape has no static sizes");
    result.push_back(dim.min);
  }
  return result;
}

const Argument* Node::find(std::string_view argument) const {
  const auto it =
      std::find_if(inputs.begin(), inputs.end(), [&](const Argument& a) { return a.name == argument; });
  return it == inputs.end() ? nullptr : &*it;
}

std::vector<ValueId> Node::produced() const {
  std::vector<ValueId> all;
  for (const Output& output : outputs) all.insert(all.end(), output.values.begin(), output.values.end());
  return all;
}

const ConstantBinding* Method::find_constant(ValueId value) const {
  const auto it =
      std::find_if(constants.begin(), constants.end(), [&](const auto& c) { return c.value == value; });
  return it == constants.end() ? nullptr : &*it;
}

const BufferBinding* Method::find_buffer(ValueId value) const {
  const auto it =
      std::find_if(buffers.begin(), buffers.end(), [&](const auto& b) { return b.value == value; });
  return it == buffers.end() ? nullptr : &*it;
}

const std::shared_ptr<const Method>& Program::method(std::string_view name) const {
  std::string known;
  for (const auto& method : methods) {
    if (method->name == name) return method;
    known += (known.empty() ? "" : ", ") + method->name;
  }
  throw Error(ErrorKind::kInvalidArgument,
              path + ": no method '" + std::string(name) + "'; the package has: " + known);
}

}  // namespace plumb
