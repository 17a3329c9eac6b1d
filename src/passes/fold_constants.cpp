// What depends on immutable constants alone is computed while compiling, by the evaluator that the caller
// gives. Views cost nothing at run time: they are computed only on the way to something that does cost.
#include <algorithm>
#include <optional>
#include <vector>

#include "passes/match.h"
#include "passes/operators.h"
#include "passes/rewrites.h"

namespace plumb::passes {

namespace {

// Results that are larger than this and than what they are made from cost more memory than they save time.
constexpr std::size_t kMaxGrownBytes = std::size_t{1} << 20;

class Folder {
 public:
  Folder(Rewriter& rewriter, const Evaluator& evaluate)
      : rewriter_(rewriter),
        evaluate_(evaluate),
        known_(rewriter.value_count()),
        useful_(rewriter.value_count()) {}

  std::int64_t run() {
    const std::vector<NodeId> order = rewriter_.nodes();
    for (std::size_t i = 0; i < known_.size(); ++i) {
      known_[i] = rewriter_.constant(static_cast<ValueId>(i)) != nullptr;
    }
    std::vector<NodeId> candidates;
    for (const NodeId id : order) {
      if (!is_foldable(rewriter_.node(id))) continue;
      for (const ValueId value : rewriter_.node(id).produced()) known_[value] = true;
      candidates.push_back(id);
    }
    mark_useful(candidates);
    std::int64_t changes = 0;
    for (const NodeId id : candidates) {
      if (is_useful(rewriter_.node(id)) && fold(id)) ++changes;
    }
    return changes;
  }

 private:
  bool is_foldable(const Node& node) const {
    if (has_effects(node) || is_random(node.op) || node.op == "aten.empty.memory_format") return false;
    // A result of the method has to be written at every execution anyway.
    const std::vector<ValueId> produced = node.produced();
    if (std::any_of(produced.begin(), produced.end(),
                    [&](ValueId v) { return rewriter_.output_uses(v) > 0; })) {
      return false;
    }
    for (const Argument& argument : node.inputs) {
      if (!has_known_value(argument.value)) return false;
    }
    return is_small_enough(node);
  }

  bool has_known_value(const ArgumentValue& value) const {
    if (const auto* tensor = std::get_if<TensorRef>(&value)) return known_[tensor->value];
    if (const auto* tensors = std::get_if<TensorListArg>(&value)) {
      return std::all_of(tensors->values.begin(), tensors->values.end(),
                         [&](ValueId id) { return id == kNoValue || known_[id]; });
    }
    if (const auto* items = std::get_if<IntListArg>(&value)) {
      return std::all_of(items->items.begin(), items->items.end(),
                         [](const IntArg& i) { return i.ref == kNoValue; });
    }
    if (const auto* integer = std::get_if<IntArg>(&value)) return integer->ref == kNoValue;
    if (const auto* real = std::get_if<FloatArg>(&value)) return real->ref == kNoValue;
    if (const auto* boolean = std::get_if<BoolArg>(&value)) return boolean->ref == kNoValue;
    return true;
  }

  // Nothing when the size is not known, or not representable.
  std::optional<std::size_t> bytes_of(ValueId value) const {
    const TensorMeta* known = meta(rewriter_, value);
    if (known == nullptr || !known->is_static() || !std::holds_alternative<std::monostate>(known->quant))
      return {};
    std::size_t bytes = dtype_size(known->dtype);
    for (const Dim& dim : known->sizes) {
      if (dim.min < 0 || __builtin_mul_overflow(bytes, static_cast<std::size_t>(dim.min), &bytes)) return {};
    }
    return bytes;
  }

  bool is_small_enough(const Node& node) const {
    std::size_t produced = 0;
    for (const ValueId value : node.produced()) {
      const auto bytes = bytes_of(value);
      if (!bytes || __builtin_add_overflow(produced, *bytes, &produced)) return false;
    }
    std::size_t used = 0;
    for (const Argument& argument : node.inputs) {
      const auto* tensor = std::get_if<TensorRef>(&argument.value);
      if (tensor != nullptr) used = std::max(used, bytes_of(tensor->value).value_or(0));
    }
    return produced <= std::max(kMaxGrownBytes, used);
  }

  // From the end: a view is useful when a useful candidate uses it, anything else is.
  void mark_useful(const std::vector<NodeId>& candidates) {
    for (auto id = candidates.rbegin(); id != candidates.rend(); ++id) {
      const Node& node = rewriter_.node(*id);
      if (!is_useful(node)) continue;
      for (const Argument& argument : node.inputs) {
        if (const auto* tensor = std::get_if<TensorRef>(&argument.value)) useful_[tensor->value] = true;
        const auto* tensors = std::get_if<TensorListArg>(&argument.value);
        if (tensors == nullptr) continue;
        for (const ValueId value : tensors->values) {
          if (value != kNoValue) useful_[value] = true;
        }
      }
    }
  }

  bool is_useful(const Node& node) const {
    if (!shares_storage(node.op)) return true;
    const std::vector<ValueId> produced = node.produced();
    return std::any_of(produced.begin(), produced.end(), [&](ValueId value) { return useful_[value]; });
  }

  bool fold(NodeId id) {
    const Node node = rewriter_.node(id);
    std::vector<ConstantBinding> bindings;
    for (const Argument& argument : node.inputs) {
      if (const auto* tensor = std::get_if<TensorRef>(&argument.value)) {
        if (!bind(tensor->value, bindings)) return false;
      } else if (const auto* tensors = std::get_if<TensorListArg>(&argument.value)) {
        for (const ValueId value : tensors->values) {
          if (value != kNoValue && !bind(value, bindings)) return false;
        }
      }
    }
    const std::vector<ValueId> produced = node.produced();
    const auto results = evaluate_(node, rewriter_.graph(), bindings);
    if (!results || results->size() != produced.size() || !fits(produced, *results)) return false;
    for (std::size_t i = 0; i < produced.size(); ++i) {
      if (rewriter_.is_unused(produced[i])) continue;
      const std::string name = rewriter_.value(produced[i]).name + "_folded";
      rewriter_.replace_uses(produced[i], rewriter_.add_constant(name, (*results)[i]));
    }
    rewriter_.erase(id);
    return true;
  }

  // False when an input turned out not to be computable after all.
  bool bind(ValueId value, std::vector<ConstantBinding>& bindings) const {
    const auto& constant = rewriter_.constant(value);
    if (constant == nullptr) return false;
    const auto is_bound = [&](const ConstantBinding& binding) { return binding.value == value; };
    if (std::any_of(bindings.begin(), bindings.end(), is_bound)) return true;
    bindings.push_back(ConstantBinding{value, constant, InputKind::kConstantTensor, false});
    return true;
  }

  bool fits(const std::vector<ValueId>& produced,
            const std::vector<std::shared_ptr<const Constant>>& results) const {
    for (std::size_t i = 0; i < produced.size(); ++i) {
      const TensorMeta& expected = *meta(rewriter_, produced[i]);
      if (results[i] == nullptr || results[i]->dtype != expected.dtype ||
          results[i]->sizes != expected.static_sizes()) {
        return false;
      }
    }
    return true;
  }

  Rewriter& rewriter_;
  const Evaluator& evaluate_;
  std::vector<bool> known_;   // by value: a constant, or the result of a candidate
  std::vector<bool> useful_;  // by value: a useful candidate needs it
};

}  // namespace

std::int64_t fold_constants(Rewriter& rewriter, const Context& context) {
  if (!context.options->evaluate) return 0;
  return Folder(rewriter, context.options->evaluate).run();
}

}  // namespace plumb::passes
