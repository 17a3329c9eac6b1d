// Reads `plumb.json`.
#include "package/metadata.h"

#include <algorithm>
#include <initializer_list>

#include "package/json.h"
#include "package/limits.h"

namespace plumb {
namespace {

using nlohmann::json;

constexpr std::int64_t kMaxPixels = 1 << 16;  // a side longer than any image library decodes

std::string choice(const json& value, std::initializer_list<std::string_view> known, const Place& field) {
  std::string names;
  for (const std::string_view name : known) {
    if (value.is_string() && value.get_ref<const std::string&>() == name) return std::string(name);
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  field.fail("is " + in_quotes(value.dump(-1, ' ', true, json::error_handler_t::replace)) +
             "; expected one of " + names);
}

// 0 when the value is null: "leave that step out".
std::int64_t pixels(const json& value, const Place& field) {
  if (value.is_null()) return 0;
  if (!value.is_number_integer() || value < 0 || value > kMaxPixels) {
    field.fail("is no number of pixels; expected null or an integer of 0 to " + std::to_string(kMaxPixels));
  }
  return value.get<std::int64_t>();
}

double number(const json& value, const Place& field) {
  if (!value.is_number()) field.fail("is no number");
  return value.get<double>();  // JSON cannot spell what is not finite
}

std::vector<double> per_channel(const json& value, const Place& field) {
  if (!value.is_array() || value.size() != 3) field.fail("is no list of three numbers, one a channel");
  std::vector<double> numbers;
  for (const json& item : value) numbers.push_back(number(item, field));
  return numbers;
}

PreprocessingInfo read_preprocessing(const json& object, const Place& member) {
  const Place place(member, "preprocessing");
  if (!object.is_object()) place.fail("is no JSON object");
  PreprocessingInfo info;
  info.mean.assign(3, 0.0);
  info.std.assign(3, 1.0);
  for (const auto& [key, value] : object.items()) {
    const Place field(place, "field", key);
    if (key == "resize") {
      info.resize = pixels(value, field);
    } else if (key == "crop") {
      info.crop = pixels(value, field);
    } else if (key == "interpolation") {
      info.interpolation = choice(value, {"nearest", "bilinear", "bicubic", "lanczos"}, field);
    } else if (key == "scale") {
      info.scale = number(value, field);
    } else if (key == "mean") {
      info.mean = per_channel(value, field);
    } else if (key == "std") {
      info.std = per_channel(value, field);
      if (std::count(info.std.begin(), info.std.end(), 0.0) != 0) field.fail("holds 0; expected divisors");
    } else if (key == "channels") {
      info.channels = choice(value, {"RGB", "BGR"}, field);
    } else if (key == "layout") {
      info.layout = choice(value, {"NCHW", "NHWC"}, field);
    } else {
      field.fail("is unknown; expected resize, crop, interpolation, scale, mean, std, channels or layout");
    }
  }
  return info;
}

std::vector<std::string> read_labels(const json& list, const Place& member) {
  const Place place(member, "field", "labels");
  if (!list.is_array()) place.fail("is no list");
  if (list.size() > limits::kMaxLabels) {
    place.fail("has " + std::to_string(list.size()) +
               " entries; expected at most kMaxLabels = " + std::to_string(limits::kMaxLabels));
  }
  std::vector<std::string> labels;
  for (const json& item : list) {
    const Place label(place, "entry", labels.size());
    // Labels are printed as they are, one a line.
    if (!item.is_string() || !is_plain_text(item.get_ref<const std::string&>())) {
      label.fail("is no string without control characters");
    }
    labels.push_back(item.get<std::string>());
  }
  return labels;
}

}  // namespace

Metadata read_metadata(std::span<const std::byte> bytes, const Place& member) {
  Metadata metadata;
  const json object = parse_json_object(bytes, member);
  if (const auto it = object.find("labels"); it != object.end()) metadata.labels = read_labels(*it, member);
  if (const auto it = object.find("preprocessing"); it != object.end()) {
    metadata.preprocessing = read_preprocessing(*it, member);
  }
  return metadata;
}

}  // namespace plumb
