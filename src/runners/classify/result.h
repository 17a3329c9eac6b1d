// What a classification run found: data only. Printing is report.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plumb/package.h"
#include "runners/classify/top.h"
#include "runners/compare/compare.h"
#include "runners/exit_code.h"

namespace plumb {

struct RunInfo {
  std::string package;
  std::string engine;              // the name
  std::string engine_description;  // "cpu (avx512, 2 threads)"
  int threads = 0;
  std::string method;
  std::size_t constants = 0;
  TensorInfo input;
  double load_milliseconds = 0;
  double compile_milliseconds = 0;
  std::string plan;  // empty unless asked for
};

struct FileResult {
  std::string input;
  std::string error;  // not empty: nothing below counts, except the dump of a failed comparison
  std::string input_shape;
  std::string output_shape;
  double run_milliseconds = 0;
  std::vector<Prediction> top;
  std::vector<std::string> top_labels;  // beside `top`; empty strings where there is no label
  std::int64_t classes = 0;
  std::int64_t non_finite = 0;
  std::string expected_path;
  std::optional<Comparison> comparison;
  std::string dump;  // empty: none written
  std::size_t dump_bytes = 0;

  ExitCode exit_code() const {
    if (!error.empty()) return ExitCode::kFailed;
    return comparison && !comparison->passed() ? ExitCode::kMismatch : ExitCode::kOk;
  }
};

struct ClassifyResult {
  RunInfo run;
  Tolerance tolerance;
  bool several = false;
  std::vector<FileResult> files;

  ExitCode exit_code() const {
    ExitCode code = ExitCode::kOk;
    for (const FileResult& file : files) code = worse(code, file.exit_code());
    return code;
  }
};

}  // namespace plumb
