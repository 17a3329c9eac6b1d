// The result of `plumb run` as text and JSON.
#include <nlohmann/json.hpp>

#include "runners/compare/report.h"
#include "runners/json.h"
#include "runners/run/run.h"
#include "runners/text.h"

namespace plumb {
namespace {

std::string verdict(const RunResult& result) {
  if (result.exit_code() == ExitCode::kMismatch) return "FAIL";
  return result.compared ? "PASS" : "ran (no reference given)";
}

}  // namespace

std::string to_text(const RunResult& result) {
  std::string text = result.plan;
  text += "package     " + one_line(result.package) + "\nengine      " + result.engine_description + "\n" +
          format("load        %.2f ms\ncompile     %.2f ms\n", result.load_milliseconds,
                 result.compile_milliseconds);
  for (const StepResult& step : result.steps) {
    text += format("run         %s, %.2f ms\n", one_line(step.method).c_str(), step.run_milliseconds);
    for (const OutputResult& output : step.outputs) {
      text += "  " + output.name + "  " + output.shape;
      if (!output.mismatch.empty()) text += "  " + one_line(output.mismatch);
      if (output.comparison) text += "  " + comparison_line(*output.comparison, *output.tolerance);
      text += "\n";
    }
  }
  if (!result.difference.empty()) text += "repeat      " + one_line(result.difference) + "\n";
  return text + "result      " + verdict(result) + "\n";
}

std::string to_json(const RunResult& result) {
  nlohmann::ordered_json json;
  json["package"] = result.package;
  json["engine"] = result.engine;
  json["engine_description"] = result.engine_description;
  json["load_ms"] = result.load_milliseconds;
  json["compile_ms"] = result.compile_milliseconds;
  if (!result.plan.empty()) json["plan"] = result.plan;
  json["steps"] = nlohmann::ordered_json::array();
  for (const StepResult& step : result.steps) {
    nlohmann::ordered_json outputs = nlohmann::ordered_json::array();
    for (const OutputResult& output : step.outputs) {
      nlohmann::ordered_json entry{{"name", output.name}, {"shape", output.shape}};
      if (!output.mismatch.empty()) entry["mismatch"] = output.mismatch;
      if (output.comparison) entry["comparison"] = comparison_json(*output.comparison, *output.tolerance);
      outputs.push_back(entry);
    }
    json["steps"].push_back(
        {{"method", step.method}, {"run_ms", step.run_milliseconds}, {"outputs", outputs}});
  }
  if (!result.difference.empty()) json["difference"] = result.difference;
  json["result"] = verdict(result);
  json["exit_code"] = static_cast<int>(result.exit_code());
  return json_text(json);
}

}  // namespace plumb
