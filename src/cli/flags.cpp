// Numbers are parsed here and not by CLI11, for whole-text checks and messages that say what was expected.
#include "cli/flags.h"

#include <algorithm>
#include <charconv>

#include "cli/output.h"
#include "runners/exit_code.h"
#include "runners/session_arguments.h"

namespace plumb::cli {
namespace {

template <typename T>
T parse_exactly(const std::string& flag, const std::string& text, const char* expected) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw ArgumentError(flag + " is '" + text + "'; expected " + expected);
  }
  return value;
}

}  // namespace

bool parse(CLI::App& app, const Invocation& invocation) {
  std::vector<std::string> reversed(invocation.arguments.rbegin(), invocation.arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    print(app.help(invocation.program));
    return false;
  } catch (const CLI::ParseError& error) {
    throw ArgumentError(error.what());
  }
  return true;
}

double parse_number(const std::string& flag, const std::string& text) {
  return parse_exactly<double>(flag, text, "a number");
}

int parse_integer(const std::string& flag, const std::string& text, int smallest, int largest) {
  const std::string expected =
      "a whole number, " + std::to_string(smallest) +
      (largest == kNoLimit ? std::string(" or more") : " to " + std::to_string(largest));
  const int value = parse_exactly<int>(flag, text, expected.c_str());
  if (value < smallest || value > largest)
    throw ArgumentError(flag + " is " + text + "; expected " + expected);
  return value;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

std::vector<double> parse_numbers(const std::string& flag, const std::string& text) {
  std::vector<double> values;
  for (const std::string& part : split(text, ',')) values.push_back(parse_number(flag, part));
  return values;
}

CLI::Option* add_number(CLI::App& app, const std::string& flag, double& value, const std::string& help) {
  return app.add_option_function<std::string>(
      flag, [&value, flag](const std::string& text) { value = parse_number(flag, text); }, help);
}

CLI::Option* add_number(CLI::App& app, const std::string& flag, std::optional<double>& value,
                        const std::string& help) {
  return app.add_option_function<std::string>(
      flag, [&value, flag](const std::string& text) { value = parse_number(flag, text); }, help);
}

CLI::Option* add_integer(CLI::App& app, const std::string& flag, int& value, int smallest,
                         const std::string& help, int largest) {
  return app.add_option_function<std::string>(
      flag,
      [&value, flag, smallest, largest](const std::string& text) {
        value = parse_integer(flag, text, smallest, largest);
      },
      help);
}

void add_session_flags(CLI::App& app, const Invocation& invocation, SessionOptions& options) {
  options.engine = invocation.default_engine;
  app.add_option("--engine", options.engine,
                 "engine to run on, see plumb engines (default " + options.engine + ")")
      ->type_name("NAME");
  add_integer(app, "--threads", options.threads, 1, "threads (default: one per available core)", kMaxThreads)
      ->type_name("N");
  app.add_option("--isa", options.isa, "instruction set of the engine, see plumb engines (default: the best)")
      ->type_name("NAME");
  app.add_option("--disable", options.disable, "kernel or pass to do without; repeatable")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_flag("--allow-zero-buffers", options.allow_zero_buffers,
               "run programs whose zero-initialised buffers nothing writes");
}

void add_preprocessing_flags(CLI::App& app, PreprocessingFlags& flags) {
  const auto add = [&app](const char* flag, const char* type, const char* help, auto set) {
    app.add_option_function<std::string>(flag, set, help)
        ->type_name(type)
        ->group("Preprocessing of pictures");
  };
  add("--resize", "N", "resize the shorter side to N pixels; 0: not",
      [&flags](const std::string& text) { flags.resize = parse_integer("--resize", text, 0); });
  add("--crop", "N", "crop N x N pixels from the centre; 0: not",
      [&flags](const std::string& text) { flags.crop = parse_integer("--crop", text, 0); });
  add("--interpolation", "NAME", "nearest, bilinear, bicubic or lanczos, as in Pillow",
      [&flags](const std::string& text) { flags.interpolation = text; });
  add("--scale", "X", "a pixel p of 0 to 255 becomes (p * scale - mean) / std",
      [&flags](const std::string& text) { flags.scale = parse_number("--scale", text); });
  add("--mean", "R,G,B", "one value or three",
      [&flags](const std::string& text) { flags.mean = parse_numbers("--mean", text); });
  add("--std", "R,G,B", "one value or three",
      [&flags](const std::string& text) { flags.std = parse_numbers("--std", text); });
}

}  // namespace plumb::cli
