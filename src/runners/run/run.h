// Executing methods on `.npy` inputs of any dtype: `plumb run` from arguments to result. Prints nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plumb/package.h"
#include "runners/compare/compare.h"
#include "runners/exit_code.h"
#include "runners/run/options.h"

namespace plumb {

struct OutputResult {
  std::string name;   // "out0.npy", with the step's folder when there are several
  std::string shape;  // "float32[1, 10]"
  std::optional<Tolerance> tolerance;
  std::optional<Comparison> comparison;
  std::string mismatch;  // shape or dtype differ from the reference's, and how
};

struct StepResult {
  std::string method;
  double run_milliseconds = 0;
  std::vector<OutputResult> outputs;
};

struct RunResult {
  std::string package;
  std::string engine;
  std::string engine_description;
  double load_milliseconds = 0;
  double compile_milliseconds = 0;
  std::string plan;  // empty unless asked for
  std::vector<StepResult> steps;
  std::string difference;  // which output was not identical in a repetition; empty: none
  bool compared = false;

  ExitCode exit_code() const;
};

RunResult run(const RunOptions& options);

std::string to_text(const RunResult& result);
std::string to_json(const RunResult& result);

}  // namespace plumb
