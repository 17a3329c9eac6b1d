// A plan while it is being made: slots over storages, steps of kernels, and the copies that give a kernel the
// layout it asked for. Not here: what the nodes of a graph mean (planner.cpp).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plan/compiled_method.h"
#include "plan/plan.h"

namespace plumb {

inline constexpr std::size_t kNoSlot = SIZE_MAX;
inline constexpr std::int32_t kForever = INT32_MAX;

// More bytes than any tensor that fits a machine; sizes beyond it are an error before anything is computed
// with them.
inline constexpr std::int64_t kMaxTensorBytes = std::int64_t{1} << 46;

// Throws Error(kExecution) "WHAT: …" when a size is negative or the tensor has more than kMaxTensorBytes.
void check_tensor_size(const std::string& what, DType dtype, std::span<const std::int64_t> sizes);

// Calls visit(const Tensor*) for each tensor of an argument.
template <typename Visit>
void for_each_tensor(const CallArgument& value, Visit visit) {
  if (const auto* one = std::get_if<const Tensor*>(&value)) visit(*one);
  if (const auto* list = std::get_if<std::vector<const Tensor*>>(&value)) {
    for (const Tensor* tensor : *list) {
      if (tensor != nullptr) visit(tensor);
    }
  }
}

class PlanBuilder {
 public:
  PlanBuilder(CompiledMethod& compiled, ThreadPool& pool) : compiled_(compiled), pool_(pool) {}

  Plan& plan() { return plan_; }
  Storage& storage_of(std::size_t slot) { return plan_.storages[plan_.slots[slot].storage]; }
  const Tensor& tensor_of(std::size_t slot) const { return plan_.slots[slot].tensor; }
  // `tensor` is the address of a slot's tensor.
  std::size_t slot_of(const Tensor* tensor) const { return slot_of_tensor_.at(tensor); }
  bool is_constant(const Tensor* tensor) {
    return storage_of(slot_of(tensor)).kind == Storage::Kind::kConstant;
  }

  // A slot over a storage that is there already.
  std::size_t add_slot(const Tensor& tensor, std::size_t storage, std::int64_t byte_offset);
  std::size_t add_input_slot(const Tensor& tensor, std::size_t input);
  std::size_t add_constant_slot(const Tensor& tensor);
  // The slot of the buffer `fqn`; made at its first mention.
  std::size_t add_state_slot(const std::string& fqn, const Tensor& tensor);
  // kNoSlot when no such buffer was mentioned.
  std::size_t state_slot(const std::string& fqn) const;

  // The storage of `slot` is in use until `step`.
  void keep_alive(std::size_t slot, std::int32_t step);

  // Chooses the best kernel that accepts `call` for `step`. Throws Error(kUnsupported) with all reasons when
  // none does.
  void choose_kernel(Call& call, Step& step) const;
  // Appends `step`, whose kernel is chosen: brings arguments into the layouts it wants, gives the outputs
  // strides and memory, prepares it. `node_index` keys what it prepares. Returns the slots of the outputs.
  std::vector<std::size_t> add_step(Step step, Call& call, std::vector<NamedCallArgument> arguments,
                                    std::vector<Tensor> outputs, std::size_t node_index);

  // The slot itself, or one with the same values in `layout` (by a copy that later nodes share).
  std::size_t in_layout(std::size_t slot, Layout layout, const std::string& for_node);
  // A step that copies `slot` to new row-major memory.
  std::size_t add_copy(std::size_t slot, const std::string& for_node);
  // A step that copies `slot` to the memory of slot `into`, of the same sizes.
  void add_copy_into(std::size_t slot, std::size_t into, const std::string& for_node);

 private:
  std::size_t add_storage_slot(const Tensor& tensor, Storage storage);
  std::size_t add_arena_slot(const Tensor& tensor);
  std::int32_t step_number() const { return static_cast<std::int32_t>(plan_.steps.size()); }
  void bring_into_layout(const KernelImpl& impl, Call& call, std::vector<NamedCallArgument>& arguments);
  std::size_t copy_to(std::size_t slot, const Tensor& target, std::size_t into, const std::string& for_node);
  // Gives outputs without a slot (`slots` empty) memory of their own, and the kernel its scratch.
  void append(Step step, Call& call, std::vector<NamedCallArgument> arguments, std::vector<Tensor> outputs,
              std::vector<std::size_t> slots);

  CompiledMethod& compiled_;
  ThreadPool& pool_;
  Plan plan_;
  std::unordered_map<const Tensor*, std::size_t> slot_of_tensor_;
  std::map<std::string, std::size_t> state_slots_;
  std::map<std::pair<std::size_t, Layout>, std::size_t> in_other_layout_;
};

}  // namespace plumb
