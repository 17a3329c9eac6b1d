// Turns the library's kInvalidArgument into ArgumentError where the argument was the user's.
#include "runners/session_arguments.h"

#include <algorithm>
#include <string>
#include <vector>

#include "runners/exit_code.h"

namespace plumb {

void check_session_arguments(const SessionOptions& options) {
  const std::vector<std::string> names = engine_names();
  if (std::find(names.begin(), names.end(), options.engine) == names.end()) {
    std::string message = "unknown engine '" + options.engine + "'; this build has";
    for (std::size_t i = 0; i < names.size(); ++i) message += (i > 0 ? ", " : " ") + names[i];
    throw ArgumentError(message);
  }
  if (options.threads < 0 || options.threads > kMaxThreads) {
    throw ArgumentError("--threads is " + std::to_string(options.threads) + "; expected 1 to " +
                        std::to_string(kMaxThreads));
  }
  if (!options.isa.empty() && engine_isas(options.engine).empty()) {
    throw ArgumentError("--isa chooses an instruction set; engine " + options.engine +
                        " has none to choose from");
  }
}

Session make_session(std::shared_ptr<const Package> package, const SessionOptions& options) {
  try {
    return Session(std::move(package), options);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kInvalidArgument) throw ArgumentError(error.what());
    throw;
  }
}

}  // namespace plumb
