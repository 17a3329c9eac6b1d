// Argument checks of `plumb run`.
#include "runners/run/options.h"

#include "runners/compare/compare.h"
#include "runners/exit_code.h"
#include "runners/session_arguments.h"

namespace plumb {

void check_arguments(const RunOptions& options) {
  if (options.package.empty()) throw ArgumentError("--package is required");
  if (options.steps.empty()) throw ArgumentError("no execution is asked for; give --inputs");
  if (options.repeat < 1)
    throw ArgumentError("--repeat is " + std::to_string(options.repeat) + "; expected 1 or more");
  if (options.require_identical && options.repeat < 2) {
    throw ArgumentError("--require-identical needs --repeat 2 or more");
  }
  check_tolerance({options.rtol.value_or(0.0), options.atol.value_or(0.0)});
  check_session_arguments(options.session);
}

}  // namespace plumb
