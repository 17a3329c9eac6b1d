// `plumb classify` and the classification runners: flags and printing.
#include "runners/classify/classify.h"
#include "cli/flags.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "runners/classify/report.h"
#include "runners/text.h"

namespace plumb::cli {
namespace {

struct Arguments {
  ClassifyOptions options;
  bool json = false;
};

void add_flags(CLI::App& app, const Invocation& invocation, Arguments& arguments) {
  ClassifyOptions& options = arguments.options;
  app.add_option("--package", options.package, "the .ptn package; required")->type_name("F");
  app.add_option("--input", options.inputs,
                 "raw float32, .npy, .jpg or .png, or a folder of them; required, repeatable")
      ->type_name("F")
      ->allow_extra_args(false);
  app.add_option("--expected", options.expected,
                 "reference logits, raw float32 or .npy; a folder for several inputs")
      ->type_name("F");
  app.add_option("--categories", options.categories, "labels, one a line (default: the package's own)")
      ->type_name("F");
  app.add_option("--method", options.method, "method to run (default forward)")->type_name("NAME");
  add_number(app, "--rtol", options.tolerance.rtol, "relative tolerance (default 1e-3)")->type_name("X");
  add_number(app, "--atol", options.tolerance.atol, "absolute tolerance (default 1e-3)")->type_name("X");
  app.add_option("--dump_output,--dump_logits", options.dump_output,
                 "write the logits to a new file; to a new or empty folder for several inputs")
      ->type_name("F");
  add_session_flags(app, invocation, options.session);
  add_preprocessing_flags(app, options.preprocessing);
  app.add_flag("--explain", options.explain, "print the plan: kernels and why they were chosen");
  app.add_flag("--json", arguments.json, "print one JSON object instead of text");
}

// A path that was given must not be empty: "" means "not given" further on.
void refuse_empty_values(const CLI::App& app) {
  for (const char* flag : {"--expected", "--categories", "--dump_output", "--method", "--isa"}) {
    const CLI::Option* option = app.get_option(flag);
    if (option->count() > 0 && option->results()[0].empty())
      throw ArgumentError(std::string(flag) + " is empty");
  }
}

ExitCode classify_and_print(const Invocation& invocation, const Arguments& arguments) {
  std::optional<ProgressBar> bar;
  std::size_t done = 0;
  ClassifyObserver observer;
  observer.on_ready = [&](const RunInfo& run, std::size_t files) {
    if (files < 2) return;
    if (!arguments.json) print(header_text(run));
    flush_output();
    bar.emplace(files);
    bar->draw(0);
  };
  observer.on_file = [&](const FileResult& file) {
    ++done;
    if (bar) bar->clear();
    if (!arguments.json) print(file_line(file));
    if (!file.error.empty()) print_error(invocation.program, file.error);
    flush_output();
    if (bar) bar->draw(done);
  };
  const ClassifyResult result = classify(arguments.options, observer);
  bar.reset();
  if (arguments.json) {
    print(to_json(result));
  } else if (result.several) {
    print(result.run.plan + summary_text(result));
  } else {
    print(result.run.plan + header_text(result.run) + file_text(result.files.at(0), result.tolerance));
  }
  return result.exit_code();
}

}  // namespace

ExitCode classify_command(const Invocation& invocation) {
  CLI::App app(
      "Runs an image classifier, prints the best classes and judges the logits against a reference.");
  Arguments arguments;
  add_flags(app, invocation, arguments);
  if (!parse(app, invocation)) return ExitCode::kOk;
  refuse_empty_values(app);
  return classify_and_print(invocation, arguments);
}

}  // namespace plumb::cli
