// One method of one session: its inputs, its plans by input sizes, and the memory they run in.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plan/compiled_method.h"
#include "plan/state_store.h"
#include "plumb/session.h"

namespace plumb {

class PlannedMethodRunner final : public MethodRunner {
 public:
  // All three must outlive the runner.
  PlannedMethodRunner(std::unique_ptr<CompiledMethod> compiled, MethodInfo info, StateStore& state,
                      ThreadPool& pool);

  std::size_t input_count() const override { return info_.inputs.size(); }
  const TensorInfo& input_info(std::size_t i) const override;
  std::size_t output_count() const override { return info_.outputs.size(); }
  void resize_input(std::size_t i, std::span<const std::int64_t> sizes) override;
  void set_input(std::size_t i, const Tensor& value) override;
  std::vector<TensorInfo> output_infos() override;
  void execute() override;
  Tensor output(std::size_t i) const override;
  Tensor input(std::size_t i) const override;
  std::string explain() override;
  std::vector<StepTime> profile() override;
  std::size_t arena_bytes() const override { return arena_.size(); }

 private:
  struct Input {
    std::optional<Sizes> sizes;  // nothing: dynamic and not resized yet
    AlignedBuffer memory;
    bool set = false;
  };

  // The plan for the current sizes, bound; made or found among the recent ones.
  Plan& current_plan();
  void require_set(std::size_t i) const;
  void run(const std::function<void(std::size_t)>& after_step);

  std::unique_ptr<CompiledMethod> compiled_;
  MethodInfo info_;
  StateStore& state_;
  ThreadPool& pool_;
  std::vector<Input> inputs_;
  std::list<Plan> plans_;        // most recently used first
  const Plan* bound_ = nullptr;  // the plan whose tensors have addresses
  const Plan* executed_ = nullptr;
  AlignedBuffer arena_;
};

}  // namespace plumb
