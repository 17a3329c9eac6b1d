// What main knows of a subcommand, and what a subcommand is told.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runners/exit_code.h"

namespace plumb::cli {

struct Invocation {
  std::string program;         // "plumb classify", or the name of a runner
  std::string default_engine;  // taken when there is no --engine
  std::vector<std::string> arguments;
};

struct Command {
  std::string_view name;
  std::string_view summary;
  // Throws ArgumentError (exit 1) or another Error (exit 2).
  ExitCode (*run)(const Invocation&);
};

std::span<const Command> commands();

ExitCode bench_command(const Invocation&);
ExitCode classify_command(const Invocation&);
ExitCode engines_command(const Invocation&);
ExitCode inspect_command(const Invocation&);
ExitCode preprocess_command(const Invocation&);
ExitCode run_command(const Invocation&);

}  // namespace plumb::cli
