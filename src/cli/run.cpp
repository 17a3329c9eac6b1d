// `plumb run`: flags whose order matters, and printing.
#include "runners/run/run.h"
#include "cli/flags.h"
#include "cli/output.h"

namespace plumb::cli {
namespace {

// A --method holds for every --inputs after it; the first one also for those before.
std::vector<RunStep> steps_in_order(const CLI::App& app, const CLI::Option* inputs,
                                    const CLI::Option* methods) {
  RunStep step;
  if (methods->count() > 0) step.method = methods->results()[0];
  std::vector<RunStep> steps;
  std::size_t method = 0;
  std::size_t input = 0;
  for (const CLI::Option* option : app.parse_order()) {
    if (option == methods) step.method = methods->results()[method++];
    if (option != inputs) continue;
    const std::string& value = inputs->results()[input++];
    step.inputs = value.empty() ? std::vector<std::string>{} : split(value, ',');
    steps.push_back(step);
  }
  if (steps.empty()) steps.push_back(step);  // a method without inputs
  return steps;
}

}  // namespace

ExitCode run_command(const Invocation& invocation) {
  CLI::App app("Executes methods on .npy inputs of any dtype, writes their outputs and judges them.");
  RunOptions options;
  bool json = false;
  std::vector<std::string> ignored;  // read again in order
  app.add_option("--package", options.package, "the .ptn package; required")->type_name("F");
  CLI::Option* methods =
      app.add_option("--method", ignored, "method of the executions after it (default forward)");
  methods->type_name("NAME")->allow_extra_args(false);
  std::vector<std::string> ignored_inputs;
  CLI::Option* inputs = app.add_option("--inputs", ignored_inputs,
                                       "one execution on A.npy,B.npy … or on DIR/in0.npy …; each further "
                                       "--inputs is one more in the same session");
  inputs->type_name("FILES")->allow_extra_args(false);
  app.add_option("--outputs", options.outputs, "new or empty folder for out0.npy …")->type_name("DIR");
  app.add_option("--expected", options.expected, "folder of references, named like the outputs")
      ->type_name("DIR");
  add_number(app, "--rtol", options.rtol, "relative tolerance (default: torch.testing's for the dtype)")
      ->type_name("X");
  add_number(app, "--atol", options.atol, "absolute tolerance (default: torch.testing's for the dtype)")
      ->type_name("X");
  add_integer(app, "--repeat", options.repeat, 1, "run everything N times, from the same state")
      ->type_name("N");
  app.add_flag("--require-identical", options.require_identical, "demand the same bits in every repetition");
  add_session_flags(app, invocation, options.session);
  app.add_flag("--explain", options.explain, "print the plan: kernels and why they were chosen");
  app.add_flag("--json", json, "print one JSON object instead of text");
  if (!parse(app, invocation)) return ExitCode::kOk;
  options.steps = steps_in_order(app, inputs, methods);
  const RunResult result = run(options);
  print(json ? to_json(result) : to_text(result));
  return result.exit_code();
}

}  // namespace plumb::cli
