// A method as text for people: one line a node, or a Graphviz drawing.
#pragma once

#include <string>

#include "graph/graph.h"

namespace plumb {

// Inputs, bindings, nodes in order, results; nested graphs indented below their node.
std::string to_text(const Method& method);
// Graphviz DOT: inputs, constants and buffers as boxes of their own, one box a node, edges labelled with
// shapes.
std::string to_dot(const Method& method);

}  // namespace plumb
