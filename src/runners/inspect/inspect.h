// What is in a package, and which engines can run it.
#pragma once

#include <string>
#include <vector>

#include "plumb/package.h"

namespace plumb {

struct EngineSupport {
  std::string engine;
  std::vector<std::string> blockers;  // empty: it runs
};

struct MethodReport {
  MethodInfo info;
  std::vector<EngineSupport> engines;
};

struct PackageReport {
  std::string path;
  std::string version;
  std::size_t file_bytes = 0;
  std::vector<ConstantInfo> constants;
  std::size_t labels = 0;
  std::vector<MethodReport> methods;
};

// `method` empty: all methods. Throws like Package::method.
PackageReport inspect(const Package& package, const std::string& method);

std::string to_text(const PackageReport& report);
std::string to_json(const PackageReport& report);

}  // namespace plumb
