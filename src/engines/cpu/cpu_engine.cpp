// The engine object: the kernel table and the chosen instruction set.
#include "engines/cpu/cpu_engine.h"

#include <array>
#include <string>
#include <vector>

#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"

namespace plumb {
namespace cpu {
namespace {

constexpr auto kExact = Numerics::kExact;
constexpr auto kRounding = Numerics::kRounding;

constexpr auto kKernels = std::to_array<Kernel>({
#define PLUMB_KERNEL(op, name, numerics, symbol) Kernel{op, name, numerics, &(symbol)},
#include "engines/cpu/kernels.inc"
#undef PLUMB_KERNEL
});

class CpuEngine final : public Engine {
 public:
  explicit CpuEngine(Isa isa) : context_(isa) {}
  std::string_view name() const override { return "cpu"; }
  std::span<const Kernel> kernels() const override { return kKernels; }
  bool optimize() const override { return true; }
  bool falls_back_to_reference() const override { return true; }
  std::string description() const override { return std::string(context_.isa.name); }
  const EngineContext* context() const override { return &context_; }

 private:
  CpuContext context_;
};

}  // namespace
}  // namespace cpu

std::unique_ptr<Engine> make_cpu_engine(const EngineOptions& options) {
  return std::make_unique<cpu::CpuEngine>(cpu::find_isa(options.isa));
}

std::vector<std::string> cpu_engine_isas() {
  std::vector<std::string> names;
  for (const cpu::Isa& isa : cpu::built_isas()) names.emplace_back(isa.name);
  return names;
}

}  // namespace plumb
