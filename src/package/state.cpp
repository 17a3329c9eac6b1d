// A buffer is written by an output that is its new value, or by an operator that works in place on it or on a
// view.
#include "package/state.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/layout.h"
#include "package/constants.h"
#include "package/limits.h"

namespace plumb {
namespace {

// The value whose storage `id` shares.
std::vector<ValueId> storage_roots(const Graph& graph) {
  std::vector<ValueId> roots(graph.values.size());
  for (ValueId id = 0; id < roots.size(); ++id) roots[id] = id;
  for (const Node& node : graph.nodes) {
    for (const Output& output : node.outputs) {
      if (output.alias_of == kNoValue) continue;
      for (const ValueId id : output.values) roots[id] = roots[output.alias_of];
    }
  }
  return roots;
}

void add_tensors(const Argument& argument, const std::vector<ValueId>& roots, std::set<ValueId>& written) {
  if (const auto* tensor = std::get_if<TensorRef>(&argument.value)) written.insert(roots[tensor->value]);
  if (const auto* list = std::get_if<TensorListArg>(&argument.value)) {
    for (const ValueId id : list->values) {
      if (id != kNoValue) written.insert(roots[id]);
    }
  }
}

bool writes_something(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
    return std::any_of(node.inputs.begin(), node.inputs.end(), [](const Argument& argument) {
      const auto* nested = std::get_if<SubgraphArg>(&argument.value);
      return argument.mutated || (nested != nullptr && writes_something(*nested->graph));
    });
  });
}

// Values without producer whose storage some node writes. What a nested graph writes may be any operand of
// its node.
std::set<ValueId> written_values(const Graph& graph) {
  const std::vector<ValueId> roots = storage_roots(graph);
  std::set<ValueId> written;
  for (const Node& node : graph.nodes) {
    const bool nested = std::any_of(node.inputs.begin(), node.inputs.end(), [](const Argument& argument) {
      const auto* subgraph = std::get_if<SubgraphArg>(&argument.value);
      return subgraph != nullptr && writes_something(*subgraph->graph);
    });
    for (const Argument& argument : node.inputs) {
      if (argument.mutated || nested) add_tensors(argument, roots, written);
    }
  }
  return written;
}

std::set<std::string> written_buffers(const Method& method) {
  std::set<std::string> fqns;
  for (const OutputSpec& spec : method.output_specs) {
    if (spec.kind == OutputKind::kBufferMutation) fqns.insert(spec.target);
  }
  const std::set<ValueId> written = written_values(method.graph);
  for (const ConstantBinding& binding : method.constants) {
    if (binding.mutated || written.contains(binding.value)) fqns.insert(binding.constant->key);
  }
  for (const BufferBinding& binding : method.buffers) {
    if (written.contains(binding.value)) fqns.insert(binding.fqn);
  }
  return fqns;
}

}  // namespace

void resolve_state(std::vector<Method>& methods, const ConstantStore& store, const Place& program) {
  std::set<std::string> written;
  for (const Method& method : methods) written.merge(written_buffers(method));

  std::map<std::string, TensorMeta> zero_buffers;
  std::int64_t zero_bytes = 0;
  for (const Method& method : methods) {
    const Place place(program, "method", method.name);
    for (const BufferBinding& binding : method.buffers) {
      const Place buffer(place, "buffer", binding.fqn);
      const TensorMeta& meta = *method.graph.value(binding.value).meta;
      const auto [it, is_new] = zero_buffers.emplace(binding.fqn, meta);
      if (!is_new && it->second != meta) buffer.fail("has another dtype or shape than in an earlier method");
      if (!is_new) continue;
      zero_bytes += element_count(meta.static_sizes()) * static_cast<std::int64_t>(dtype_size(meta.dtype));
      if (zero_bytes > limits::kMaxZeroBufferBytes) {
        buffer.fail(
            "takes the zero-initialised buffers of the program to " + std::to_string(zero_bytes) +
            " bytes; expected at most kMaxZeroBufferBytes = " + std::to_string(limits::kMaxZeroBufferBytes));
      }
    }
  }
  for (Method& method : methods) {
    const Place place(program, "method", method.name);
    std::set<std::string_view> bound;
    for (ConstantBinding& binding : method.constants) {
      if (!written.contains(binding.constant->key)) continue;
      const Place buffer(place, "buffer", binding.constant->key);
      if (zero_buffers.contains(binding.constant->key)) {
        buffer.fail("is stored data in one method and zero-initialised in another");
      }
      if (store.is_shared(binding.constant->key)) {
        buffer.fail("is written by a method but shares its data with another key of aliases.json");
      }
      // Which of two values would the state be that the method leaves behind?
      if (!bound.insert(binding.constant->key).second) {
        buffer.fail("is written by a method and bound to two values; expected one value a method");
      }
      binding.mutated = true;
    }
  }
}

std::vector<std::string> unwritten_zero_buffers(const Program& program) {
  std::set<std::string> written;
  std::set<std::string> zero_buffers;
  for (const auto& method : program.methods) {
    written.merge(written_buffers(*method));
    for (const BufferBinding& binding : method->buffers) zero_buffers.insert(binding.fqn);
  }
  std::vector<std::string> unwritten;
  std::set_difference(zero_buffers.begin(), zero_buffers.end(), written.begin(), written.end(),
                      std::back_inserter(unwritten));
  return unwritten;
}

}  // namespace plumb
