// One method of the program: its graph, what binds values of the graph to data and state, and what becomes of
// results.
#pragma once

#include "graph/graph.h"
#include "package/constants.h"
#include "package/place.h"
#include "program_generated.h"

namespace plumb {

// Throws Error(kPackage). Not checked here: what concerns several methods (resolve_state).
Method read_method(const fbs::Method& source, ConstantStore& store, const Place& program);

}  // namespace plumb
