// A package for people to read.
#include "plumb/tensor.h"
#include "runners/inspect/inspect.h"
#include "runners/text.h"

namespace plumb {
namespace {

constexpr std::size_t kShownConstants = 20;
constexpr std::size_t kShownBlockers = 5;

std::string constants_text(const std::vector<ConstantInfo>& constants) {
  std::size_t bytes = 0;
  std::size_t shared = 0;
  for (const ConstantInfo& constant : constants) {
    bytes += constant.bytes;
    shared += constant.aliases.size();
  }
  std::string text = format("constants   %zu, %s", constants.size(), byte_text(bytes).c_str());
  if (shared > 0) text += format(", %zu more names share their data", shared);
  text += "\n";
  for (std::size_t i = 0; i < constants.size() && i < kShownConstants; ++i) {
    const ConstantInfo& constant = constants[i];
    text += "  " + one_line(constant.key) + "  " + std::string(dtype_name(constant.dtype)) +
            shape_string(constant.sizes) + "  " + byte_text(constant.bytes);
    for (const std::string& alias : constant.aliases) text += "  = " + one_line(alias);
    text += "\n";
  }
  if (constants.size() > kShownConstants) {
    text += format("  … and %zu more (see --json)\n", constants.size() - kShownConstants);
  }
  return text;
}

std::string engine_text(const EngineSupport& support) {
  if (support.blockers.empty()) return "  engine " + support.engine + "  runs it\n";
  std::string text =
      format("  engine %s  cannot run it: %zu obstacles\n", support.engine.c_str(), support.blockers.size());
  for (std::size_t i = 0; i < support.blockers.size() && i < kShownBlockers; ++i) {
    text += "    " + one_line(support.blockers[i]) + "\n";
  }
  if (support.blockers.size() > kShownBlockers) text += "    …\n";
  return text;
}

std::string method_text(const MethodReport& report) {
  const MethodInfo& info = report.info;
  std::string text = "method      " + one_line(info.name) + "\n";
  for (const TensorInfo& input : info.inputs)
    text += "  input   " + one_line(input.name + ": " + to_string(input)) + "\n";
  for (const TensorInfo& output : info.outputs) {
    text += "  output  " + one_line(output.name + ": " + to_string(output)) + "\n";
  }
  for (const std::string& name : info.state) text += "  state   " + one_line(name) + "\n";
  text += format("  uses %zu constants\n", info.constants.size());
  for (const OpCount& op : info.ops)
    text += format("  %6lld  %s\n", static_cast<long long>(op.count), one_line(op.op).c_str());
  for (const EngineSupport& support : report.engines) text += engine_text(support);
  return text;
}

}  // namespace

std::string to_text(const PackageReport& report) {
  std::string text = "package     " + one_line(report.path) + ", " + byte_text(report.file_bytes) +
                     "\nversion     " + one_line(report.version) + "\n";
  if (report.labels > 0) text += format("labels      %zu\n", report.labels);
  text += constants_text(report.constants);
  for (const MethodReport& method : report.methods) text += method_text(method);
  return text;
}

}  // namespace plumb
