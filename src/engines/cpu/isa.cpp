// Choice of the instruction set by what the processor reports.
#include "engines/cpu/isa.h"

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

std::vector<Isa> available_isas() {
  std::vector<Isa> isas;
#if defined(PLUMB_CPU_X86)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("fma")) {
    isas.push_back({"avx512", &avx512::kernels});
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c"))
    isas.push_back({"avx2", &avx2::kernels});
#endif
  isas.push_back({"portable", &portable::kernels});
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
