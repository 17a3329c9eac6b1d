// Inputs are zeros for integers and a fixed pattern for floats, so that no run is slowed by subnormals.
#include "runners/bench/bench.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <string>

#include "base/layout.h"
#include "plumb/error.h"
#include "runners/clock.h"
#include "runners/exit_code.h"
#include "runners/io/array.h"
#include "runners/session_arguments.h"
#include "runners/text.h"

namespace plumb {
namespace {

// The most memory this process has held, from the kernel's VmHWM line. (getrusage's figure starts with what
// the parent process held when it forked.)
std::size_t peak_resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024;
  }
  return 0;
}

void check_arguments(const BenchOptions& options) {
  if (options.repeat < 1) throw ArgumentError(format("--repeat is %d; expected 1 or more", options.repeat));
  if (options.warmup < 0) throw ArgumentError(format("--warmup is %d; expected 0 or more", options.warmup));
  check_session_arguments(options.session);
}

template <typename T>
void fill_pattern(Array& array) {
  auto* values = reinterpret_cast<T*>(array.bytes.data());
  for (std::int64_t i = 0; i < array.numel(); ++i)
    values[i] = static_cast<T>(static_cast<double>(i % 17) / 8.0 - 1.0);
}

Array made_up_input(const TensorInfo& info) {
  Array array{info.dtype, {}, {}};
  for (const DimRange& range : info.sizes) array.sizes.push_back(range.min);
  array.bytes.resize(
      static_cast<std::size_t>(checked_byte_count(array.sizes, dtype_size(info.dtype), info.name.c_str())));
  if (info.dtype == DType::kFloat32) fill_pattern<float>(array);
  if (info.dtype == DType::kFloat64) fill_pattern<double>(array);
  return array;
}

std::vector<OpTime> profile(MethodRunner& runner, int repeat) {
  std::vector<StepTime> best = runner.profile();
  for (int i = 1; i < repeat; ++i) {
    const std::vector<StepTime> again = runner.profile();
    for (std::size_t k = 0; k < best.size() && k < again.size(); ++k) {
      best[k].milliseconds = std::min(best[k].milliseconds, again[k].milliseconds);
    }
  }
  std::map<std::pair<std::string, std::string>, OpTime> sums;
  for (const StepTime& step : best) {
    OpTime& sum = sums[{step.op, step.kernel}];
    sum.op = step.op;
    sum.kernel = step.kernel;
    sum.calls += 1;
    sum.milliseconds += step.milliseconds;
  }
  std::vector<OpTime> ops;
  for (const auto& [key, sum] : sums) ops.push_back(sum);
  std::stable_sort(ops.begin(), ops.end(),
                   [](const OpTime& a, const OpTime& b) { return a.milliseconds > b.milliseconds; });
  return ops;
}

double execute_once(MethodRunner& runner) {
  const Stopwatch stopwatch;
  runner.execute();
  return stopwatch.milliseconds();
}

}  // namespace

BenchResult bench(const BenchOptions& options) {
  check_arguments(options);
  BenchResult result;
  result.package = options.package;
  result.method = options.method;
  const Stopwatch loading;
  const std::shared_ptr<const Package> package = Package::open(options.package);
  package->method(options.method);
  result.load_milliseconds = loading.milliseconds();

  const Stopwatch compiling;
  Session session = make_session(package, options.session);
  MethodRunner& runner = session.method(options.method);
  for (std::size_t i = 0; i < runner.input_count(); ++i) {
    const Array input = made_up_input(runner.input_info(i));
    runner.resize_input(i, input.sizes);
    runner.set_input(i, input.view());
  }
  runner.output_infos();
  result.compile_milliseconds = compiling.milliseconds();
  result.engine_description = session.engine_description();
  result.threads = session.threads();

  // State is put back each time: a sequence counter must not run out of its cache.
  result.first_milliseconds = execute_once(runner);
  for (int i = 1; i < options.warmup; ++i) {
    session.reset_state();
    execute_once(runner);
  }
  std::vector<double> times;
  for (int i = 0; i < options.repeat; ++i) {
    session.reset_state();
    times.push_back(execute_once(runner));
  }
  std::sort(times.begin(), times.end());
  const std::size_t count = times.size();
  result.repeat = options.repeat;
  result.min_milliseconds = times[0];
  result.median_milliseconds = (times[(count - 1) / 2] + times[count / 2]) / 2;
  result.p95_milliseconds = times[static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(count))) - 1];
  result.arena_bytes = runner.arena_bytes();
  if (options.profile) result.ops = profile(runner, options.repeat);
  result.peak_bytes = peak_resident_bytes();
  return result;
}

}  // namespace plumb
