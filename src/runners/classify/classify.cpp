// The order of steps, and nothing else that could hide it.
#include "runners/classify/classify.h"

#include <cmath>
#include <memory>
#include <utility>

#include "base/new_file.h"
#include "plumb/error.h"
#include "runners/classify/input.h"
#include "runners/classify/jobs.h"
#include "runners/clock.h"
#include "runners/io/path.h"
#include "runners/session_arguments.h"
#include "runners/text.h"

namespace plumb {
namespace {

constexpr std::size_t kTop = 5;

// Of an output whose inputs have their sizes, so that its own ranges hold one size each.
std::vector<std::int64_t> planned_sizes(const TensorInfo& info) {
  std::vector<std::int64_t> sizes;
  for (const DimRange& range : info.sizes) sizes.push_back(range.max);
  return sizes;
}

std::string planned_shape(const TensorInfo& info) {
  return shape_text(info.dtype, planned_sizes(info));
}

class Classifier {
 public:
  Classifier(const ClassifyOptions& options, const Jobs& jobs)
      : options_(options),
        jobs_(jobs),
        package_(open(options)),
        session_(compile()),
        runner_(session_.method(options.method)) {
    if (runner_.input_count() != 1 || runner_.output_count() == 0) {
      throw Error(
          ErrorKind::kExecution,
          format(
              "method %s of %s has %zu inputs and %zu outputs; classification needs one input and logits as "
              "the first output (see plumb run)",
              options.method.c_str(), options.package.c_str(), runner_.input_count(),
              runner_.output_count()));
    }
    rules_ = image_rules(*package_, options.preprocessing);
    info_.compile_milliseconds = compiling_.milliseconds();
    info_.package = options.package;
    info_.engine = options.session.engine;
    info_.engine_description = session_.engine_description();
    info_.threads = session_.threads();
    info_.method = options.method;
    info_.constants = method_.constants.size();
    info_.input = runner_.input_info(0);
  }

  const RunInfo& info() const { return info_; }

  // Fills `result` as far as it gets, so that a failed file still tells what was dumped.
  void run(Job& job, FileResult& result) {
    if (!job.error.empty()) throw Error(ErrorKind::kFile, job.error);
    const Array input =
        input_tensor(job.data ? *job.data : read_input(job.input), job.input, info_.input, rules_);
    const Stopwatch planning;
    runner_.resize_input(0, input.sizes);
    const TensorInfo output = logits_info(runner_.output_infos().at(0));
    if (!planned_) info_.compile_milliseconds += planning.milliseconds();
    if (!planned_ && options_.explain) info_.plan = runner_.explain();
    planned_ = true;
    result.input_shape = shape_text(input);
    result.output_shape = planned_shape(output);
    result.classes = output.sizes.back().max;
    check_lengths(job, output, result.classes);

    runner_.set_input(0, input.view());
    const Stopwatch running;
    runner_.execute();
    result.run_milliseconds = running.milliseconds();
    const Tensor logits = runner_.output(0);
    const std::span<const float> values(logits.data<const float>(), static_cast<std::size_t>(result.classes));

    if (!job.dump.empty()) {
      if (!jobs_.dump_folder.empty()) make_folder(jobs_.dump_folder);
      write_new_file(job.dump, std::as_bytes(values));
      result.dump = job.dump;
      result.dump_bytes = values.size_bytes();
    }
    if (job.expected) {
      const std::span<const float> expected(reinterpret_cast<const float*>(job.expected->bytes.data()),
                                            values.size());
      result.expected_path = job.expected_path;
      result.comparison = compare(values, expected, options_.tolerance);
    }
    describe(values, result);
  }

 private:
  std::shared_ptr<const Package> open(const ClassifyOptions& options) {
    const Stopwatch loading;
    std::shared_ptr<const Package> package = Package::open(options.package);
    info_.load_milliseconds = loading.milliseconds();
    method_ = package->method(options.method);
    return package;
  }

  Session compile() {
    compiling_ = Stopwatch();
    return make_session(package_, options_.session);
  }

  TensorInfo logits_info(TensorInfo output) const {
    const std::vector<std::int64_t> sizes = planned_sizes(output);
    bool one_row = !sizes.empty();
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) one_row = one_row && sizes[i] == 1;
    if (one_row && output.dtype == DType::kFloat32) return output;
    throw Error(ErrorKind::kExecution, "output " + output.name + " of method " + options_.method + " is " +
                                           planned_shape(output) + "; expected logits float32[1, classes]");
  }

  void check_lengths(const Job& job, const TensorInfo& output, std::int64_t classes) const {
    if (job.expected && job.expected->numel() != classes) {
      throw Error(
          ErrorKind::kFile,
          format("cannot use %s: it has %lld values (%zu bytes); output %s is %s, %lld values (%lld bytes)",
                 job.expected_path.c_str(), static_cast<long long>(job.expected->numel()),
                 job.expected->bytes.size(), output.name.c_str(), planned_shape(output).c_str(),
                 static_cast<long long>(classes), static_cast<long long>(classes) * 4));
    }
    if (!jobs_.categories.empty() && std::cmp_not_equal(jobs_.categories.size(), classes)) {
      throw Error(ErrorKind::kFile, format("cannot use %s: it has %zu labels; the output has %lld classes",
                                           options_.categories.c_str(), jobs_.categories.size(),
                                           static_cast<long long>(classes)));
    }
  }

  void describe(std::span<const float> values, FileResult& result) const {
    result.top = top_predictions(values, kTop);
    for (const float value : values) result.non_finite += std::isfinite(value) ? 0 : 1;
    // The package's labels may belong to another of its methods: they count only when there is one a class.
    const bool use_own =
        jobs_.categories.empty() && std::cmp_equal(package_->labels().size(), result.classes);
    const std::vector<std::string>& labels = use_own ? package_->labels() : jobs_.categories;
    for (const Prediction& prediction : result.top) {
      result.top_labels.push_back(labels.empty() ? "" : labels[static_cast<std::size_t>(prediction.index)]);
    }
  }

  const ClassifyOptions& options_;
  const Jobs& jobs_;
  RunInfo info_;
  MethodInfo method_;
  Stopwatch compiling_;
  std::shared_ptr<const Package> package_;
  Session session_;
  MethodRunner& runner_;
  ImageRules rules_;
  bool planned_ = false;
};

}  // namespace

ClassifyResult classify(const ClassifyOptions& options, const ClassifyObserver& observer) {
  check_arguments(options);
  Jobs jobs = read_jobs(options);
  Classifier classifier(options, jobs);
  if (observer.on_ready) observer.on_ready(classifier.info(), jobs.jobs.size());
  ClassifyResult result{classifier.info(), options.tolerance, jobs.several, {}};
  for (Job& job : jobs.jobs) {
    FileResult& file = result.files.emplace_back();
    file.input = job.input;
    try {
      classifier.run(job, file);
    } catch (const Error& error) {
      if (!jobs.several) throw;
      file.error = error.what();
    }
    if (jobs.several && observer.on_file) observer.on_file(file);
  }
  result.run = classifier.info();
  return result;
}

}  // namespace plumb
