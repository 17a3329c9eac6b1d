// Executes the steps, writes the first round's outputs, judges them, and repeats.
#include "runners/run/run.h"

#include <cstring>
#include <memory>

#include "plumb/error.h"
#include "runners/clock.h"
#include "runners/io/npy.h"
#include "runners/io/path.h"
#include "runners/run/files.h"
#include "runners/session_arguments.h"
#include "runners/text.h"

namespace plumb {
namespace {

using Outputs = std::vector<Array>;

void set_inputs(MethodRunner& runner, const RunStep& step, const StepFiles& files) {
  if (files.inputs.size() != runner.input_count()) {
    throw Error(ErrorKind::kFile, format("method %s has %zu inputs; %zu files were given",
                                         step.method.c_str(), runner.input_count(), files.inputs.size()));
  }
  for (std::size_t i = 0; i < files.inputs.size(); ++i) {
    const NamedArray& input = files.inputs[i];
    try {
      if (input.array.dtype != runner.input_info(i).dtype) {
        throw Error(ErrorKind::kFile,
                    "it is " + shape_text(input.array) + "; expected " + to_string(runner.input_info(i)));
      }
      runner.resize_input(i, input.array.sizes);
      runner.set_input(i, input.array.view());
    } catch (const Error& error) {
      throw Error(ErrorKind::kFile, "cannot use " + input.path + ": " + error.what());
    }
  }
}

Outputs copy_outputs(const MethodRunner& runner) {
  Outputs outputs;
  for (std::size_t i = 0; i < runner.output_count(); ++i) outputs.push_back(copy_of(runner.output(i)));
  return outputs;
}

void write_outputs(const std::string& folder, const Outputs& outputs) {
  make_folder(folder);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    write_npy(join_path(folder, "out" + std::to_string(i) + npy_extension(outputs[i].dtype)),
              outputs[i].view());
  }
}

void judge(const Array& actual, const NamedArray& expected, const RunOptions& options, OutputResult& result) {
  if (actual.dtype != expected.array.dtype || actual.sizes != expected.array.sizes) {
    result.mismatch = result.shape + ", expected " + shape_text(expected.array) + " as in " + expected.path;
    return;
  }
  Tolerance tolerance = default_tolerance(actual.dtype);
  // As in torch.testing, giving one of them leaves nothing to the defaults.
  if (options.rtol || options.atol) tolerance = {options.rtol.value_or(0.0), options.atol.value_or(0.0)};
  result.tolerance = tolerance;
  result.comparison = compare(actual.view(), expected.array.view(), tolerance);
}

bool identical(const Outputs& a, const Outputs& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].sizes != b[i].sizes || a[i].bytes != b[i].bytes) return false;
  }
  return true;
}

void check_expected_count(const RunStep& step, const StepFiles& files, const MethodRunner& runner) {
  if (files.expected.empty() || files.expected.size() == runner.output_count()) return;
  throw Error(ErrorKind::kFile, format("method %s has %zu outputs; the reference has %zu",
                                       step.method.c_str(), runner.output_count(), files.expected.size()));
}

}  // namespace

ExitCode RunResult::exit_code() const {
  if (!difference.empty()) return ExitCode::kMismatch;
  for (const StepResult& step : steps) {
    for (const OutputResult& output : step.outputs) {
      const bool failed = output.comparison && !output.comparison->passed();
      if (failed || !output.mismatch.empty()) return ExitCode::kMismatch;
    }
  }
  return ExitCode::kOk;
}

RunResult run(const RunOptions& options) {
  check_arguments(options);
  const std::vector<StepFiles> files = read_files(options);

  RunResult result;
  result.package = options.package;
  result.engine = options.session.engine;
  result.compared = !options.expected.empty();
  const Stopwatch loading;
  const std::shared_ptr<const Package> package = Package::open(options.package);
  result.load_milliseconds = loading.milliseconds();
  for (const RunStep& step : options.steps)
    package->method(step.method);  // all names, before any is compiled

  const Stopwatch compiling;
  Session session = make_session(package, options.session);
  for (std::size_t i = 0; i < options.steps.size(); ++i) {
    MethodRunner& runner = session.method(options.steps[i].method);
    check_expected_count(options.steps[i], files[i], runner);
    set_inputs(runner, options.steps[i],
               files[i]);  // a bad input of any step is found before anything is written
  }
  result.compile_milliseconds = compiling.milliseconds();
  result.engine_description = session.engine_description();

  const std::size_t steps = options.steps.size();
  std::vector<Outputs> first(steps);
  for (int round = 0; round < options.repeat; ++round) {
    if (round > 0) session.reset_state();
    for (std::size_t i = 0; i < steps; ++i) {
      MethodRunner& runner = session.method(options.steps[i].method);
      set_inputs(runner, options.steps[i], files[i]);
      if (options.explain && round == 0) result.plan += runner.explain();
      const Stopwatch running;
      runner.execute();
      const double milliseconds = running.milliseconds();
      Outputs outputs = copy_outputs(runner);
      if (round > 0) {
        if (options.require_identical && result.difference.empty() && !identical(outputs, first[i])) {
          result.difference = format("step %zu (method %s) gave other bits in repetition %d", i,
                                     options.steps[i].method.c_str(), round + 1);
        }
        continue;
      }
      if (!options.outputs.empty()) write_outputs(step_folder(options.outputs, i, steps), outputs);
      StepResult& step = result.steps.emplace_back(StepResult{options.steps[i].method, milliseconds, {}});
      for (std::size_t k = 0; k < outputs.size(); ++k) {
        OutputResult& output = step.outputs.emplace_back();
        output.name = step_folder("", i, steps) + (steps == 1 ? "" : "/") + "out" + std::to_string(k) +
                      npy_extension(outputs[k].dtype);
        output.shape = shape_text(outputs[k]);
        if (result.compared) judge(outputs[k], files[i].expected[k], options, output);
      }
      first[i] = std::move(outputs);
    }
  }
  return result;
}

}  // namespace plumb
