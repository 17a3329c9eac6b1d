// Inputs are copied into memory of the runner; plans are cached for the last few combinations of input sizes.
#include "plan/method_runner.h"

#include <algorithm>
#include <chrono>

#include "base/strided_copy.h"
#include "plan/plan_builder.h"
#include "plumb/error.h"

namespace plumb {
namespace {

constexpr std::size_t kCachedPlans = 8;

bool within(const DimRange& range, std::int64_t size) {
  return size >= range.min && (range.max < 0 || size <= range.max);
}

std::optional<Sizes> fixed_sizes(const TensorInfo& info) {
  Sizes sizes;
  for (const DimRange& range : info.sizes) {
    if (range.min != range.max) return std::nullopt;
    sizes.push_back(range.min);
  }
  return sizes;
}

}  // namespace

PlannedMethodRunner::PlannedMethodRunner(std::unique_ptr<CompiledMethod> compiled, MethodInfo info,
                                         StateStore& state, ThreadPool& pool)
    : compiled_(std::move(compiled)), info_(std::move(info)), state_(state), pool_(pool) {
  state_.add_buffers_of(compiled_->method());
  bool all_fixed = true;
  for (const TensorInfo& input : info_.inputs) {
    inputs_.push_back({fixed_sizes(input), {}, false});
    all_fixed = all_fixed && inputs_.back().sizes.has_value();
  }
  if (all_fixed) current_plan();
}

const TensorInfo& PlannedMethodRunner::input_info(std::size_t i) const {
  if (i >= info_.inputs.size()) {
    throw Error(ErrorKind::kInvalidArgument, "method '" + info_.name + "' has " +
                                                 std::to_string(info_.inputs.size()) +
                                                 " inputs; there is no input " + std::to_string(i));
  }
  return info_.inputs[i];
}

void PlannedMethodRunner::resize_input(std::size_t i, std::span<const std::int64_t> sizes) {
  const TensorInfo& info = input_info(i);
  bool fits = sizes.size() == info.sizes.size();
  for (std::size_t d = 0; fits && d < sizes.size(); ++d) fits = within(info.sizes[d], sizes[d]);
  if (!fits) {
    throw Error(ErrorKind::kInvalidArgument, "input " + std::to_string(i) + " '" + info.name + "' is " +
                                                 to_string(info) + "; it cannot have the shape " +
                                                 shape_string(sizes));
  }
  Input& input = inputs_[i];
  if (input.sizes && std::equal(sizes.begin(), sizes.end(), input.sizes->begin(), input.sizes->end())) return;
  check_tensor_size("input '" + info.name + "'", info.dtype, sizes);
  input.sizes.emplace(sizes.begin(), sizes.end());
  input.set = false;
  executed_ = nullptr;
}

void PlannedMethodRunner::set_input(std::size_t i, const Tensor& value) {
  const TensorInfo& info = input_info(i);
  if (value.dtype() != info.dtype) {
    throw Error(ErrorKind::kInvalidArgument, "input " + std::to_string(i) + " '" + info.name + "' is " +
                                                 to_string(info) + "; it cannot take " +
                                                 std::string(dtype_name(value.dtype())));
  }
  Input& input = inputs_[i];
  const bool fits = input.sizes && std::equal(value.sizes().begin(), value.sizes().end(),
                                              input.sizes->begin(), input.sizes->end());
  if (!fits) {
    throw Error(
        ErrorKind::kInvalidArgument,
        "input " + std::to_string(i) + " '" + info.name + "' is " + to_string(info) +
            (input.sizes ? " of size " + shape_string(*input.sizes) : std::string(", not sized yet")) +
            "; the value given is " + shape_string(value.sizes()));
  }
  if (input.memory.size() < value.nbytes()) {
    input.memory = AlignedBuffer(value.nbytes());
    bound_ = nullptr;
  }
  if (value.raw() != input.memory.data()) {
    copy_strided(Tensor(input.memory.data(), info.dtype, *input.sizes), value);
  }
  input.set = true;
}

Plan& PlannedMethodRunner::current_plan() {
  std::vector<Sizes> sizes;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].sizes) {
      throw Error(ErrorKind::kInvalidArgument, "input " + std::to_string(i) + " '" + info_.inputs[i].name +
                                                   "' is " + to_string(info_.inputs[i]) +
                                                   ": give it a size first");
    }
    sizes.push_back(*inputs_[i].sizes);
  }
  const auto known =
      std::find_if(plans_.begin(), plans_.end(), [&](const Plan& plan) { return plan.input_sizes == sizes; });
  if (known != plans_.end()) {
    plans_.splice(plans_.begin(), plans_, known);
  } else {
    plans_.push_front(compiled_->plan(sizes, pool_));
    if (plans_.size() > kCachedPlans) {
      bound_ = executed_ = nullptr;
      plans_.pop_back();
    }
  }
  return plans_.front();
}

std::vector<TensorInfo> PlannedMethodRunner::output_infos() {
  const Plan& plan = current_plan();
  std::vector<TensorInfo> infos = info_.outputs;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const Tensor& tensor = plan.slots[plan.output_slots[i]].tensor;
    infos[i].dtype = tensor.dtype();
    infos[i].sizes.clear();
    for (const std::int64_t size : tensor.sizes()) infos[i].sizes.push_back({size, size});
  }
  return infos;
}

void PlannedMethodRunner::require_set(std::size_t i) const {
  if (inputs_[i].set || (inputs_[i].sizes && element_count(*inputs_[i].sizes) == 0)) return;
  throw Error(ErrorKind::kInvalidArgument,
              "input " + std::to_string(i) + " '" + info_.inputs[i].name + "' was never set");
}

void PlannedMethodRunner::run(const std::function<void(std::size_t)>& after_step) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) require_set(i);
  Plan& plan = current_plan();
  executed_ = nullptr;
  if (arena_.size() < plan.arena_bytes) {
    arena_ = AlignedBuffer(plan.arena_bytes);
    bound_ = nullptr;
  }
  if (bound_ != &plan) {
    bind(plan, {.arena = arena_.data(),
                .input = [this](std::size_t i) { return inputs_[i].memory.data(); },
                .state = [this](const std::string& fqn) { return state_.data(fqn); }});
    bound_ = &plan;
  }
  plumb::execute(plan, pool_, after_step);
  executed_ = &plan;
}

void PlannedMethodRunner::execute() {
  run({});
}

std::vector<StepTime> PlannedMethodRunner::profile() {
  using Clock = std::chrono::steady_clock;
  std::vector<StepTime> times;
  const Plan& plan = current_plan();
  Clock::time_point last = Clock::now();
  run([&](std::size_t i) {
    const Clock::time_point now = Clock::now();
    const Step& step = plan.steps[i];
    times.push_back({step.node, step.op, kernel_label(step),
                     std::chrono::duration<double, std::milli>(now - last).count()});
    last = Clock::now();
  });
  return times;
}

Tensor PlannedMethodRunner::output(std::size_t i) const {
  if (i >= info_.outputs.size()) {
    throw Error(ErrorKind::kInvalidArgument, "method '" + info_.name + "' has " +
                                                 std::to_string(info_.outputs.size()) +
                                                 " outputs; there is no output " + std::to_string(i));
  }
  if (executed_ == nullptr) {
    throw Error(ErrorKind::kInvalidArgument, "method '" + info_.name + "' has not been executed");
  }
  return executed_->slots[executed_->output_slots[i]].tensor;
}

Tensor PlannedMethodRunner::input(std::size_t i) const {
  const TensorInfo& info = input_info(i);
  if (!inputs_[i].sizes)
    throw Error(ErrorKind::kInvalidArgument, "input '" + info.name + "' has no size yet");
  return Tensor(inputs_[i].memory.data(), info.dtype, *inputs_[i].sizes);
}

std::string PlannedMethodRunner::explain() {
  std::string text = "method " + info_.name + " on " + compiled_->table().engine().description() + "\n";
  for (const PassRecord& pass : compiled_->passes()) {
    if (pass.skipped) {
      text += "pass " + pass.name + ": off\n";
    } else if (pass.changes > 0) {
      text += "pass " + pass.name + ": " + std::to_string(pass.changes) + " changes\n";
    }
  }
  return text + plumb::explain(current_plan());
}

}  // namespace plumb
