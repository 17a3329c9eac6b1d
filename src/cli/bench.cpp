// `plumb bench`: flags and printing.
#include "runners/bench/bench.h"

#include "cli/flags.h"
#include "cli/output.h"

namespace plumb::cli {

ExitCode bench_command(const Invocation& invocation) {
  CLI::App app("Times a method: load, compile, and repeated executions on made-up inputs.");
  BenchOptions options;
  bool json = false;
  app.add_option("package", options.package, "the .ptn package; required");
  app.add_option("--method", options.method, "method to time (default forward)")->type_name("NAME");
  add_integer(app, "--repeat", options.repeat, 1, "timed executions (default 20)")->type_name("N");
  add_integer(app, "--warmup", options.warmup, 0,
              "executions before them (default 3); one happens even for 0: the first, reported by itself")
      ->type_name("N");
  app.add_flag("--profile", options.profile, "add a table of operators and kernels");
  add_session_flags(app, invocation, options.session);
  app.add_flag("--json", json, "print one JSON object instead of text");
  if (!parse(app, invocation)) return ExitCode::kOk;
  if (options.package.empty()) throw ArgumentError("a package is required");
  const BenchResult result = bench(options);
  print(json ? to_json(result) : to_text(result));
  return ExitCode::kOk;
}

}  // namespace plumb::cli
