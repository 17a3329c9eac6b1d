// Timing a method on made-up inputs: load, compile, repeated executions, peak memory.
#pragma once

#include <string>
#include <vector>

#include "plumb/session.h"

namespace plumb {

struct BenchOptions {
  std::string package;
  std::string method = "forward";
  int repeat = 20;
  int warmup = 3;  // the first execution, timed as first_milliseconds, is one of them, and happens even for 0
  bool profile = false;
  SessionOptions session;
};

struct OpTime {
  std::string op;
  std::string kernel;
  int calls = 0;
  double milliseconds = 0;  // of one execution, the minimum per step over the repetitions
};

struct BenchResult {
  std::string package;
  std::string method;
  std::string engine_description;
  int threads = 0;
  double load_milliseconds = 0;
  double compile_milliseconds = 0;
  double first_milliseconds = 0;  // the first execution
  double min_milliseconds = 0;
  double median_milliseconds = 0;
  double p95_milliseconds = 0;
  int repeat = 0;
  std::size_t arena_bytes = 0;
  std::size_t peak_bytes = 0;
  std::vector<OpTime> ops;  // with `profile`: most expensive first
};

// Throws ArgumentError. Dynamic dimensions take their smallest size.
BenchResult bench(const BenchOptions& options);

std::string to_text(const BenchResult& result);
std::string to_json(const BenchResult& result);

}  // namespace plumb
