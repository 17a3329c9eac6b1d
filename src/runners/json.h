// JSON to text, the same way for all runners.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace plumb {

// Indented, with a line end. Bytes that are not UTF-8 (file names may have them) are replaced.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace plumb
