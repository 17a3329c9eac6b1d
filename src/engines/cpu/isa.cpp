// Choice of the instruction set by what the processor reports.
#include "engines/cpu/isa.h"

#if defined(PLUMB_CPU_X86)
#include <cpuid.h>
#endif

#include <algorithm>
#include <string>

#include "plumb/error.h"

namespace plumb::cpu {

namespace portable {
extern const IsaKernels kernels;
}
#if defined(PLUMB_CPU_X86)
namespace avx2 {
extern const IsaKernels kernels;
}
namespace avx512 {
extern const IsaKernels kernels;
}
#endif

namespace {

#if defined(PLUMB_CPU_X86)
// Not every compiler's __builtin_cpu_supports knows this one.
bool has_f16c() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}
#endif

struct BuiltIsa {
  Isa isa;
  bool (*runs_here)();
};

const BuiltIsa kBuiltIsas[] = {
#if defined(PLUMB_CPU_X86)
    {{"avx512", &avx512::kernels},
     [] {
       return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
              __builtin_cpu_supports("fma");
     }},
    {{"avx2", &avx2::kernels},
     [] { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c(); }},
#endif
    {{"portable", &portable::kernels}, [] { return true; }},
};

}  // namespace

std::vector<Isa> built_isas() {
  std::vector<Isa> isas;
  for (const BuiltIsa& built : kBuiltIsas) isas.push_back(built.isa);
  return isas;
}

std::vector<Isa> available_isas() {
  std::vector<Isa> isas;
  for (const BuiltIsa& built : kBuiltIsas) {
    if (built.runs_here()) isas.push_back(built.isa);
  }
  return isas;
}

Isa find_isa(std::string_view name) {
  const std::vector<Isa> isas = available_isas();
  if (name.empty()) return isas.front();
  const auto it = std::find_if(isas.begin(), isas.end(), [&](const Isa& isa) { return isa.name == name; });
  if (it != isas.end()) return *it;
  std::string known;
  for (const Isa& isa : isas) known += (known.empty() ? "" : ", ") + std::string(isa.name);
  throw Error(ErrorKind::kInvalidArgument,
              "engine cpu: instruction set '" + std::string(name) +
                  "' is unknown or not available on this machine, which has: " + known);
}

const IsaKernels& isa_kernels(const Call& call) {
  return *static_cast<const CpuContext*>(call.context)->isa.kernels;
}

}  // namespace plumb::cpu
