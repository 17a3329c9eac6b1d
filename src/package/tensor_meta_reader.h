// Tensor metadata from the package: dtype, ranges of sizes, dim order, quantisation scheme.
#pragma once

#include <string>
#include <string_view>

#include "graph/graph.h"
#include "package/place.h"
#include "program_generated.h"

namespace plumb {

// "" for a string that is absent.
std::string_view text_of(const flatbuffers::String* string);

// For enum values that check_program has accepted.
DType dtype_of(fbs::ScalarType type);

// A dim order that says "row-major" comes back empty, an unbounded max as -1. Throws Error(kPackage).
TensorMeta read_tensor_meta(const fbs::TensorMeta& source, const Place& owner);

}  // namespace plumb
