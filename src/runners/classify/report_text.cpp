// Aligned columns: a name of 12 characters, then the value.
#include "runners/classify/report.h"

#include "runners/compare/report.h"
#include "runners/io/path.h"
#include "runners/text.h"

namespace plumb {
namespace {

std::string line(const char* name, const std::string& value) {
  return format("%-12s", name) + one_line(value) + "\n";
}

std::string labelled(std::int64_t index, const std::string& label) {
  return format("%lld", static_cast<long long>(index)) + (label.empty() ? "" : " " + one_line(label));
}

}  // namespace

std::string verdict(const FileResult& file) {
  if (!file.error.empty()) return "ERROR";
  if (!file.comparison) return "ran (no reference given)";
  return file.comparison->passed() ? "PASS" : "FAIL";
}

std::string verdict(const ClassifyResult& result) {
  if (result.exit_code() == ExitCode::kFailed) return "ERROR";
  if (result.exit_code() == ExitCode::kMismatch) return "FAIL";
  for (const FileResult& file : result.files) {
    if (file.comparison) return "PASS";
  }
  return "ran (no reference given)";
}

std::string header_text(const RunInfo& run) {
  return line("package", run.package) + line("engine", run.engine_description) + line("method", run.method) +
         line("constants", format("%zu", run.constants)) +
         line("load", format("%.2f ms", run.load_milliseconds)) +
         line("compile", format("%.2f ms", run.compile_milliseconds));
}

std::string file_text(const FileResult& file, const Tolerance& tolerance) {
  std::string text = line("input", file.input_shape + " from " + file.input) +
                     line("output", file.output_shape) +
                     line("run", format("%.2f ms", file.run_milliseconds));
  if (file.non_finite > 0) {
    text += line("non-finite", format("%lld of %lld outputs", static_cast<long long>(file.non_finite),
                                      static_cast<long long>(file.classes)));
  }
  text += format("top %zu\n", file.top.size());
  for (std::size_t i = 0; i < file.top.size(); ++i) {
    text += format("  %zu  %.6f  logit %.6f  %s\n", i + 1, file.top[i].probability,
                   static_cast<double>(file.top[i].logit),
                   labelled(file.top[i].index, file.top_labels[i]).c_str());
  }
  text += line("argmax", file.top.empty() ? "none" : labelled(file.top[0].index, file.top_labels[0]));
  if (!file.dump.empty()) text += line("dump", format("%s (%zu bytes)", file.dump.c_str(), file.dump_bytes));
  if (file.comparison) text += line("comparison", comparison_line(*file.comparison, tolerance));
  return text + line("result", verdict(file));
}

std::string file_line(const FileResult& file) {
  std::string text = file.input + "  " + verdict(file);
  if (file.error.empty()) {
    text += format("  %.2f ms", file.run_milliseconds);
    if (!file.top.empty()) {
      text += format("  argmax %s  %.4f", labelled(file.top[0].index, file.top_labels[0]).c_str(),
                     file.top[0].probability);
    }
    if (file.comparison) {
      text += format("  %lld of %lld differ", static_cast<long long>(file.comparison->failures),
                     static_cast<long long>(file.comparison->count));
    }
  }
  return one_line(text) + "\n";
}

std::string summary_text(const ClassifyResult& result) {
  std::size_t errors = 0;
  std::size_t mismatches = 0;
  for (const FileResult& file : result.files) {
    errors += file.exit_code() == ExitCode::kFailed ? 1 : 0;
    mismatches += file.exit_code() == ExitCode::kMismatch ? 1 : 0;
  }
  return line("files", format("%zu, %zu mismatches, %zu errors", result.files.size(), mismatches, errors)) +
         line("result", verdict(result));
}

}  // namespace plumb
