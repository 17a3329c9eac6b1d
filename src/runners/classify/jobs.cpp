// References first, dump paths next, a lone input last; inputs of a longer run are read one at a time.
#include "runners/classify/jobs.h"

#include <set>

#include "base/new_file.h"
#include "plumb/error.h"
#include "runners/image/decode.h"
#include "runners/io/labels.h"
#include "runners/io/npy.h"
#include "runners/io/path.h"
#include "runners/io/raw.h"

namespace plumb {
namespace {

const std::vector<std::string> kInputExtensions{".bin", ".raw", ".f32", ".npy", ".jpg", ".jpeg", ".png"};

std::vector<std::string> list_inputs(const ClassifyOptions& options, bool& several) {
  several = options.inputs.size() > 1;
  std::vector<std::string> files;
  for (const std::string& input : options.inputs) {
    if (!is_folder(input)) {
      files.push_back(input);
      continue;
    }
    several = true;
    const std::vector<std::string> found = files_in(input, kInputExtensions);
    if (found.empty()) {
      throw Error(ErrorKind::kFile,
                  "cannot use " + input + ": no .bin, .raw, .f32, .npy, .jpg or .png file is in it");
    }
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

void refuse_equal_stems(const std::vector<Job>& jobs) {
  std::set<std::string> stems;
  for (const Job& job : jobs) {
    if (stems.insert(stem_of(job.input)).second) continue;
    throw Error(ErrorKind::kFile,
                "two inputs are called " + stem_of(job.input) + ", " + job.input +
                    " being one; with --expected or --dump_output each needs a name of its own");
  }
}

void set_folders(const ClassifyOptions& options, Jobs& jobs) {
  if (!options.expected.empty() || !options.dump_output.empty()) refuse_equal_stems(jobs.jobs);
  if (!options.expected.empty()) {
    require_existing(options.expected);
    if (!is_folder(options.expected)) {
      throw Error(ErrorKind::kFile, "cannot use " + options.expected +
                                        ": it is a file; with several inputs --expected names a folder");
    }
  }
  if (!options.dump_output.empty()) {
    refuse_unless_new_or_empty(options.dump_output);
    jobs.dump_folder = options.dump_output;
  }
  for (Job& job : jobs.jobs) {
    const std::string name = stem_of(job.input) + ".bin";
    if (!options.dump_output.empty()) job.dump = join_path(options.dump_output, name);
    if (options.expected.empty()) continue;
    job.expected_path = join_path(options.expected, name);
    try {
      job.expected = read_raw_float32(job.expected_path);
    } catch (const Error& error) {
      job.error = error.what();
    }
  }
}

}  // namespace

InputData read_input(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension == ".bin" || extension == ".raw" || extension == ".f32")
    return RawValues{read_raw_float32(path)};
  if (extension == ".npy") return read_npy(path);
  if (extension == ".jpg" || extension == ".jpeg" || extension == ".png") return decode_image(path);
  require_existing(path);
  throw Error(ErrorKind::kFile,
              "cannot use " + path + ": expected a .bin, .raw, .f32, .npy, .jpg or .png file");
}

Jobs read_jobs(const ClassifyOptions& options) {
  Jobs jobs;
  if (!options.categories.empty()) jobs.categories = read_labels(options.categories);
  for (const std::string& input : list_inputs(options, jobs.several)) {
    jobs.jobs.emplace_back();
    jobs.jobs.back().input = input;
  }
  if (jobs.several) {
    set_folders(options, jobs);
    return jobs;
  }
  Job& job = jobs.jobs[0];
  if (!options.expected.empty()) {
    job.expected_path = options.expected;
    job.expected = read_float32(options.expected);
  }
  if (!options.dump_output.empty()) {
    job.dump = options.dump_output;
    refuse_existing(job.dump);
  }
  job.data = read_input(job.input);
  return jobs;
}

}  // namespace plumb
