// `plumb inspect`: flags and printing.
#include "runners/inspect/inspect.h"
#include "cli/flags.h"
#include "cli/output.h"

namespace plumb::cli {

ExitCode inspect_command(const Invocation& invocation) {
  CLI::App app(
      "Shows methods, inputs, outputs, constants and operators of a package, and which engines run it.");
  std::string path;
  std::string method;
  bool json = false;
  bool dot = false;
  app.add_option("package", path, "the .ptn package; required");
  app.add_option("--method", method, "only this method (with --dot: default forward)")->type_name("NAME");
  app.add_flag("--json", json, "print one JSON object instead of text");
  app.add_flag("--dot", dot, "print the graph of one method for Graphviz");
  if (!parse(app, invocation)) return ExitCode::kOk;
  if (path.empty()) throw ArgumentError("a package is required");
  if (json && dot) throw ArgumentError("--json and --dot exclude each other");
  const std::shared_ptr<const Package> package = Package::open(path);
  if (dot) {
    const std::string name = method.empty() ? "forward" : method;
    package->method(name);
    print(package->dot(name));
    return ExitCode::kOk;
  }
  const PackageReport report = inspect(*package, method);
  print(json ? to_json(report) : to_text(report));
  return ExitCode::kOk;
}

}  // namespace plumb::cli
