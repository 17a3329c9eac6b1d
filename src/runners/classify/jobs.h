// The files of a classification run, checked and read before the package is: what is classified, against
// which reference, dumped to where.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "runners/classify/options.h"
#include "runners/image/image.h"
#include "runners/io/array.h"

namespace plumb {

// Raw values have one dimension until the method's input gives them a shape.
struct RawValues {
  Array values;
};
using InputData = std::variant<RawValues, Array, Image>;

struct Job {
  std::string input;
  std::string expected_path;
  std::optional<Array> expected;
  std::string dump;               // empty: none
  std::string error;              // not empty: this file cannot be run, and why
  std::optional<InputData> data;  // read already; otherwise read when its turn comes
};

struct Jobs {
  bool several = false;     // --input was repeated or names a folder
  std::string dump_folder;  // created when the first dump is written
  std::vector<Job> jobs;
  std::vector<std::string> categories;
};

// Throws Error(kFile) for what stops the whole run. References are all in memory when this returns, and no
// dump path exists, so no run can be judged by its own dump.
Jobs read_jobs(const ClassifyOptions& options);

// Decodes by the extension. Throws Error(kFile).
InputData read_input(const std::string& path);

}  // namespace plumb
