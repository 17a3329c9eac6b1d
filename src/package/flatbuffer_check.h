// Makes `program.ptg` safe to read: after this check every accessor of the generated code stays within the
// bytes, every required field is there, every enum has a known value, and reading all of it takes time in
// proportion to its size. Not here: whether the program makes sense (method_reader.h).
#pragma once

#include <cstddef>
#include <span>

#include "package/place.h"
#include "program_generated.h"

namespace plumb {

// `bytes` must begin at an address that 8 divides. The result points into them.
const fbs::Program& check_program(std::span<const std::byte> bytes, const Place& member);

}  // namespace plumb
