// Flags that several subcommands share, and the parsing of their values.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "plumb/session.h"
#include "runners/image/preprocessing_flags.h"

namespace plumb::cli {

// False when --help was asked for and printed. Throws ArgumentError with CLI11's reason.
bool parse(CLI::App& app, const Invocation& invocation);

inline constexpr int kNoLimit = std::numeric_limits<int>::max();

// The whole text must be the number. Throw ArgumentError naming the flag.
double parse_number(const std::string& flag, const std::string& text);
int parse_integer(const std::string& flag, const std::string& text, int smallest, int largest = kNoLimit);
std::vector<double> parse_numbers(const std::string& flag, const std::string& text);
std::vector<std::string> split(const std::string& text, char separator);

CLI::Option* add_number(CLI::App& app, const std::string& flag, double& value, const std::string& help);
CLI::Option* add_number(CLI::App& app, const std::string& flag, std::optional<double>& value,
                        const std::string& help);
CLI::Option* add_integer(CLI::App& app, const std::string& flag, int& value, int smallest,
                         const std::string& help, int largest = kNoLimit);

// --engine --threads --isa --disable --allow-zero-buffers
void add_session_flags(CLI::App& app, const Invocation& invocation, SessionOptions& options);
// --resize --crop --interpolation --scale --mean --std
void add_preprocessing_flags(CLI::App& app, PreprocessingFlags& flags);

}  // namespace plumb::cli
