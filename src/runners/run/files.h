// The files of `plumb run`: inputs and references, read before the package is.
#pragma once

#include <string>
#include <vector>

#include "runners/io/array.h"
#include "runners/run/options.h"

namespace plumb {

struct NamedArray {
  std::string path;
  Array array;
};

struct StepFiles {
  std::vector<NamedArray> inputs;
  std::vector<NamedArray> expected;  // out0, out1 … as far as they exist
};

// Throws Error(kFile); also when the folder for outputs exists and is not empty.
std::vector<StepFiles> read_files(const RunOptions& options);

// The folder of one execution's outputs inside `folder`: itself for a single one, else "0", "1" …
std::string step_folder(const std::string& folder, std::size_t step, std::size_t steps);

}  // namespace plumb
