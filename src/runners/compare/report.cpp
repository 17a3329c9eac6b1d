// Text and JSON of a comparison.
#include "runners/compare/report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "runners/text.h"

namespace plumb {
namespace {

using Json = nlohmann::ordered_json;

std::string place_text(const std::optional<Place>& place) {
  if (!place) return "none";
  return format("%.3g (at %lld)", place->value, static_cast<long long>(place->index));
}

Json place_json(const std::optional<Place>& place) {
  if (!place) return {};
  return {{"index", place->index}, {"value", place->value}};
}

// JSON has no word for values that are not finite, and here it matters which one it was.
Json number_json(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

template <typename T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace

std::string comparison_line(const Comparison& comparison, const Tolerance& tolerance) {
  std::string text =
      format("%lld of %lld differ (rtol %g, atol %g)", static_cast<long long>(comparison.failures),
             static_cast<long long>(comparison.count), tolerance.rtol, tolerance.atol);
  if (comparison.first_failure) {
    const Failure& first = *comparison.first_failure;
    text += format(", first at %lld: %.9g, expected %.9g", static_cast<long long>(first.index), first.actual,
                   first.expected);
  }
  text += "; worst absolute error " + place_text(comparison.worst_absolute) + ", relative " +
          place_text(comparison.worst_relative);
  if (comparison.max_ulp) text += format(", %llu ULP", static_cast<unsigned long long>(*comparison.max_ulp));
  if (comparison.cosine) text += format("; cosine %.9f", *comparison.cosine);
  if (comparison.top1_agrees) text += *comparison.top1_agrees ? "; top-1 agrees" : "; top-1 differs";
  if (comparison.top5_common) {
    text += format(", top-5 %d of %lld in common", *comparison.top5_common,
                   static_cast<long long>(comparison.count < 5 ? comparison.count : 5));
  }
  return text;
}

nlohmann::ordered_json comparison_json(const Comparison& comparison, const Tolerance& tolerance) {
  Json json;
  json["count"] = comparison.count;
  json["rtol"] = tolerance.rtol;
  json["atol"] = tolerance.atol;
  json["failures"] = comparison.failures;
  json["first_failure"] = Json();
  if (comparison.first_failure) {
    json["first_failure"] = {{"index", comparison.first_failure->index},
                             {"actual", number_json(comparison.first_failure->actual)},
                             {"expected", number_json(comparison.first_failure->expected)}};
  }
  json["worst_absolute_error"] = place_json(comparison.worst_absolute);
  json["worst_relative_error"] = place_json(comparison.worst_relative);
  json["max_ulp_distance"] = optional_json(comparison.max_ulp);
  json["cosine_similarity"] = optional_json(comparison.cosine);
  json["top1_agrees"] = optional_json(comparison.top1_agrees);
  json["top5_common"] = optional_json(comparison.top5_common);
  return json;
}

}  // namespace plumb
