// The checks that nlohmann's parser leaves to its callback.
#include "package/json.h"

#include <string>
#include <unordered_set>
#include <vector>

#include "package/limits.h"

namespace plumb {

nlohmann::json parse_json_object(std::span<const std::byte> bytes, const Place& place) {
  using nlohmann::json;
  if (bytes.size() > limits::kMaxJsonBytes) {
    place.fail("has " + std::to_string(bytes.size()) +
               " bytes of JSON; expected at most kMaxJsonBytes = " + std::to_string(limits::kMaxJsonBytes));
  }
  std::vector<std::unordered_set<std::string>> keys;  // of each object that is open
  const auto check = [&](int depth, json::parse_event_t event, json& parsed) {
    if (depth > limits::kMaxJsonDepth) {
      place.fail("nests JSON deeper than kMaxJsonDepth = " + std::to_string(limits::kMaxJsonDepth));
    }
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys.back().insert(key).second) place.fail("has the key " + in_quotes(key) + " twice");
    }
    return true;
  };
  json value;
  try {
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    value = json::parse(text, text + bytes.size(), check);
  } catch (const json::exception& error) {
    place.fail("is not valid JSON: " + in_quotes(error.what()));
  }
  if (!value.is_object())
    place.fail(std::string("holds a JSON ") + value.type_name() + "; expected an object");
  return value;
}

}  // namespace plumb
