// A method made ready for one set of input shapes: kernels chosen, layouts decided, memory laid out, steps in
// order. A plan holds no memory of its own but literals and converted constants; binding gives its tensors
// addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/layout.h"
#include "engines/engine.h"
#include "plan/scalars.h"

namespace plumb {

// A piece of memory that tensors of the plan lie in.
struct Storage {
  enum class Kind { kArena, kConstant, kState, kInput };
  Kind kind = Kind::kArena;
  std::size_t bytes = 0;
  std::size_t input = 0;          // kInput: which
  std::string state{};            // kState: the buffer's fqn
  std::byte* constant = nullptr;  // kConstant: its data, never written
  std::int32_t first_step = 0;    // kArena: steps between which the memory is in use, inclusive
  std::int32_t last_step = 0;
  std::size_t offset = 0;  // kArena: position found by the memory planner
};

// A tensor of the plan. `tensor.raw()` is set by binding.
struct Slot {
  Tensor tensor;
  std::size_t storage = 0;
  std::int64_t byte_offset = 0;
};

// A better-placed kernel that was refused, and why; for people.
struct Refusal {
  std::string kernel;
  std::string reason;
};

struct Step {
  std::string node;
  std::string op;
  const Kernel* kernel = nullptr;
  const Engine* engine = nullptr;  // whose kernel it is; null for the plan's own copy
  std::vector<NamedCallArgument> arguments;
  std::vector<std::size_t> output_slots;
  std::vector<Tensor> outputs;
  std::shared_ptr<const KernelState> state;
  std::size_t scratch_slot = SIZE_MAX;
  std::vector<Refusal> refusals;
};

// "cpu/conv_1x1"
std::string kernel_label(const Step& step);

struct Plan {
  std::vector<Sizes> input_sizes;
  std::deque<Slot> slots;  // stable addresses: steps point at their tensors
  std::vector<Storage> storages;
  std::vector<Step> steps;
  std::vector<std::size_t> input_slots;
  std::vector<std::size_t> output_slots;  // of user outputs, all row-major
  std::size_t arena_bytes = 0;
  std::vector<AlignedBuffer> owned;  // literals and constants in another layout
};

// Gives every arena storage an offset so that storages used at the same time do not overlap; sets
// arena_bytes.
void plan_memory(Plan& plan);

// Where the memory of a plan is in one session.
struct Binding {
  std::byte* arena = nullptr;
  std::function<std::byte*(std::size_t input)> input;
  std::function<std::byte*(const std::string& fqn)> state;
};
void bind(Plan& plan, const Binding& binding);

// Runs all steps of a bound plan. `after_step` (may be empty) is called after each with its index.
void execute(const Plan& plan, ThreadPool& pool, const std::function<void(std::size_t)>& after_step = {});

// The table that `--explain` prints.
std::string explain(const Plan& plan);

}  // namespace plumb
