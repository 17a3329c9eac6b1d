// What passes know of operators by name: which share storage with their input, which have effects, which are
// random.
#pragma once

#include <string_view>

#include "graph/graph.h"

namespace plumb::passes {

// "aten.view.default" of "torch.ops.aten.view.default".
std::string_view without_prefix(std::string_view op);
// The result is a view of argument "self" and costs nothing.
bool shares_storage(std::string_view op);
// Writes an argument, checks something, or carries a nested graph that might: must stay where it is.
bool has_effects(const Node& node);
// Gives other results for the same arguments.
bool is_random(std::string_view op);

}  // namespace plumb::passes
