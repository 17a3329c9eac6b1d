// The only place that knows every engine.
#include <array>
#include <string>
#include <vector>

#include "engines/cpu/cpu_engine.h"
#include "engines/engine.h"
#include "engines/reference/reference_engine.h"
#include "plumb/error.h"
#include "plumb/session.h"

namespace plumb {
namespace {

struct Row {
  std::string_view name;
  std::unique_ptr<Engine> (*make)(const EngineOptions&);
  std::vector<std::string> (*isas)();
};

constexpr std::array<Row, 2> kEngines{{
    {"cpu", make_cpu_engine, cpu_engine_isas},
    {"reference",
     [](const EngineOptions&) -> std::unique_ptr<Engine> { return std::make_unique<ReferenceEngine>(); },
     [] { return std::vector<std::string>(); }},
}};

const Row& find_engine(std::string_view name) {
  std::string known;
  for (const Row& row : kEngines) {
    if (row.name == name) return row;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error(ErrorKind::kInvalidArgument,
              "no engine '" + std::string(name) + "' in this build; it has: " + known);
}

}  // namespace

std::unique_ptr<Engine> make_engine(std::string_view name, const EngineOptions& options) {
  return find_engine(name).make(options);
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const Row& row : kEngines) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> engine_isas(const std::string& engine) {
  return find_engine(engine).isas();
}

std::string describe_engine(const std::string& name, const std::string& isa) {
  return make_engine(name, {.threads = 1, .isa = isa})->description();
}

}  // namespace plumb
