// Which buffers of a program are state that some method writes.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "package/place.h"

namespace plumb {

class ConstantStore;

// A buffer that one method writes is state for all: marks the bindings of every method. Throws
// Error(kPackage) when methods disagree about a buffer, or when state shares its stored data with another
// constant.
void resolve_state(std::vector<Method>& methods, const ConstantStore& store, const Place& program);

// fqns of zero-initialised buffers that nothing in the program writes. The official exporter makes zeros of
// every buffer that is not persistent, computed tables such as rotary frequencies included: a program that
// reads such a buffer computes wrong values without an error.
std::vector<std::string> unwritten_zero_buffers(const Program& program);

}  // namespace plumb
