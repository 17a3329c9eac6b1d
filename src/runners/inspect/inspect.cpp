// Asks the package and each engine of this build.
#include "runners/inspect/inspect.h"

#include <filesystem>
#include <system_error>

#include "plumb/error.h"
#include "plumb/session.h"

namespace plumb {
namespace {

// An engine whose library is missing here is one more reason, not the end of the inspection.
EngineSupport support(const Package& package, const std::string& method, const std::string& engine) {
  try {
    return {engine, package.blockers(method, engine)};
  } catch (const Error& error) {
    return {engine, {error.what()}};
  }
}

}  // namespace

PackageReport inspect(const Package& package, const std::string& method) {
  PackageReport report{package.path(),      package.version(),       0,
                       package.constants(), package.labels().size(), {}};
  std::error_code ignored;
  report.file_bytes = static_cast<std::size_t>(std::filesystem::file_size(package.path(), ignored));
  const std::vector<std::string> names = method.empty() ? package.methods() : std::vector{method};
  for (const std::string& name : names) {
    MethodReport entry{package.method(name), {}};
    for (const std::string& engine : engine_names()) entry.engines.push_back(support(package, name, engine));
    report.methods.push_back(std::move(entry));
  }
  return report;
}

}  // namespace plumb
