// The walk: scalars are evaluated, views become slots over their input's memory, everything else becomes a
// step of the best kernel that accepts it, with copies where a kernel wants another layout.
#include "plan/planner.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/strided_copy.h"
#include "plan/shapes/shapes.h"
#include "plan/views.h"
#include "plumb/error.h"

namespace plumb {
namespace {

constexpr std::size_t kNoSlot = SIZE_MAX;
constexpr std::int32_t kForever = INT32_MAX;

// Moves elements between any two layouts, for engines whose own copy kernel wants one in particular.
void run_strided_copy(const Call& call) {
  copy_strided(call.output(), call.tensor("self"));
}
const KernelImpl kStridedCopyImpl{.run = run_strided_copy};
const Kernel kStridedCopy{"aten.clone.default", "strided_copy", Numerics::kExact, &kStridedCopyImpl};

std::size_t storage_bytes(const Tensor& tensor) {
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

bool same_span(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

class Planner {
 public:
  Planner(CompiledMethod& compiled, std::span<const Sizes> input_sizes, ThreadPool& pool)
      : compiled_(compiled), method_(compiled.method()), graph_(method_.graph), pool_(pool) {
    plan_.input_sizes.assign(input_sizes.begin(), input_sizes.end());
    slot_of_value_.assign(graph_.values.size(), kNoSlot);
  }

  Plan build() {
    add_sources();
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) add_node(i);
    add_results();
    plan_memory(plan_);
    return std::move(plan_);
  }

 private:
  // ---- memory and slots

  std::size_t add_storage(Storage storage) {
    plan_.storages.push_back(std::move(storage));
    return plan_.storages.size() - 1;
  }

  std::size_t add_slot(const Tensor& tensor, std::size_t storage, std::int64_t byte_offset = 0) {
    plan_.slots.push_back({tensor, storage, byte_offset});
    slot_of_tensor_[&plan_.slots.back().tensor] = plan_.slots.size() - 1;
    return plan_.slots.size() - 1;
  }

  std::size_t add_arena_slot(const Tensor& tensor) {
    Storage storage;
    storage.bytes = storage_bytes(tensor);
    storage.first_step = storage.last_step = step_number();
    return add_slot(tensor, add_storage(std::move(storage)));
  }

  std::size_t add_constant_slot(const Tensor& tensor) {
    Storage storage;
    storage.kind = Storage::Kind::kConstant;
    storage.bytes = storage_bytes(tensor);
    storage.constant = tensor.data<std::byte>();
    return add_slot(tensor, add_storage(std::move(storage)));
  }

  std::size_t add_state_slot(const std::string& fqn, const Tensor& tensor) {
    const auto known = state_slots_.find(fqn);
    if (known != state_slots_.end()) return known->second;
    Storage storage;
    storage.kind = Storage::Kind::kState;
    storage.bytes = storage_bytes(tensor);
    storage.state = fqn;
    const std::size_t slot = add_slot(tensor, add_storage(std::move(storage)));
    state_slots_.emplace(fqn, slot);
    return slot;
  }

  Storage& storage_of(std::size_t slot) { return plan_.storages[plan_.slots[slot].storage]; }
  const Tensor& tensor_of(std::size_t slot) const { return plan_.slots[slot].tensor; }
  std::int32_t step_number() const { return static_cast<std::int32_t>(plan_.steps.size()); }

  void keep_alive(std::size_t slot, std::int32_t step) {
    Storage& storage = storage_of(slot);
    storage.last_step = std::max(storage.last_step, step);
  }

  // ---- graph inputs, constants, state

  void add_sources() {
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
      const Value& value = graph_.value(graph_.inputs[i]);
      const Tensor tensor(nullptr, value.meta->dtype, plan_.input_sizes[i]);
      Storage storage;
      storage.kind = Storage::Kind::kInput;
      storage.bytes = tensor.nbytes();
      storage.input = i;
      plan_.input_slots.push_back(add_slot(tensor, add_storage(std::move(storage))));
      slot_of_value_[graph_.inputs[i]] = plan_.input_slots.back();
    }
    for (const ConstantBinding& binding : method_.constants) {
      const Constant& constant = *binding.constant;
      Tensor tensor(nullptr, constant.dtype, constant.sizes);
      if (binding.mutated) {
        slot_of_value_[binding.value] = add_state_slot(constant.key, tensor);
      } else {
        tensor.set_raw(const_cast<std::byte*>(constant.data.data()));
        slot_of_value_[binding.value] = add_constant_slot(tensor);
      }
    }
    for (const BufferBinding& binding : method_.buffers) {
      const TensorMeta& meta = *graph_.value(binding.value).meta;
      slot_of_value_[binding.value] =
          add_state_slot(binding.fqn, Tensor(nullptr, meta.dtype, meta.static_sizes()));
    }
  }

  // ---- arguments

  CallArgument scalar_argument(ValueId ref) const {
    const auto it = scalars_.find(ref);
    if (it == scalars_.end()) {
      throw Error(ErrorKind::kUnsupported, "method '" + method_.name + "': scalar '" +
                                               graph_.value(ref).name +
                                               "' has no value that can be known before running");
    }
    return std::visit([](auto v) -> CallArgument { return v; }, it->second);
  }

  CallArgument tensor_argument(ValueId value) const {
    if (slot_of_value_[value] != kNoSlot) return &tensor_of(slot_of_value_[value]);
    return scalar_argument(value);
  }

  std::int64_t integer_argument(const IntArg& item) const {
    if (item.ref == kNoValue) return item.value;
    const CallArgument value = scalar_argument(item.ref);
    if (const auto* v = std::get_if<std::int64_t>(&value)) return *v;
    if (const auto* v = std::get_if<bool>(&value)) return *v ? 1 : 0;
    throw Error(ErrorKind::kExecution, "method '" + method_.name + "': '" + graph_.value(item.ref).name +
                                           "' is used as an int but is a float");
  }

  CallArgument resolve(const Node& node, const Argument& argument) const {
    struct Visitor {
      const Planner& p;
      const Node& node;
      CallArgument operator()(const None&) const { return std::monostate{}; }
      CallArgument operator()(const TensorRef& a) const { return p.tensor_argument(a.value); }
      CallArgument operator()(const IntArg& a) const {
        return a.ref == kNoValue ? CallArgument(a.value) : p.scalar_argument(a.ref);
      }
      CallArgument operator()(const FloatArg& a) const {
        return a.ref == kNoValue ? CallArgument(a.value) : p.scalar_argument(a.ref);
      }
      CallArgument operator()(const BoolArg& a) const {
        return a.ref == kNoValue ? CallArgument(a.value) : p.scalar_argument(a.ref);
      }
      CallArgument operator()(const std::string& a) const { return a; }
      CallArgument operator()(const DType& a) const { return a; }
      CallArgument operator()(const IntListArg& a) const {
        std::vector<std::int64_t> items;
        for (const IntArg& item : a.items) items.push_back(p.integer_argument(item));
        return items;
      }
      CallArgument operator()(const FloatListArg& a) const { return a.items; }
      CallArgument operator()(const BoolListArg& a) const { return a.items; }
      CallArgument operator()(const TensorListArg& a) const {
        std::vector<const Tensor*> items;
        for (const ValueId value : a.values) {
          if (value != kNoValue && p.slot_of_value_[value] == kNoSlot) {
            throw Error(ErrorKind::kUnsupported,
                        node.op + " at '" + node.name + "': a scalar in a list of tensors");
          }
          items.push_back(value == kNoValue ? nullptr : &p.tensor_of(p.slot_of_value_[value]));
        }
        return items;
      }
      CallArgument operator()(const SubgraphArg&) const {
        throw Error(ErrorKind::kUnsupported, node.op + " at '" + node.name + "': no engine runs subgraphs");
      }
    };
    return std::visit(Visitor{*this, node}, argument.value);
  }

  std::vector<NamedCallArgument> resolve_all(const Node& node) {
    std::vector<NamedCallArgument> arguments;
    arguments.reserve(node.inputs.size());
    for (const Argument& argument : node.inputs) {
      NamedCallArgument resolved{argument.name, resolve(node, argument), false};
      if (const auto* tensor = std::get_if<const Tensor*>(&resolved.value)) {
        resolved.is_constant = storage_of(slot_of_tensor_.at(*tensor)).kind == Storage::Kind::kConstant;
      }
      arguments.push_back(std::move(resolved));
    }
    return arguments;
  }

  // ---- nodes

  void add_node(std::size_t index) {
    const Node& node = graph_.nodes[index];
    std::vector<NamedCallArgument> arguments = resolve_all(node);
    Call call;
    call.op = node.op;
    call.node = node.name;
    call.arguments = arguments;
    call.pool = &pool_;
    if (is_scalar_op(node.op)) {
      scalars_[node.produced().at(0)] = evaluate_scalar(call);
    } else if (node.op == "aten._assert_scalar.default") {
      if (!call.boolean("self")) call.fail("assertion failed: " + call.text("assert_msg", ""));
    } else if (is_view_op(node.op)) {
      add_view(node, call, arguments);
    } else {
      add_step(index, node, call, arguments);
    }
  }

  void add_view(const Node& node, Call& call, std::vector<NamedCallArgument>& arguments) {
    std::optional<std::vector<View>> views = view_outputs(call);
    if (!views) {
      NamedCallArgument& self = *std::find_if(arguments.begin(), arguments.end(),
                                              [](const NamedCallArgument& a) { return a.name == "self"; });
      const std::size_t slot = slot_of_tensor_.at(std::get<const Tensor*>(self.value));
      self.value = &tensor_of(in_layout(slot, Layout::kContiguous, node.name));
      call.arguments = arguments;
      views = view_outputs(call);
    }
    const Slot self = plan_.slots[slot_of_tensor_.at(&call.tensor("self"))];
    const std::vector<ValueId> values = node.produced();
    if (values.size() != views->size()) {
      call.fail("gives " + std::to_string(views->size()) + " outputs where the package names " +
                std::to_string(values.size()));
    }
    const auto item = static_cast<std::int64_t>(dtype_size(self.tensor.dtype()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const View& view = (*views)[i];
      const std::int64_t offset = self.byte_offset + view.offset * item;
      Tensor tensor(nullptr, self.tensor.dtype(), view.sizes, view.strides);
      if (self.tensor.raw() != nullptr) tensor.set_raw(self.tensor.data<std::byte>() + view.offset * item);
      check_declared(node, values[i], {tensor.dtype(), view.sizes});
      slot_of_value_[values[i]] = add_slot(tensor, self.storage, offset);
    }
  }

  void add_step(std::size_t index, const Node& node, Call& call, std::vector<NamedCallArgument>& arguments) {
    const ShapeFunction shape_function = find_shape_function(node.op);
    if (shape_function == nullptr) {
      throw Error(ErrorKind::kUnsupported, "engine '" + std::string(compiled_.table().engine().name()) +
                                               "' has no kernel for " + node.op + " at '" + node.name + "'");
    }
    const std::vector<TensorSpec> specs = shape_function(call);
    const std::vector<ValueId> values = node.produced();
    if (values.size() != specs.size()) {
      call.fail("gives " + std::to_string(specs.size()) + " outputs where the package names " +
                std::to_string(values.size()));
    }
    std::vector<Tensor> outputs;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      check_declared(node, values[i], specs[i]);
      outputs.emplace_back(nullptr, specs[i].dtype, specs[i].sizes);
    }
    call.outputs = outputs;

    Step step;
    step.node = node.name;
    step.op = node.op;
    choose_kernel(call, step);
    const KernelImpl& impl = *step.kernel->impl;
    bring_inputs_into_layout(impl, call, arguments);
    const Layout layout = impl.output_layout == nullptr ? Layout::kContiguous : impl.output_layout(call);
    for (Tensor& output : outputs) output = with_layout(output, layout, call);
    if (impl.prepare != nullptr) step.state = compiled_.prepared(index, *step.kernel, call);
    call.state = step.state.get();
    finish_step(std::move(step), call, std::move(arguments), std::move(outputs));
    for (std::size_t i = 0; i < values.size(); ++i) {
      slot_of_value_[values[i]] = plan_.steps.back().output_slots[i];
    }
  }

  // Adds a step whose outputs get memory of their own.
  void finish_step(Step step, Call& call, std::vector<NamedCallArgument> arguments,
                   std::vector<Tensor> outputs) {
    std::vector<std::size_t> slots;
    for (const Tensor& output : outputs) slots.push_back(add_arena_slot(output));
    finish_step_into(std::move(step), call, std::move(arguments), std::move(outputs), std::move(slots));
  }

  void finish_step_into(Step step, Call& call, std::vector<NamedCallArgument> arguments,
                        std::vector<Tensor> outputs, std::vector<std::size_t> slots) {
    const KernelImpl& impl = *step.kernel->impl;
    call.outputs = outputs;
    call.arguments = arguments;
    const std::size_t scratch = impl.scratch_bytes == nullptr ? 0 : impl.scratch_bytes(call, pool_.threads());
    if (scratch > 0) {
      const Sizes sizes{static_cast<std::int64_t>(scratch)};
      step.scratch_slot = add_arena_slot(Tensor(nullptr, DType::kUInt8, sizes));
    }
    for (const NamedCallArgument& argument : arguments) {
      for_each_tensor(argument.value,
                      [&](const Tensor* tensor) { keep_alive(slot_of_tensor_.at(tensor), step_number()); });
    }
    step.arguments = std::move(arguments);
    step.outputs = std::move(outputs);
    step.output_slots = std::move(slots);
    plan_.steps.push_back(std::move(step));
  }

  template <typename Visit>
  static void for_each_tensor(const CallArgument& value, Visit visit) {
    if (const auto* one = std::get_if<const Tensor*>(&value)) visit(*one);
    if (const auto* list = std::get_if<std::vector<const Tensor*>>(&value)) {
      for (const Tensor* tensor : *list) {
        if (tensor != nullptr) visit(tensor);
      }
    }
  }

  void choose_kernel(Call& call, Step& step) const {
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
    throw Error(ErrorKind::kUnsupported, "engine '" + std::string(compiled_.table().engine().name()) +
                                             "' has no kernel for " + std::string(call.op) + " at '" +
                                             std::string(call.node) + "'" + reasons);
  }

  // ---- layouts

  static bool has_layout(const Tensor& tensor, Layout layout) {
    switch (layout) {
      case Layout::kAny:
        return true;
      case Layout::kContiguous:
        return tensor.is_contiguous();
      case Layout::kChannelsLast:
        return tensor.rank() < 3 || tensor.rank() > 5 ? tensor.is_contiguous() : tensor.is_channels_last();
    }
    return false;
  }

  static Tensor with_layout(const Tensor& tensor, Layout layout, const Call& call) {
    Sizes strides;
    switch (layout) {
      case Layout::kContiguous:
        strides = contiguous_strides(tensor.sizes());
        break;
      case Layout::kChannelsLast:
        strides = channels_last_strides(tensor.sizes());
        break;
      case Layout::kAny:
        strides = strides_like_arguments(tensor, call);
        break;
    }
    return Tensor(tensor.raw(), tensor.dtype(), tensor.sizes(), strides);
  }

  static Sizes strides_like_arguments(const Tensor& tensor, const Call& call) {
    const Tensor* like = nullptr;
    for (const NamedCallArgument& argument : call.arguments) {
      for_each_tensor(argument.value, [&](const Tensor* candidate) {
        if (like == nullptr && same_span(candidate->sizes(), tensor.sizes()) && !is_expanded(*candidate)) {
          like = candidate;
        }
      });
    }
    return like == nullptr ? contiguous_strides(tensor.sizes())
                           : dense_strides_like(tensor.sizes(), like->strides());
  }

  void bring_inputs_into_layout(const KernelImpl& impl, Call& call,
                                std::vector<NamedCallArgument>& arguments) {
    if (impl.input_layout == nullptr) return;
    for (NamedCallArgument& argument : arguments) {
      const Layout layout = impl.input_layout(call, argument.name);
      const auto convert = [&](const Tensor*& tensor) {
        tensor = &tensor_of(in_layout(slot_of_tensor_.at(tensor), layout, std::string(call.node)));
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

  // The slot itself, or one with the same values in `layout` (by a copy that later nodes share).
  std::size_t in_layout(std::size_t slot, Layout layout, const std::string& for_node) {
    if (has_layout(tensor_of(slot), layout)) return slot;
    const auto key = std::make_pair(slot, layout);
    const auto known = in_other_layout_.find(key);
    if (known != in_other_layout_.end()) return known->second;
    Tensor target(nullptr, tensor_of(slot).dtype(), tensor_of(slot).sizes());
    target = with_layout(target, layout, Call{});
    std::size_t result = kNoSlot;
    if (storage_of(slot).kind == Storage::Kind::kConstant) {
      target.set_raw(compiled_.converted(tensor_of(slot), target.strides()));
      result = add_constant_slot(target);
    } else {
      result = add_copy(slot, target, kNoSlot, for_node);
    }
    in_other_layout_.emplace(key, result);
    return result;
  }

  // A step that copies `slot` to a tensor shaped like `target`, in new memory or in slot `into`.
  std::size_t add_copy(std::size_t slot, const Tensor& target, std::size_t into,
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
    if (step.kernel->impl->prepare != nullptr) {
      step.state = step.kernel->impl->prepare(call);
      call.state = step.state.get();
    }
    if (into == kNoSlot) {
      finish_step(std::move(step), call, std::move(arguments), std::move(outputs));
    } else {
      finish_step_into(std::move(step), call, std::move(arguments), std::move(outputs), {into});
    }
    return plan_.steps.back().output_slots[0];
  }

  // ---- checks

  void check_declared(const Node& node, ValueId value, const TensorSpec& spec) const {
    const std::optional<TensorMeta>& meta = graph_.value(value).meta;
    if (!meta) return;
    bool fits = meta->dtype == spec.dtype && meta->sizes.size() == spec.sizes.size();
    for (std::size_t i = 0; fits && i < spec.sizes.size(); ++i) {
      const Dim& dim = meta->sizes[i];
      fits = dim.is_static() ? spec.sizes[i] == dim.min : dim.max < 0 || spec.sizes[i] <= dim.max;
    }
    if (fits) return;
    std::string declared = std::string(dtype_name(meta->dtype)) + "[";
    for (std::size_t i = 0; i < meta->sizes.size(); ++i) {
      const Dim& dim = meta->sizes[i];
      declared += (i > 0 ? ", " : "") + std::to_string(dim.min);
      if (!dim.is_static()) declared += ".." + (dim.max < 0 ? "" : std::to_string(dim.max));
    }
    throw Error(ErrorKind::kPackage, node.op + " at '" + node.name + "': the package declares '" +
                                         graph_.value(value).name + "' as " + declared +
                                         "], its inputs give " + std::string(dtype_name(spec.dtype)) +
                                         shape_string(spec.sizes));
  }

  // ---- results

  void add_results() {
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
      const bool is_result = method_.output_specs[i].kind == OutputKind::kUserOutput;
      if (!is_result || std::holds_alternative<None>(graph_.outputs[i])) continue;
      plan_.output_slots.push_back(result_slot(graph_.outputs[i]));
    }
    add_write_backs();
    for (const std::size_t slot : plan_.output_slots) keep_alive(slot, kForever);
  }

  std::size_t result_slot(const GraphOutput& output) {
    if (const auto* value = std::get_if<ValueId>(&output)) {
      const std::size_t slot = slot_of_value_[*value];
      if (slot == kNoSlot)
        return literal_slot(std::visit([](auto v) { return Scalar(v); }, scalars_.at(*value)));
      const bool own = storage_of(slot).kind == Storage::Kind::kArena;
      if (own && tensor_of(slot).is_contiguous()) return slot;
      return add_copy(slot, Tensor(nullptr, tensor_of(slot).dtype(), tensor_of(slot).sizes()), kNoSlot,
                      "output");
    }
    if (const auto* v = std::get_if<std::int64_t>(&output)) return literal_slot(*v);
    if (const auto* v = std::get_if<double>(&output)) return literal_slot(*v);
    return literal_slot(std::get<bool>(output));
  }

  std::size_t literal_slot(const Scalar& scalar) {
    plan_.owned.emplace_back(sizeof(double));
    std::byte* memory = plan_.owned.back().data();
    const DType dtype = std::visit(
        [&](auto v) {
          std::memcpy(memory, &v, sizeof v);
          if constexpr (std::is_same_v<decltype(v), bool>) return DType::kBool;
          if constexpr (std::is_same_v<decltype(v), double>) return DType::kFloat64;
          return DType::kInt64;
        },
        scalar);
    return add_constant_slot(Tensor(memory, dtype, {}));
  }

  std::size_t target_slot(const OutputSpec& spec) const {
    if (spec.kind == OutputKind::kBufferMutation) {
      const auto it = state_slots_.find(spec.target);
      if (it != state_slots_.end()) return it->second;
    }
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
      if (spec.kind == OutputKind::kUserInputMutation && graph_.value(graph_.inputs[i]).name == spec.target) {
        return plan_.input_slots[i];
      }
    }
    throw Error(ErrorKind::kPackage, "method '" + method_.name + "': an output writes back to '" +
                                         spec.target + "', which is no mutable buffer or input of it");
  }

  // New values of buffers and inputs are stored at the very end, when nothing reads the old ones any more.
  // Sources that lie in such memory themselves are saved first, so that the order of write-backs does not
  // matter.
  void add_write_backs() {
    struct WriteBack {
      std::size_t source;
      std::size_t target;
    };
    std::vector<WriteBack> write_backs;
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
      const OutputSpec& spec = method_.output_specs[i];
      if (spec.kind == OutputKind::kUserOutput) continue;
      const auto* value = std::get_if<ValueId>(&graph_.outputs[i]);
      const std::size_t target = target_slot(spec);
      std::size_t source = value == nullptr ? kNoSlot : slot_of_value_[*value];
      if (source == target) continue;
      if (source == kNoSlot || tensor_of(source).dtype() != tensor_of(target).dtype() ||
          !same_span(tensor_of(source).sizes(), tensor_of(target).sizes())) {
        throw Error(ErrorKind::kPackage, "method '" + method_.name + "': the value written back to '" +
                                             spec.target + "' has not its dtype and shape");
      }
      const Storage::Kind kind = storage_of(source).kind;
      if (kind == Storage::Kind::kState || kind == Storage::Kind::kInput) {
        const Tensor copy(nullptr, tensor_of(source).dtype(), tensor_of(source).sizes());
        source = add_copy(source, copy, kNoSlot, spec.target);
      }
      write_backs.push_back({source, target});
    }
    for (const WriteBack& w : write_backs) add_copy(w.source, tensor_of(w.target), w.target, "write back");
  }

  CompiledMethod& compiled_;
  const Method& method_;
  const Graph& graph_;
  ThreadPool& pool_;
  Plan plan_;
  std::vector<std::size_t> slot_of_value_;
  std::unordered_map<ValueId, Scalar> scalars_;
  std::unordered_map<const Tensor*, std::size_t> slot_of_tensor_;
  std::map<std::string, std::size_t> state_slots_;
  std::map<std::pair<std::size_t, Layout>, std::size_t> in_other_layout_;
};

}  // namespace

Plan make_plan(CompiledMethod& compiled, std::span<const Sizes> input_sizes, ThreadPool& pool) {
  return Planner(compiled, input_sizes, pool).build();
}

}  // namespace plumb
