// Keys keep the order in which they are set here.
#include <nlohmann/json.hpp>

#include "runners/classify/report.h"
#include "runners/compare/report.h"
#include "runners/json.h"

namespace plumb {
namespace {

using Json = nlohmann::ordered_json;

void add_file(const FileResult& file, const Tolerance& tolerance, Json& json) {
  json["input"] = file.input;
  if (!file.error.empty()) {
    json["error"] = file.error;
  } else {
    json["input_shape"] = file.input_shape;
    json["output_shape"] = file.output_shape;
    json["run_ms"] = file.run_milliseconds;
    json["top"] = Json::array();
    for (std::size_t i = 0; i < file.top.size(); ++i) {
      json["top"].push_back({{"index", file.top[i].index},
                             {"label", file.top_labels[i].empty() ? Json() : Json(file.top_labels[i])},
                             {"probability", file.top[i].probability},
                             {"logit", file.top[i].logit}});
    }
    json["argmax"] = file.top.empty() ? Json() : Json(file.top[0].index);
    json["classes"] = file.classes;
    json["non_finite"] = file.non_finite;
    json["expected"] = file.comparison ? Json(file.expected_path) : Json();
    json["comparison"] = file.comparison ? comparison_json(*file.comparison, tolerance) : Json();
  }
  json["dump"] = file.dump.empty() ? Json() : Json(file.dump);
  json["result"] = verdict(file);
}

}  // namespace

std::string to_json(const ClassifyResult& result) {
  Json json;
  json["package"] = result.run.package;
  json["engine"] = result.run.engine;
  json["engine_description"] = result.run.engine_description;
  json["threads"] = result.run.threads;
  json["method"] = result.run.method;
  json["constants"] = result.run.constants;
  json["load_ms"] = result.run.load_milliseconds;
  json["compile_ms"] = result.run.compile_milliseconds;
  if (!result.run.plan.empty()) json["plan"] = result.run.plan;
  if (result.several) {
    json["files"] = Json::array();
    for (const FileResult& file : result.files) {
      Json entry;
      add_file(file, result.tolerance, entry);
      json["files"].push_back(entry);
    }
    json["result"] = verdict(result);
  } else {
    add_file(result.files.at(0), result.tolerance, json);
  }
  json["exit_code"] = static_cast<int>(result.exit_code());
  return json_text(json);
}

}  // namespace plumb
