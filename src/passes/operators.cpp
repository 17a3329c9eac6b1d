// The tables behind operators.h.
#include "passes/operators.h"

#include <algorithm>
#include <array>

namespace plumb::passes {

namespace {

constexpr std::array<std::string_view, 25> kViews = {
    "aten.alias.default",
    "aten.as_strided.default",
    "aten.chunk.default",
    "aten.detach.default",
    "aten.diagonal.default",
    "aten.expand.default",
    "aten.flatten.using_ints",
    "aten.narrow.default",
    "aten.permute.default",
    "aten.reshape.default",
    "aten.select.int",
    "aten.slice.Tensor",
    "aten.split.Tensor",
    "aten.squeeze.default",
    "aten.squeeze.dim",
    "aten.squeeze.dims",
    "aten.t.default",
    "aten.transpose.int",
    "aten.unbind.int",
    "aten.unflatten.int",
    "aten.unfold.default",
    "aten.unsqueeze.default",
    "aten.view.default",
    "aten._unsafe_view.default",
    "aten.split_with_sizes.default",
};

constexpr std::array<std::string_view, 11> kRandom = {
    "bernoulli", "dropout", "exponential", "multinomial", "native_dropout", "normal",
    "poisson",   "rand",    "randint",     "randn",       "randperm",
};

// "relu" of "aten.relu.default".
std::string_view base_name(std::string_view op) {
  const std::size_t first = op.find('.');
  if (first == std::string_view::npos) return op;
  const std::string_view rest = op.substr(first + 1);
  return rest.substr(0, rest.find('.'));
}

}  // namespace

std::string_view without_prefix(std::string_view op) {
  constexpr std::string_view kPrefix = "torch.ops.";
  return op.starts_with(kPrefix) ? op.substr(kPrefix.size()) : op;
}

bool shares_storage(std::string_view op) {
  return std::find(kViews.begin(), kViews.end(), op) != kViews.end();
}

bool has_effects(const Node& node) {
  if (node.outputs.empty()) return true;
  return std::any_of(node.inputs.begin(), node.inputs.end(), [](const Argument& argument) {
    return argument.mutated || std::holds_alternative<SubgraphArg>(argument.value);
  });
}

bool is_random(std::string_view op) {
  const std::string_view base = base_name(op);
  return std::any_of(kRandom.begin(), kRandom.end(), [&](std::string_view name) {
    return base == name || (base.starts_with(name) && base.ends_with("_like"));
  });
}

}  // namespace plumb::passes
