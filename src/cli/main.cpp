// The one executable: finds the subcommand (by runner name or first argument), and turns errors into one line
// on stderr and an exit code. What a subcommand does is not here.
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>

#include "cli/command.h"
#include "cli/output.h"
#include "plumb/error.h"
#include "runners/text.h"

#ifndef PLUMB_VERSION
#error "PLUMB_VERSION comes from the build"
#endif

namespace plumb::cli {
namespace {

struct RunnerName {
  std::string_view name;
  std::string_view command;
  std::string_view engine;
};

constexpr std::array kRunnerNames{
#define PLUMB_RUNNER_NAME(name, command, engine) RunnerName{name, command, engine},
#include "cli/runner_names.inc"
#undef PLUMB_RUNNER_NAME
};

std::string help() {
  std::string text =
      "plumb runs exported PyTorch programs.\n\nusage: plumb COMMAND [OPTIONS]   (plumb COMMAND --help)\n\n";
  for (const Command& command : commands()) {
    text += format("  %-12s%s\n", std::string(command.name).c_str(), std::string(command.summary).c_str());
  }
  return text + "  --version   print the version\n";
}

const Command& find_command(std::string_view name) {
  for (const Command& command : commands()) {
    if (command.name == name) return command;
  }
  throw ArgumentError("unknown command '" + std::string(name) + "'; see plumb --help");
}

ExitCode dispatch(Invocation& invocation) {
  for (const RunnerName& runner : kRunnerNames) {
    if (runner.name != invocation.program) continue;
    invocation.default_engine = runner.engine;
    return find_command(runner.command).run(invocation);
  }
  invocation.program = "plumb";
  if (invocation.arguments.empty()) throw ArgumentError("a command is required; see plumb --help");
  const std::string first = invocation.arguments[0];
  invocation.arguments.erase(invocation.arguments.begin());
  if (first == "--help" || first == "-h") {
    print(help());
    return ExitCode::kOk;
  }
  if (first == "--version") {
    print("plumb " PLUMB_VERSION "\n");
    return ExitCode::kOk;
  }
  const Command& command = find_command(first);
  invocation.program = "plumb " + first;
  return command.run(invocation);
}

ExitCode guarded(Invocation& invocation) {
  try {
    const ExitCode code = dispatch(invocation);
    flush_output();
    return code;
  } catch (const ArgumentError& error) {
    print_error(invocation.program, error.what());
    return ExitCode::kInvalidArguments;
  } catch (const std::exception& error) {
    // std::bad_alloc and the like have no better message of their own.
    const bool ours = dynamic_cast<const Error*>(&error) != nullptr;
    print_error(invocation.program, ours ? error.what() : std::string("cannot go on: ") + error.what());
    return ExitCode::kFailed;
  }
}

}  // namespace
}  // namespace plumb::cli

int main(int argc, char** argv) {
  // A file that grows past RLIMIT_FSIZE is then an error of write(), which is reported and cleaned up after.
  std::signal(SIGXFSZ, SIG_IGN);
  plumb::cli::Invocation invocation;
  invocation.program = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "plumb";
  invocation.default_engine = "cpu";
  for (int i = 1; i < argc; ++i) invocation.arguments.emplace_back(argv[i]);
  return static_cast<int>(plumb::cli::guarded(invocation));
}
