// Argument checks of the classification runner.
#include "runners/classify/options.h"

#include <set>

#include "runners/exit_code.h"
#include "runners/image/preprocess.h"
#include "runners/io/path.h"
#include "runners/session_arguments.h"

namespace plumb {

void check_arguments(const ClassifyOptions& options) {
  if (options.package.empty()) throw ArgumentError("--package is required");
  if (options.inputs.empty()) throw ArgumentError("--input is required");
  std::set<std::string> stems;
  for (const std::string& input : options.inputs) {
    if (input.empty()) throw ArgumentError("--input is empty; expected a file or a folder");
    const bool named_by_stem = !options.expected.empty() || !options.dump_output.empty();
    if (!stems.insert(stem_of(input)).second && named_by_stem) {
      throw ArgumentError("two inputs are called " + stem_of(input) +
                          "; with --expected or --dump_output each needs a name of its own");
    }
  }
  check_tolerance(options.tolerance);
  check_session_arguments(options.session);
  try {
    check_preprocessing(options.preprocessing.over({}), "the preprocessing flags");
  } catch (const Error& error) {
    throw ArgumentError(error.what());
  }
}

}  // namespace plumb
