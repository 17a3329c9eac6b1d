// Addresses for a plan's tensors, and the loop over its steps.
#include "plan/plan.h"

namespace plumb {
namespace {

std::byte* base_of(const Storage& storage, const Binding& binding) {
  switch (storage.kind) {
    case Storage::Kind::kArena:
      return binding.arena + storage.offset;
    case Storage::Kind::kConstant:
      return storage.constant;
    case Storage::Kind::kState:
      return binding.state(storage.state);
    case Storage::Kind::kInput:
      return binding.input(storage.input);
  }
  return nullptr;
}

}  // namespace

void bind(Plan& plan, const Binding& binding) {
  std::vector<std::byte*> bases;
  bases.reserve(plan.storages.size());
  for (const Storage& storage : plan.storages) bases.push_back(base_of(storage, binding));
  for (Slot& slot : plan.slots) {
    std::byte* base = bases[slot.storage];
    slot.tensor.set_raw(base == nullptr ? nullptr : base + slot.byte_offset);  // null: an empty storage
  }
  for (Step& step : plan.steps) {
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
      step.outputs[i].set_raw(plan.slots[step.output_slots[i]].tensor.raw());
    }
  }
}

void execute(const Plan& plan, ThreadPool& pool, const std::function<void(std::size_t)>& after_step) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const Step& step = plan.steps[i];
    Call call;
    call.op = step.op;
    call.node = step.node;
    call.arguments = step.arguments;
    call.outputs = step.outputs;
    call.state = step.state.get();
    if (step.engine != nullptr) call.context = step.engine->context();
    call.pool = &pool;
    if (step.scratch_slot != SIZE_MAX) {
      const Tensor& scratch = plan.slots[step.scratch_slot].tensor;
      call.scratch = {scratch.data<std::byte>(), scratch.nbytes()};
    }
    step.kernel->impl->run(call);
    if (after_step) after_step(i);
  }
}

}  // namespace plumb
