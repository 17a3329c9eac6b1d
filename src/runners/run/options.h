// What a user asks of `plumb run`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plumb/session.h"

namespace plumb {

// One execution: the method and where its inputs are.
struct RunStep {
  std::string method = "forward";
  std::vector<std::string> inputs;  // `.npy` files in order, or one folder with in0.npy …
};

struct RunOptions {
  std::string package;
  std::vector<RunStep> steps;  // in one session: shapes and state carry over
  std::string outputs;         // folder, new or empty; empty: nothing is written
  std::string expected;        // folder of the same structure; empty: no reference
  std::optional<double> rtol;  // absent: by dtype
  std::optional<double> atol;
  int repeat = 1;
  bool require_identical = false;
  SessionOptions session;
  bool explain = false;
};

// Throws ArgumentError.
void check_arguments(const RunOptions& options);

}  // namespace plumb
