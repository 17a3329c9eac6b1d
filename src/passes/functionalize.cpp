// Writes in place become new values: after `aten.relu_(x!) -> y` every later use of x means y. A written
// buffer or user input gets an output that says where its last value goes. Afterwards no argument is mutated
// and no output is said to share storage, so that all later passes and the plan deal with plain values.
#include <algorithm>
#include <string>
#include <unordered_map>

#include "passes/match.h"
#include "passes/operators.h"
#include "passes/rewrites.h"
#include "plumb/error.h"

namespace plumb::passes {

namespace {

// "aten.relu.default" of "aten.relu_.default"; empty when the name is not that of an in-place operator.
std::string functional_name(std::string_view op) {
  const std::size_t base = op.find('.');
  const std::size_t overload = op.rfind('.');
  if (base == std::string_view::npos || overload <= base + 1 || op[overload - 1] != '_') return {};
  return std::string(op.substr(0, overload - 1)) + std::string(op.substr(overload));
}

class Functionalizer {
 public:
  Functionalizer(Rewriter& rewriter, const Context& context) : rewriter_(rewriter), nested_(context.nested) {}

  std::int64_t run() {
    std::int64_t changes = 0;
    for (const NodeId id : rewriter_.nodes()) {
      const auto& inputs = rewriter_.node(id).inputs;
      const auto writes =
          std::count_if(inputs.begin(), inputs.end(), [](const Argument& a) { return a.mutated; });
      if (writes > 0) {
        make_functional(id, writes);
        ++changes;
      } else {
        note_views(id);
      }
    }
    forget_aliases();
    write_back();
    return changes;
  }

 private:
  [[noreturn]] void refuse(const Node& node, const std::string& why) const {
    throw Error(ErrorKind::kUnsupported, "method '" + rewriter_.method_name() + "', node '" + node.name +
                                             "' (" + node.op + "): " + why);
  }

  // The value whose memory `value` lies in.
  ValueId base_of(ValueId value) const {
    const auto it = bases_.find(value);
    return it == bases_.end() ? value : it->second;
  }

  void note_views(NodeId id) {
    const Node& node = rewriter_.node(id);
    const bool is_view = shares_storage(without_prefix(node.op));
    for (const Output& output : node.outputs) {
      ValueId source = output.alias_of;
      if (source == kNoValue && is_view) source = tensor(node, "self").value_or(kNoValue);
      if (source == kNoValue) continue;
      for (const ValueId value : output.values) bases_[value] = base_of(source);
    }
  }

  void make_functional(NodeId id, std::ptrdiff_t writes) {
    const Node& node = rewriter_.node(id);
    const std::string op = functional_name(without_prefix(node.op));
    const auto argument =
        std::find_if(node.inputs.begin(), node.inputs.end(), [](const Argument& a) { return a.mutated; });
    const auto* written = std::get_if<TensorRef>(&argument->value);
    if (op.empty() || writes != 1 || written == nullptr || result(node) == kNoValue) {
      refuse(node,
             "writes its arguments in a way that has no functional form; expected an operator named with a "
             "trailing underscore, one written tensor and one result");
    }
    const ValueId before = written->value;
    const ValueId after = result(node);
    refuse_other_names(node, id, before);
    const ValueId origin = origin_of(before);
    check_origin(node, origin);
    origins_[after] = origin;
    latest_[origin] = after;

    std::vector<Argument> inputs = node.inputs;
    for (Argument& input : inputs) input.mutated = false;
    rewriter_.replace(id, op, std::move(inputs));
    rewriter_.replace_uses_after(id, before, after);
  }

  // What happens to views of the written value is not expressed by renaming: it must not matter.
  void refuse_other_names(const Node& node, NodeId id, ValueId written) const {
    const ValueId base = base_of(written);
    if (base != written && is_state_or_input(origin_of(base))) {
      refuse(node, "writes a part of '" + rewriter_.value(base).name + "' through its view '" +
                       rewriter_.value(written).name + "', which is not supported");
    }
    const auto refuse_if_used_later = [&](ValueId other) {
      const auto& users = rewriter_.users(other);
      const bool later =
          rewriter_.output_uses(other) > 0 || std::any_of(users.begin(), users.end(), [&](NodeId user) {
            return rewriter_.position(user) > rewriter_.position(id);
          });
      if (later) {
        refuse(node, "writes '" + rewriter_.value(written).name + "' while '" + rewriter_.value(other).name +
                         "', which shares its memory, is used later; that is not supported");
      }
    };
    if (base != written) refuse_if_used_later(base);
    for (const auto& [view, view_base] : bases_) {
      if (view_base == base && view != written) refuse_if_used_later(view);
    }
  }

  ValueId origin_of(ValueId value) const {
    const auto it = origins_.find(value);
    return it == origins_.end() ? value : it->second;
  }

  const ConstantBinding* constant_binding(ValueId value) const {
    for (const ConstantBinding& binding : rewriter_.constants()) {
      if (binding.value == value) return &binding;
    }
    return nullptr;
  }

  const BufferBinding* buffer_binding(ValueId value) const {
    for (const BufferBinding& binding : rewriter_.buffers()) {
      if (binding.value == value) return &binding;
    }
    return nullptr;
  }

  bool is_input(ValueId value) const {
    const auto& inputs = rewriter_.graph().inputs;
    return std::find(inputs.begin(), inputs.end(), value) != inputs.end();
  }

  bool is_state_or_input(ValueId value) const {
    return is_input(value) || buffer_binding(value) != nullptr || constant_binding(value) != nullptr;
  }

  void check_origin(const Node& node, ValueId origin) const {
    if (const ConstantBinding* constant = constant_binding(origin);
        constant != nullptr && !constant->mutated) {
      refuse(node, "writes the constant '" + constant->constant->key + "', which is not declared as mutated");
    }
    if (nested_ && is_state_or_input(origin)) {
      refuse(node, "writes an operand of its nested graph, which is not supported");
    }
  }

  void forget_aliases() {
    for (const NodeId id : rewriter_.nodes()) {
      std::vector<Output> outputs = rewriter_.node(id).outputs;
      const auto shares = [](const Output& output) { return output.alias_of != kNoValue; };
      if (std::none_of(outputs.begin(), outputs.end(), shares)) continue;
      for (Output& output : outputs) output.alias_of = kNoValue;
      rewriter_.replace(id, rewriter_.node(id).op, rewriter_.node(id).inputs, std::move(outputs));
    }
  }

  // In the order of the bindings, so that the outputs do not depend on hashing.
  void write_back() {
    for (const ConstantBinding& binding : rewriter_.constants()) {
      add_write_back(binding.value, OutputKind::kBufferMutation, binding.constant->key);
    }
    for (const BufferBinding& binding : rewriter_.buffers()) {
      add_write_back(binding.value, OutputKind::kBufferMutation, binding.fqn);
    }
    const std::vector<ValueId> inputs = rewriter_.graph().inputs;
    for (const ValueId input : inputs) {
      add_write_back(input, OutputKind::kUserInputMutation, rewriter_.value(input).name);
    }
  }

  void add_write_back(ValueId origin, OutputKind kind, const std::string& target) {
    const auto it = latest_.find(origin);
    if (it == latest_.end()) return;
    const auto specs = rewriter_.output_specs();
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const auto* value = std::get_if<ValueId>(&rewriter_.graph().outputs[i]);
      // Packages may name the buffer otherwise than its data: the value written decides as well.
      const bool same_value = value != nullptr && *value == it->second;
      if (specs[i].kind == kind && (specs[i].target == target || same_value)) return;
    }
    rewriter_.add_output(it->second, OutputSpec{kind, target});
  }

  Rewriter& rewriter_;
  bool nested_;
  std::unordered_map<ValueId, ValueId> bases_;    // of views
  std::unordered_map<ValueId, ValueId> origins_;  // of written values: the first in the chain of writes
  std::unordered_map<ValueId, ValueId> latest_;   // by origin: the value after the last write
};

}  // namespace

std::int64_t functionalize(Rewriter& rewriter, const Context& context) {
  return Functionalizer(rewriter, context).run();
}

}  // namespace plumb::passes
