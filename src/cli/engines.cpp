// `plumb engines`: one line an engine, with what it finds on this machine.
#include <nlohmann/json.hpp>

#include "cli/flags.h"
#include "cli/output.h"
#include "plumb/error.h"
#include "plumb/session.h"
#include "runners/json.h"
#include "runners/text.h"

namespace plumb::cli {
namespace {

struct Row {
  std::string engine;
  std::string isa;  // empty: the engine has no choice of them
  bool available = false;
  std::string description;  // or why it is not available
};

Row look_at(const std::string& engine, const std::string& isa) {
  try {
    return {engine, isa, true, describe_engine(engine, isa)};
  } catch (const Error& error) {
    return {engine, isa, false, error.what()};
  }
}

std::vector<Row> rows() {
  std::vector<Row> rows;
  for (const std::string& engine : engine_names()) {
    rows.push_back(look_at(engine, ""));
    for (const std::string& isa : engine_isas(engine)) rows.push_back(look_at(engine, isa));
  }
  return rows;
}

std::string to_text(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    const std::string name = row.isa.empty() ? row.engine : "  --isa " + row.isa;
    text += format("%-18s%-13s  %s\n", name.c_str(), row.available ? "available" : "not available",
                   one_line(row.description).c_str());
  }
  return text;
}

std::string to_json(const std::vector<Row>& rows) {
  nlohmann::ordered_json json{{"engines", nlohmann::ordered_json::array()}};
  for (const Row& row : rows) {
    if (!row.isa.empty()) {
      json["engines"].back()["isas"].push_back({{"name", row.isa}, {"available", row.available}});
      continue;
    }
    json["engines"].push_back(
        {{"name", row.engine}, {"available", row.available}, {"description", row.description}});
  }
  return json_text(json);
}

}  // namespace

ExitCode engines_command(const Invocation& invocation) {
  CLI::App app("Lists the engines of this build and what they run on here.");
  bool json = false;
  app.add_flag("--json", json, "print one JSON object instead of text");
  if (!parse(app, invocation)) return ExitCode::kOk;
  print(json ? to_json(rows()) : to_text(rows()));
  return ExitCode::kOk;
}

}  // namespace plumb::cli
