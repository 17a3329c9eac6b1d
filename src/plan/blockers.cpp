// Which nodes of a packaged method an engine cannot run.
#include "passes/passes.h"
#include "plan/compiled_method.h"
#include "plumb/package.h"

namespace plumb {

std::vector<std::string> Package::blockers(std::string_view method, const std::string& engine) const {
  const KernelTable table(engine, {}, {});
  PassOptions options;
  options.optimize = false;  // the passes that every program needs decide which ops kernels meet
  return unsupported_parts(*run_passes(program().method(method), options, nullptr), table);
}

}  // namespace plumb
