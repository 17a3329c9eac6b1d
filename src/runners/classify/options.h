// What a user asks of a classification run.
#pragma once

#include <string>
#include <vector>

#include "plumb/session.h"
#include "runners/compare/compare.h"
#include "runners/image/preprocessing_flags.h"

namespace plumb {

struct ClassifyOptions {
  std::string package;
  std::vector<std::string> inputs;  // files, or one folder
  std::string expected;             // empty: no reference
  std::string categories;           // empty: the package's own labels
  std::string method = "forward";
  Tolerance tolerance;
  std::string dump_output;  // empty: no dump
  SessionOptions session;
  PreprocessingFlags preprocessing;
  bool explain = false;
};

// Everything that is wrong without looking at any file. Throws ArgumentError.
void check_arguments(const ClassifyOptions& options);

}  // namespace plumb
