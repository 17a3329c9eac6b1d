// Nodes with the same operator and the same arguments compute the same: the later ones go.
#include <bit>
#include <string>
#include <unordered_map>

#include "passes/operators.h"
#include "passes/rewrites.h"

namespace plumb::passes {

namespace {

// Spells a node's operator and arguments so that equal text means equal computation.
class Spelling {
 public:
  explicit Spelling(const Node& node) {
    text_ = node.op;
    for (const Argument& argument : node.inputs) {
      text_ += '|' + argument.name + '=' + std::to_string(argument.value.index()) + ':';
      std::visit([this](const auto& value) { add(value); }, argument.value);
    }
    for (const Output& output : node.outputs) {
      text_ += '>' + std::to_string(output.values.size());
    }
  }
  std::string take() { return std::move(text_); }

 private:
  void add(std::int64_t value) { text_ += std::to_string(value) + ','; }
  // By bits: 0.0 and -0.0 are equal numbers but different arguments.
  void add(double value) { text_ += std::to_string(std::bit_cast<std::uint64_t>(value)) + ','; }
  void add(const None&) {}
  void add(const TensorRef& value) { add(std::int64_t{value.value}); }
  void add(const IntArg& value) {
    add(value.value);
    add(std::int64_t{value.ref});
  }
  void add(const FloatArg& value) {
    add(value.value);
    add(std::int64_t{value.ref});
  }
  void add(const BoolArg& value) {
    add(std::int64_t{value.value});
    add(std::int64_t{value.ref});
  }
  // With its length: text may hold any character.
  void add(const std::string& value) { text_ += std::to_string(value.size()) + ':' + value; }
  void add(DType value) { add(static_cast<std::int64_t>(value)); }
  void add(const IntListArg& value) {
    for (const IntArg& item : value.items) add(item);
  }
  void add(const FloatListArg& value) {
    for (const double item : value.items) add(item);
  }
  void add(const BoolListArg& value) {
    for (const bool item : value.items) add(std::int64_t{item});
  }
  void add(const TensorListArg& value) {
    for (const ValueId item : value.values) add(std::int64_t{item});
  }
  void add(const SubgraphArg& value) { add(value.name); }  // never compared: such nodes have effects

  std::string text_;
};

}  // namespace

std::int64_t eliminate_common_subexpressions(Rewriter& rewriter, const Context&) {
  std::unordered_map<std::string, NodeId> first;
  return rewriter.rewrite_each([&](NodeId id) {
    const Node& node = rewriter.node(id);
    if (has_effects(node) || is_random(node.op)) return false;
    const std::vector<ValueId> produced = node.produced();
    bool is_result = false;  // each result of the method keeps a value of its own
    for (const ValueId value : produced) is_result = is_result || rewriter.output_uses(value) > 0;
    const auto [known, is_new] = first.try_emplace(Spelling(node).take(), id);
    if (is_new || is_result) return false;
    const std::vector<ValueId> same = rewriter.node(known->second).produced();
    for (std::size_t i = 0; i < produced.size(); ++i) rewriter.replace_uses(produced[i], same[i]);
    rewriter.erase(id);
    return true;
  });
}

}  // namespace plumb::passes
