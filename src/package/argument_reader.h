// Arguments of a node: literals, references by name, lists of them, graphs.
#pragma once

#include <cstddef>

#include "graph/graph.h"
#include "package/place.h"
#include "package/scope.h"
#include "program_generated.h"

namespace plumb {

// `depth` is that of the graph the argument belongs to: 0 for a method's. Throws Error(kPackage).
ArgumentValue read_argument(const fbs::Argument& source, const Scope& scope, std::size_t depth,
                            const Place& place);

}  // namespace plumb
