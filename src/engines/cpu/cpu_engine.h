// The fast engine: f32 kernels for vector instruction sets chosen at run time. Ops without a kernel here run
// the reference engine's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engines/engine.h"

namespace plumb {

// Throws Error(kInvalidArgument) when options.isa is unknown or not available on this machine.
std::unique_ptr<Engine> make_cpu_engine(const EngineOptions& options);
// The instruction sets of this build, best first; this machine may lack some.
std::vector<std::string> cpu_engine_isas();

}  // namespace plumb
