// Slots, steps and copies.
#include "plan/plan_builder.h"

#include <algorithm>

#include "base/strided_copy.h"
#include "plumb/error.h"

namespace plumb {
namespace {

// Moves elements between any two layouts, for engines whose own copy kernel wants one in particular.
void run_strided_copy(const Call& call) {
  copy_strided(call.output(), call.tensor("self"));
}
const KernelImpl kStridedCopyImpl{.run = run_strided_copy};
const Kernel kStridedCopy{"aten.clone.default", "strided_copy", Numerics::kExact, &kStridedCopyImpl};

// From the first element to the last.
std::size_t extent_in_bytes(const Tensor& tensor) {
  std::int64_t last = 0;
  for (int i = 0; i < tensor.rank(); ++i) {
    if (tensor.size(i) == 0) return 0;
    last += (tensor.size(i) - 1) * tensor.stride(i);
  }
  return static_cast<std::size_t>(last + 1) * dtype_size(tensor.dtype());
}

bool is_expanded(const Tensor& tensor) {
  for (int i = 0; i < tensor.rank(); ++i) {
    if (tensor.size(i) > 1 && tensor.stride(i) == 0) return true;
  }
  return false;
}

bool has_layout(const Tensor& tensor, Layout layout) {
  if (layout == Layout::kAny) return true;
  const bool spatial = tensor.rank() >= 3 && tensor.rank() <= 5;
  return layout == Layout::kChannelsLast && spatial ? tensor.is_channels_last() : tensor.is_contiguous();
}

Sizes strides_like_arguments(const Tensor& tensor, std::span<const NamedCallArgument> arguments) {
  const Tensor* like = nullptr;
  for (const NamedCallArgument& argument : arguments) {
    for_each_tensor(argument.value, [&](const Tensor* candidate) {
      const bool fits = std::ranges::equal(candidate->sizes(), tensor.sizes()) && !is_expanded(*candidate);
      if (like == nullptr && fits) like = candidate;
    });
  }
  return like == nullptr ? contiguous_strides(tensor.sizes())
                         : dense_strides_like(tensor.sizes(), like->strides());
}

// `tensor` with the strides of `layout`; kAny follows the first of `arguments` that has its sizes.
Tensor with_layout(const Tensor& tensor, Layout layout, std::span<const NamedCallArgument> arguments) {
  Sizes strides;
  switch (layout) {
    case Layout::kContiguous:
      strides = contiguous_strides(tensor.sizes());
      break;
    case Layout::kChannelsLast:
      strides = channels_last_strides(tensor.sizes());
      break;
    case Layout::kAny:
      strides = strides_like_arguments(tensor, arguments);
      break;
  }
  return Tensor(tensor.raw(), tensor.dtype(), tensor.sizes(), strides);
}

}  // namespace

void check_tensor_size(const std::string& what, DType dtype, std::span<const std::int64_t> sizes) {
  auto bytes = static_cast<std::int64_t>(dtype_size(dtype));
  for (const std::int64_t size : sizes) {
    const bool counted = size >= 0 && !__builtin_mul_overflow(bytes, std::max<std::int64_t>(size, 1), &bytes);
    if (counted && bytes <= kMaxTensorBytes) continue;
    throw Error(ErrorKind::kExecution,
                what + ": a tensor of shape " + shape_string(sizes) +
                    " is not possible; sizes are at least 0 and a tensor has at most " +
                    std::to_string(kMaxTensorBytes >> 40) + " TiB");
  }
}

std::size_t PlanBuilder::add_slot(const Tensor& tensor, std::size_t storage, std::int64_t byte_offset) {
  plan_.slots.push_back({tensor, storage, byte_offset});
  slot_of_tensor_[&plan_.slots.back().tensor] = plan_.slots.size() - 1;
  return plan_.slots.size() - 1;
}

std::size_t PlanBuilder::add_storage_slot(const Tensor& tensor, Storage storage) {
  storage.bytes = extent_in_bytes(tensor);
  plan_.storages.push_back(std::move(storage));
  return add_slot(tensor, plan_.storages.size() - 1, 0);
}

std::size_t PlanBuilder::add_arena_slot(const Tensor& tensor) {
  return add_storage_slot(
      tensor, {.kind = Storage::Kind::kArena, .first_step = step_number(), .last_step = step_number()});
}

std::size_t PlanBuilder::add_input_slot(const Tensor& tensor, std::size_t input) {
  return add_storage_slot(tensor, {.kind = Storage::Kind::kInput, .input = input});
}

std::size_t PlanBuilder::add_constant_slot(const Tensor& tensor) {
  return add_storage_slot(tensor, {.kind = Storage::Kind::kConstant, .constant = tensor.data<std::byte>()});
}

std::size_t PlanBuilder::add_state_slot(const std::string& fqn, const Tensor& tensor) {
  const std::size_t known = state_slot(fqn);
  if (known != kNoSlot) return known;
  const std::size_t slot = add_storage_slot(tensor, {.kind = Storage::Kind::kState, .state = fqn});
  state_slots_.emplace(fqn, slot);
  return slot;
}

std::size_t PlanBuilder::state_slot(const std::string& fqn) const {
  const auto known = state_slots_.find(fqn);
  return known == state_slots_.end() ? kNoSlot : known->second;
}

void PlanBuilder::keep_alive(std::size_t slot, std::int32_t step) {
  Storage& storage = storage_of(slot);
  storage.last_step = std::max(storage.last_step, step);
}

void PlanBuilder::choose_kernel(Call& call, Step& step) const {
  std::string reasons;
  for (const KernelTable::Candidate& candidate : compiled_.table().candidates(call.op)) {
    const KernelImpl& impl = *candidate.kernel->impl;
    call.context = candidate.engine->context();
    const Verdict verdict = impl.accepts == nullptr ? Verdict::yes() : impl.accepts(call);
    if (verdict.accepted()) {
      step.kernel = candidate.kernel;
      step.engine = candidate.engine;
      return;
    }
    step.refusals.push_back({std::string(candidate.kernel->name), verdict.reason});
    reasons += "; " + std::string(candidate.kernel->name) + ": " + verdict.reason;
  }
  throw no_kernel(compiled_.table(), call.op, call.node, reasons);
}

std::vector<std::size_t> PlanBuilder::add_step(Step step, Call& call,
                                               std::vector<NamedCallArgument> arguments,
                                               std::vector<Tensor> outputs, std::size_t node_index) {
  const KernelImpl& impl = *step.kernel->impl;
  bring_into_layout(impl, call, arguments);
  const Layout layout = impl.output_layout == nullptr ? Layout::kContiguous : impl.output_layout(call);
  for (Tensor& output : outputs) output = with_layout(output, layout, arguments);
  call.outputs = outputs;
  if (impl.prepare != nullptr) step.state = compiled_.prepared(node_index, *step.kernel, call);
  call.state = step.state.get();
  append(std::move(step), call, std::move(arguments), std::move(outputs), {});
  return plan_.steps.back().output_slots;
}

void PlanBuilder::append(Step step, Call& call, std::vector<NamedCallArgument> arguments,
                         std::vector<Tensor> outputs, std::vector<std::size_t> slots) {
  const KernelImpl& impl = *step.kernel->impl;
  if (slots.empty()) {
    for (const Tensor& output : outputs) slots.push_back(add_arena_slot(output));
  }
  call.outputs = outputs;
  call.arguments = arguments;
  const std::size_t scratch = impl.scratch_bytes == nullptr ? 0 : impl.scratch_bytes(call, pool_.threads());
  if (scratch > 0) {
    const Sizes sizes{static_cast<std::int64_t>(scratch)};
    step.scratch_slot = add_arena_slot(Tensor(nullptr, DType::kUInt8, sizes));
  }
  for (const NamedCallArgument& argument : arguments) {
    for_each_tensor(argument.value,
                    [&](const Tensor* tensor) { keep_alive(slot_of(tensor), step_number()); });
  }
  step.arguments = std::move(arguments);
  step.outputs = std::move(outputs);
  step.output_slots = std::move(slots);
  plan_.steps.push_back(std::move(step));
}

void PlanBuilder::bring_into_layout(const KernelImpl& impl, Call& call,
                                    std::vector<NamedCallArgument>& arguments) {
  if (impl.input_layout == nullptr) return;
  for (NamedCallArgument& argument : arguments) {
    const Layout layout = impl.input_layout(call, argument.name);
    const auto convert = [&](const Tensor*& tensor) {
      tensor = &tensor_of(in_layout(slot_of(tensor), layout, std::string(call.node)));
    };
    if (auto* one = std::get_if<const Tensor*>(&argument.value)) convert(*one);
    if (auto* list = std::get_if<std::vector<const Tensor*>>(&argument.value)) {
      for (const Tensor*& tensor : *list) {
        if (tensor != nullptr) convert(tensor);
      }
    }
  }
  call.arguments = arguments;
}

std::size_t PlanBuilder::in_layout(std::size_t slot, Layout layout, const std::string& for_node) {
  if (has_layout(tensor_of(slot), layout)) return slot;
  const auto [known, added] = in_other_layout_.try_emplace({slot, layout}, kNoSlot);
  if (!added) return known->second;
  check_tensor_size(for_node, tensor_of(slot).dtype(), tensor_of(slot).sizes());
  Tensor target = with_layout(Tensor(nullptr, tensor_of(slot).dtype(), tensor_of(slot).sizes()), layout, {});
  if (storage_of(slot).kind == Storage::Kind::kConstant) {
    target.set_raw(compiled_.converted(tensor_of(slot), target.strides()));
    known->second = add_constant_slot(target);
  } else {
    known->second = copy_to(slot, target, kNoSlot, for_node);
  }
  return known->second;
}

std::size_t PlanBuilder::add_copy(std::size_t slot, const std::string& for_node) {
  return copy_to(slot, Tensor(nullptr, tensor_of(slot).dtype(), tensor_of(slot).sizes()), kNoSlot, for_node);
}

void PlanBuilder::add_copy_into(std::size_t slot, std::size_t into, const std::string& for_node) {
  copy_to(slot, tensor_of(into), into, for_node);
}

std::size_t PlanBuilder::copy_to(std::size_t slot, const Tensor& target, std::size_t into,
                                 const std::string& for_node) {
  std::vector<NamedCallArgument> arguments{{"self", &tensor_of(slot), false}};
  std::vector<Tensor> outputs{target};
  Call call;
  call.op = kStridedCopy.op;
  call.node = for_node;
  call.arguments = arguments;
  call.outputs = outputs;
  call.pool = &pool_;
  Step step;
  step.node = for_node;
  step.op = kStridedCopy.op;
  step.kernel = &kStridedCopy;
  for (const KernelTable::Candidate& candidate : compiled_.table().candidates(kStridedCopy.op)) {
    const KernelImpl& impl = *candidate.kernel->impl;
    call.context = candidate.engine->context();
    if (impl.output_layout == nullptr || impl.output_layout(call) != Layout::kAny) continue;
    if (impl.accepts != nullptr && !impl.accepts(call).accepted()) continue;
    step.kernel = candidate.kernel;
    step.engine = candidate.engine;
    break;
  }
  if (step.kernel->impl->prepare != nullptr) step.state = step.kernel->impl->prepare(call);
  call.state = step.state.get();
  std::vector<std::size_t> slots;
  if (into != kNoSlot) slots.push_back(into);
  append(std::move(step), call, std::move(arguments), std::move(outputs), std::move(slots));
  return plan_.steps.back().output_slots[0];
}

}  // namespace plumb
