// The walk: scalars are evaluated, views become slots over their input's memory, everything else becomes a
// step of the best kernel that accepts it, with copies where a kernel wants another layout.
#include "plan/planner.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "plan/plan_builder.h"
#include "plan/shapes/shapes.h"
#include "plan/views.h"
#include "plumb/error.h"
#include "plumb/package.h"

namespace plumb {
namespace {

bool same_sizes(const Tensor& a, const Tensor& b) {
  return std::ranges::equal(a.sizes(), b.sizes());
}

class Planner {
 public:
  Planner(CompiledMethod& compiled, std::span<const Sizes> input_sizes, ThreadPool& pool)
      : compiled_(compiled),
        method_(compiled.method()),
        graph_(method_.graph),
        pool_(pool),
        builder_(compiled, pool),
        plan_(builder_.plan()) {
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
  // Graph inputs, constants, state.

  void add_sources() {
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
      const Value& value = graph_.value(graph_.inputs[i]);
      check_tensor_size("input '" + value.name + "'", value.meta->dtype, plan_.input_sizes[i]);
      const Tensor tensor(nullptr, value.meta->dtype, plan_.input_sizes[i]);
      plan_.input_slots.push_back(builder_.add_input_slot(tensor, i));
      slot_of_value_[graph_.inputs[i]] = plan_.input_slots.back();
    }
    for (const ConstantBinding& binding : method_.constants) {
      const Constant& constant = *binding.constant;
      Tensor tensor(nullptr, constant.dtype, constant.sizes);
      if (binding.mutated) {
        slot_of_value_[binding.value] = builder_.add_state_slot(constant.key, tensor);
      } else {
        tensor.set_raw(const_cast<std::byte*>(constant.data.data()));
        slot_of_value_[binding.value] = builder_.add_constant_slot(tensor);
      }
    }
    for (const BufferBinding& binding : method_.buffers) {
      const TensorMeta& meta = *graph_.value(binding.value).meta;
      slot_of_value_[binding.value] =
          builder_.add_state_slot(binding.fqn, Tensor(nullptr, meta.dtype, meta.static_sizes()));
    }
  }

  // Arguments.

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
    if (slot_of_value_[value] != kNoSlot) return &builder_.tensor_of(slot_of_value_[value]);
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
          items.push_back(value == kNoValue ? nullptr : &p.builder_.tensor_of(p.slot_of_value_[value]));
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
        resolved.is_constant = builder_.is_constant(*tensor);
      }
      arguments.push_back(std::move(resolved));
    }
    return arguments;
  }

  // Nodes.

  void add_node(std::size_t index) {
    const Node& node = graph_.nodes[index];
    std::vector<NamedCallArgument> arguments = resolve_all(node);
    Call call;
    call.op = node.op;
    call.node = node.name;
    call.arguments = arguments;
    call.pool = &pool_;
    if (is_scalar_op(node.op)) {
      add_scalar(node, call);
    } else if (node.op == "aten._assert_scalar.default") {
      if (!call.boolean("self")) call.fail("assertion failed: " + call.text("assert_msg", ""));
    } else if (is_view_op(node.op)) {
      add_view(node, call, arguments);
    } else {
      add_step(index, node, call, arguments);
    }
  }

  void add_scalar(const Node& node, const Call& call) {
    const std::vector<ValueId> values = node.produced();
    expect_outputs(call, 1, values.size());
    const Scalar result = evaluate_scalar(call);
    switch (graph_.value(values[0]).kind) {
      case ValueKind::kTensor:
        call.fail("gives a scalar where the package declares a tensor");
      case ValueKind::kFloat:
        scalars_[values[0]] = std::visit([](auto v) { return static_cast<double>(v); }, result);
        break;
      case ValueKind::kBool:
        scalars_[values[0]] = std::visit([](auto v) { return v != decltype(v){}; }, result);
        break;
      case ValueKind::kInt:
        if (std::holds_alternative<double>(result))
          call.fail("gives a float where the package declares an int");
        scalars_[values[0]] = std::visit([](auto v) { return static_cast<std::int64_t>(v); }, result);
        break;
    }
  }

  static void expect_outputs(const Call& call, std::size_t given, std::size_t named) {
    if (given == named) return;
    call.fail("gives " + std::to_string(given) + " outputs where the package names " + std::to_string(named));
  }

  void add_view(const Node& node, Call& call, std::vector<NamedCallArgument>& arguments) {
    const std::vector<ValueId> values = node.produced();
    std::optional<std::vector<View>> views = view_outputs(call, values.size());
    if (!views) {
      NamedCallArgument& self = *std::find_if(arguments.begin(), arguments.end(),
                                              [](const NamedCallArgument& a) { return a.name == "self"; });
      const std::size_t slot = builder_.slot_of(std::get<const Tensor*>(self.value));
      self.value = &builder_.tensor_of(builder_.in_layout(slot, Layout::kContiguous, node.name));
      call.arguments = arguments;
      views = view_outputs(call, values.size());
    }
    expect_outputs(call, views->size(), values.size());
    const Slot self = plan_.slots[builder_.slot_of(&call.tensor("self"))];
    if (node.op == "aten.as_strided.default") refuse_strides_over_a_view(node, call);
    const auto item = static_cast<std::int64_t>(dtype_size(self.tensor.dtype()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const View& view = (*views)[i];
      check_tensor_size(node.op + " at '" + node.name + "'", self.tensor.dtype(), view.sizes);
      check_declared(node, values[i], {self.tensor.dtype(), view.sizes});
      Tensor tensor(nullptr, self.tensor.dtype(), view.sizes, view.strides);
      if (self.tensor.raw() != nullptr) tensor.set_raw(self.tensor.data<std::byte>() + view.offset * item);
      slot_of_value_[values[i]] =
          builder_.add_slot(tensor, self.storage, self.byte_offset + view.offset * item);
    }
  }

  // Strides given in numbers speak of memory as PyTorch has it, which for a view is that of its base.
  void refuse_strides_over_a_view(const Node& node, const Call& call) const {
    const Argument* self = node.find("self");
    const auto* ref = self == nullptr ? nullptr : std::get_if<TensorRef>(&self->value);
    const std::int32_t producer = ref == nullptr ? kNoNode : graph_.value(ref->value).producer;
    if (producer == kNoNode || !is_view_op(graph_.nodes[static_cast<std::size_t>(producer)].op)) return;
    throw Error(ErrorKind::kUnsupported, std::string(call.op) + " at '" + node.name +
                                             "': its input is a view, whose base plumb does not keep");
  }

  void add_step(std::size_t index, const Node& node, Call& call, std::vector<NamedCallArgument>& arguments) {
    const ShapeFunction shape_function = find_shape_function(node.op);
    if (shape_function == nullptr) throw no_kernel(compiled_.table(), node.op, node.name, "");
    const std::vector<TensorSpec> specs = shape_function(call);
    const std::vector<ValueId> values = node.produced();
    expect_outputs(call, specs.size(), values.size());
    std::vector<Tensor> outputs;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      check_tensor_size(node.op + " at '" + node.name + "'", specs[i].dtype, specs[i].sizes);
      check_declared(node, values[i], specs[i]);
      outputs.emplace_back(nullptr, specs[i].dtype, specs[i].sizes);
    }
    call.outputs = outputs;
    Step step;
    step.node = node.name;
    step.op = node.op;
    builder_.choose_kernel(call, step);
    const std::vector<std::size_t> slots =
        builder_.add_step(std::move(step), call, std::move(arguments), std::move(outputs), index);
    for (std::size_t i = 0; i < values.size(); ++i) slot_of_value_[values[i]] = slots[i];
  }

  // Checks.

  void check_declared(const Node& node, ValueId value, const TensorSpec& spec) const {
    const std::optional<TensorMeta>& meta = graph_.value(value).meta;
    if (!meta) return;
    bool fits = meta->dtype == spec.dtype && meta->sizes.size() == spec.sizes.size();
    for (std::size_t i = 0; fits && i < spec.sizes.size(); ++i) {
      const Dim& dim = meta->sizes[i];
      fits = dim.is_static() ? spec.sizes[i] == dim.min : dim.max < 0 || spec.sizes[i] <= dim.max;
    }
    if (fits) return;
    TensorInfo declared{graph_.value(value).name, meta->dtype, {}};
    for (const Dim& dim : meta->sizes) declared.sizes.push_back({dim.min, dim.max});
    throw Error(ErrorKind::kPackage, node.op + " at '" + node.name + "': the package declares '" +
                                         declared.name + "' as " + to_string(declared) +
                                         ", its inputs give " + std::string(dtype_name(spec.dtype)) +
                                         shape_string(spec.sizes));
  }

  // Results.

  void add_results() {
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
      const bool is_result = method_.output_specs[i].kind == OutputKind::kUserOutput;
      if (!is_result || std::holds_alternative<None>(graph_.outputs[i])) continue;
      plan_.output_slots.push_back(result_slot(graph_.outputs[i]));
    }
    add_write_backs();
    for (const std::size_t slot : plan_.output_slots) builder_.keep_alive(slot, kForever);
  }

  std::size_t result_slot(const GraphOutput& output) {
    if (const auto* value = std::get_if<ValueId>(&output)) {
      const std::size_t slot = slot_of_value_[*value];
      if (slot == kNoSlot) return scalar_slot(*value);
      const bool own = builder_.storage_of(slot).kind == Storage::Kind::kArena;
      return own && builder_.tensor_of(slot).is_contiguous() ? slot : builder_.add_copy(slot, "output");
    }
    if (const auto* v = std::get_if<std::int64_t>(&output)) return literal_slot(*v);
    if (const auto* v = std::get_if<double>(&output)) return literal_slot(*v);
    return literal_slot(std::get<bool>(output));
  }

  std::size_t scalar_slot(ValueId value) {
    const CallArgument scalar = scalar_argument(value);
    if (const auto* v = std::get_if<std::int64_t>(&scalar)) return literal_slot(*v);
    if (const auto* v = std::get_if<double>(&scalar)) return literal_slot(*v);
    return literal_slot(std::get<bool>(scalar));
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
    return builder_.add_constant_slot(Tensor(memory, dtype, {}));
  }

  std::size_t target_slot(const OutputSpec& spec) const {
    if (spec.kind == OutputKind::kBufferMutation) {
      const std::size_t slot = builder_.state_slot(spec.target);
      if (slot != kNoSlot) return slot;
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
      if (source == kNoSlot || builder_.tensor_of(source).dtype() != builder_.tensor_of(target).dtype() ||
          !same_sizes(builder_.tensor_of(source), builder_.tensor_of(target))) {
        throw Error(ErrorKind::kPackage, "method '" + method_.name + "': the value written back to '" +
                                             spec.target + "' has not its dtype and shape");
      }
      const Storage::Kind kind = builder_.storage_of(source).kind;
      if (kind == Storage::Kind::kState || kind == Storage::Kind::kInput) {
        source = builder_.add_copy(source, spec.target);
      }
      write_backs.push_back({source, target});
    }
    for (const WriteBack& w : write_backs) builder_.add_copy_into(w.source, w.target, "write back");
  }

  CompiledMethod& compiled_;
  const Method& method_;
  const Graph& graph_;
  ThreadPool& pool_;
  PlanBuilder builder_;
  Plan& plan_;
  std::vector<std::size_t> slot_of_value_;
  std::unordered_map<ValueId, Scalar> scalars_;
};

}  // namespace

Plan make_plan(CompiledMethod& compiled, std::span<const Sizes> input_sizes, ThreadPool& pool) {
  return Planner(compiled, input_sizes, pool).build();
}

}  // namespace plumb
