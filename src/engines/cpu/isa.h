// Which instruction sets this build and this machine have, and how a kernel finds the active one.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engines/cpu/isa_kernels.h"
#include "engines/engine.h"

namespace plumb::cpu {

struct Isa {
  std::string_view name;  // "avx512", "avx2", "portable"
  const IsaKernels* kernels;
};

// The sets that this build has, best first; this machine may lack some.
std::vector<Isa> built_isas();
// The sets that this build has and this machine can run, best first; never empty.
std::vector<Isa> available_isas();

// The set of that name, or the best one when `name` is empty. Throws Error(kInvalidArgument) that lists the
// available ones when the name is unknown or the machine lacks it.
Isa find_isa(std::string_view name);

// What the cpu engine's kernels find in Call::context.
struct CpuContext : EngineContext {
  explicit CpuContext(Isa chosen) : isa(chosen) {}
  Isa isa;
};

// The kernels of the active instruction set.
const IsaKernels& isa_kernels(const Call& call);

}  // namespace plumb::cpu
