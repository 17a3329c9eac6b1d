// A classification result as text for people and as JSON for programs.
#pragma once

#include <string>

#include "runners/classify/result.h"

namespace plumb {

// "PASS", "FAIL", "ERROR" or "ran (no reference given)".
std::string verdict(const FileResult& file);
std::string verdict(const ClassifyResult& result);

std::string header_text(const RunInfo& run);
// Everything about one file, for a run on a single one.
std::string file_text(const FileResult& file, const Tolerance& tolerance);
// One line, for a run on several.
std::string file_line(const FileResult& file);
std::string summary_text(const ClassifyResult& result);

// One object; numbers that are not finite are null, as JSON has none.
std::string to_json(const ClassifyResult& result);

}  // namespace plumb
