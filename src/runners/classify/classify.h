// A classification run from arguments to result. Prints nothing: whoever calls it does.
#pragma once

#include <functional>

#include "runners/classify/options.h"
#include "runners/classify/result.h"

namespace plumb {

struct ClassifyObserver {
  std::function<void(const RunInfo&, std::size_t files)> on_ready;  // compiled, about to run the first file
  std::function<void(const FileResult&)> on_file;                   // each file of several, when it is done
};

// In order: arguments (ArgumentError), files, package, compilation, the reference's length, execution, the
// dump, the comparison. With a single input everything that fails is thrown; with several, what concerns one
// file is kept in its FileResult and the run goes on.
ClassifyResult classify(const ClassifyOptions& options, const ClassifyObserver& observer = {});

}  // namespace plumb
