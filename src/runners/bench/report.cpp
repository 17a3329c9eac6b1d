// The result of `plumb bench` as text and JSON.
#include <nlohmann/json.hpp>

#include "runners/bench/bench.h"
#include "runners/json.h"
#include "runners/text.h"

namespace plumb {

std::string to_text(const BenchResult& result) {
  std::string text = "package     " + one_line(result.package) + "\nengine      " +
                     result.engine_description + "\nmethod      " + one_line(result.method) + "\n";
  text += format("load        %.2f ms\ncompile     %.2f ms\nfirst run   %.3f ms\n", result.load_milliseconds,
                 result.compile_milliseconds, result.first_milliseconds);
  text += format("run         min %.3f, median %.3f, p95 %.3f ms of %d\n", result.min_milliseconds,
                 result.median_milliseconds, result.p95_milliseconds, result.repeat);
  text +=
      "arena       " + byte_text(result.arena_bytes) + "\npeak RSS    " + byte_text(result.peak_bytes) + "\n";
  if (result.ops.empty()) return text;
  double total = 0;
  for (const OpTime& op : result.ops) total += op.milliseconds;
  text += format("%9s %6s %6s  op, kernel\n", "ms", "%", "calls");
  for (const OpTime& op : result.ops) {
    const double share = total > 0 ? 100 * op.milliseconds / total : 0;
    text += format("%9.3f %6.1f %6d  %s, %s\n", op.milliseconds, share, op.calls, op.op.c_str(),
                   op.kernel.c_str());
  }
  return text;
}

std::string to_json(const BenchResult& result) {
  nlohmann::ordered_json json{{"package", result.package},
                              {"method", result.method},
                              {"engine", result.engine_description},
                              {"threads", result.threads},
                              {"load_ms", result.load_milliseconds},
                              {"compile_ms", result.compile_milliseconds},
                              {"first_ms", result.first_milliseconds},
                              {"min_ms", result.min_milliseconds},
                              {"median_ms", result.median_milliseconds},
                              {"p95_ms", result.p95_milliseconds},
                              {"repeat", result.repeat},
                              {"arena_bytes", result.arena_bytes},
                              {"peak_bytes", result.peak_bytes}};
  if (!result.ops.empty()) json["ops"] = nlohmann::ordered_json::array();
  for (const OpTime& op : result.ops) {
    json["ops"].push_back(
        {{"op", op.op}, {"kernel", op.kernel}, {"calls", op.calls}, {"ms", op.milliseconds}});
  }
  return json_text(json);
}

}  // namespace plumb
