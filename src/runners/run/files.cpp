// Numbered `.npy` files: in0.npy, in1.npy …, each also as .bf16.npy.
#include "runners/run/files.h"

#include "plumb/error.h"
#include "runners/io/npy.h"
#include "runners/io/path.h"

namespace plumb {
namespace {

// PREFIX0.npy, PREFIX1.npy … up to the first number that is missing.
std::vector<NamedArray> read_numbered(const std::string& folder, const std::string& prefix) {
  const std::vector<std::string> present = files_in(folder, {".npy"});
  std::vector<NamedArray> arrays;
  for (;;) {
    const std::string stem = join_path(folder, prefix + std::to_string(arrays.size()));
    std::string found;
    for (const std::string& path : present) {
      if (path != stem + ".npy" && path != stem + ".bf16.npy") continue;
      if (!found.empty())
        throw Error(ErrorKind::kFile, found + " and " + path + " are the same tensor; expected one of them");
      found = path;
    }
    if (found.empty()) return arrays;
    arrays.push_back({found, read_npy(found)});
  }
}

std::vector<NamedArray> read_inputs(const std::vector<std::string>& paths) {
  if (paths.size() == 1 && is_folder(paths[0])) return read_numbered(paths[0], "in");
  std::vector<NamedArray> arrays;
  for (const std::string& path : paths) arrays.push_back({path, read_npy(path)});
  return arrays;
}

}  // namespace

std::string step_folder(const std::string& folder, std::size_t step, std::size_t steps) {
  return steps == 1 ? folder : join_path(folder, std::to_string(step));
}

std::vector<StepFiles> read_files(const RunOptions& options) {
  std::vector<StepFiles> files;
  for (std::size_t i = 0; i < options.steps.size(); ++i) {
    StepFiles step{read_inputs(options.steps[i].inputs), {}};
    if (!options.expected.empty()) {
      const std::string folder = step_folder(options.expected, i, options.steps.size());
      step.expected = read_numbered(folder, "out");
      if (step.expected.empty())
        throw Error(ErrorKind::kFile, "cannot use " + folder + ": it has no out0.npy");
    }
    files.push_back(std::move(step));
  }
  if (!options.outputs.empty()) refuse_unless_new_or_empty(options.outputs);
  return files;
}

}  // namespace plumb
