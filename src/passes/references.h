// The values that an argument or a graph output refers to, visited in place.
#pragma once

#include "graph/graph.h"

namespace plumb::passes {

namespace internal {

template <typename Visit>
void visit_reference(ValueId& id, const Visit& visit) {
  if (id != kNoValue) visit(id);
}

}  // namespace internal

// Calls visit(ValueId&) for every value of the enclosing graph that `value` refers to; nested graphs have
// their own values and are not entered.
template <typename Visit>
void for_each_reference(ArgumentValue& value, const Visit& visit) {
  using internal::visit_reference;
  if (auto* tensor = std::get_if<TensorRef>(&value)) {
    visit_reference(tensor->value, visit);
  } else if (auto* integer = std::get_if<IntArg>(&value)) {
    visit_reference(integer->ref, visit);
  } else if (auto* number = std::get_if<FloatArg>(&value)) {
    visit_reference(number->ref, visit);
  } else if (auto* boolean = std::get_if<BoolArg>(&value)) {
    visit_reference(boolean->ref, visit);
  } else if (auto* integers = std::get_if<IntListArg>(&value)) {
    for (IntArg& item : integers->items) visit_reference(item.ref, visit);
  } else if (auto* tensors = std::get_if<TensorListArg>(&value)) {
    for (ValueId& item : tensors->values) visit_reference(item, visit);
  }
}

// Calls visit(ValueId) for every value that the node's arguments refer to, once a use.
template <typename Visit>
void for_each_input(const Node& node, const Visit& visit) {
  for (const Argument& argument : node.inputs) {
    ArgumentValue copy = argument.value;
    for_each_reference(copy, [&](ValueId& id) { visit(id); });
  }
}

}  // namespace plumb::passes
