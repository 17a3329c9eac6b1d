// A comparison as one line and as JSON, with the names that plumb-verify uses too.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runners/compare/compare.h"

namespace plumb {

std::string comparison_line(const Comparison& comparison, const Tolerance& tolerance);
nlohmann::ordered_json comparison_json(const Comparison& comparison, const Tolerance& tolerance);

}  // namespace plumb
