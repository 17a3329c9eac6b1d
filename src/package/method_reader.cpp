// Binds a method's graph.
#include "package/method_reader.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>

#include "package/graph_reader.h"
#include "package/tensor_meta_reader.h"

namespace plumb {
namespace {

class MethodReader {
 public:
  MethodReader(const fbs::Method& source, ConstantStore& store, const Place& place)
      : source_(source), store_(store), place_(place), graph_(*source.graph(), 0, place) {
    method_.name = std::string(text_of(source.name()));
  }

  Method read() {
    if (source_.constants() != nullptr) {
      for (const fbs::NamedTensorRef* constant : *source_.constants()) bind_constant(*constant);
    }
    if (source_.mutable_buffers() != nullptr) {
      for (const fbs::MutableBufferSpec* buffer : *source_.mutable_buffers()) bind_buffer(*buffer);
    }
    method_.graph = graph_.read();
    read_output_specs();
    return std::move(method_);
  }

 private:
  void bind_constant(const fbs::NamedTensorRef& source) {
    const std::string_view key = text_of(source.data_key());
    const Place place(place_, "constant", text_of(source.name()));
    check_name(key, "data_key", place);
    if (source.kind() == fbs::InputKind::USER_INPUT) {
      Place(place, "field", "kind").fail("is USER_INPUT; expected PARAMETER, BUFFER or CONSTANT_TENSOR");
    }
    TensorMeta meta = read_tensor_meta(*source.meta(), place);
    store_.declare(key, meta, place);
    if (source.mutated() && store_.share(key)->key != key) {
      place.fail("is mutable but stored as an alias of " + in_quotes(store_.share(key)->key));
    }
    meta.dim_order.clear();
    const ValueId value = graph_.bind(text_of(source.name()), std::move(meta), place);
    method_.constants.push_back({.value = value,
                                 .constant = store_.share(key),
                                 .kind = static_cast<InputKind>(source.kind()),
                                 .mutated = source.mutated()});
  }

  void bind_buffer(const fbs::MutableBufferSpec& source) {
    const std::string_view fqn = text_of(source.fqn());
    const Place place(place_, "buffer", text_of(source.name()));
    check_name(fqn, "fqn", place);
    if (!fqns_.insert(fqn).second) place.fail("is the second with fqn " + in_quotes(fqn));
    const ValueId value = graph_.bind(text_of(source.name()), {}, place);
    const TensorMeta& meta = *graph_.graph().value(value).meta;
    if (!meta.is_static())
      Place(place, "field", "sizes").fail("are dynamic; expected the fixed sizes of a buffer");
    if (!std::holds_alternative<std::monostate>(meta.quant)) place.fail("is quantised; expected plain state");
    method_.buffers.push_back({.value = value, .fqn = std::string(fqn)});
  }

  // The package lists specs of tensors only; a Method has one for every result.
  void read_output_specs() {
    const std::size_t count = source_.output_specs() == nullptr ? 0 : source_.output_specs()->size();
    std::size_t next = 0;
    for (const GraphOutput& output : method_.graph.outputs) {
      const auto* id = std::get_if<ValueId>(&output);
      if (id == nullptr || method_.graph.value(*id).kind != ValueKind::kTensor) {
        method_.output_specs.emplace_back();
        continue;
      }
      if (next == count) fail_count(count, next + 1);
      const auto index = static_cast<flatbuffers::uoffset_t>(next);
      method_.output_specs.push_back(read_output_spec(*source_.output_specs()->Get(index), *id, next));
      ++next;
    }
    if (next != count) fail_count(count, next);
  }

  [[noreturn]] void fail_count(std::size_t count, std::size_t expected) const {
    Place(place_, "field", "output_specs")
        .fail("has " + std::to_string(count) + " entries; expected " + std::to_string(expected) +
              (count < expected ? " or more" : "") + ", one a tensor among the results");
  }

  OutputSpec read_output_spec(const fbs::OutputSpec& source, ValueId value, std::size_t index) {
    const Place place(place_, "output spec", index);
    if (graph_.find(text_of(source.name())) != value) {
      Place(place, "field", "name")
          .fail("is " + in_quotes(text_of(source.name())) + "; expected " +
                in_quotes(method_.graph.value(value).name) + ", the result at that place");
    }
    if (source.kind() == fbs::OutputKind::USER_OUTPUT) return {};
    const OutputSpec spec{.kind = static_cast<OutputKind>(source.kind()),
                          .target = std::string(text_of(source.target()))};
    // A value that is written back and returned too comes with the write-back twice: the second is the
    // result.
    if (!writes_.emplace(value, spec.kind, spec.target).second) return {};
    if (!targets_.emplace(spec.kind, spec.target).second) {
      Place(place, "field", "target")
          .fail("is " + in_quotes(spec.target) + ", which an earlier output writes too");
    }
    check_target(spec, method_.graph.value(value), place);
    return spec;
  }

  void check_target(const OutputSpec& spec, const Value& value, const Place& place) const {
    const Place field(place, "field", "target");
    const bool is_buffer = spec.kind == OutputKind::kBufferMutation;
    const ValueId target = is_buffer ? buffer_of(spec.target) : input_of(spec.target);
    if (target == kNoValue) {
      field.fail("is " + in_quotes(spec.target) + "; expected " +
                 (is_buffer ? "the fqn of a buffer of the method" : "an input of the method"));
    }
    const TensorMeta& meta = *method_.graph.value(target).meta;
    if (value.meta->dtype != meta.dtype || value.meta->sizes.size() != meta.sizes.size()) {
      field.fail("is " + in_quotes(spec.target) + ", which differs in dtype or rank from the value " +
                 in_quotes(value.name) + " that it receives");
    }
  }

  ValueId buffer_of(std::string_view fqn) const {
    for (const BufferBinding& binding : method_.buffers) {
      if (binding.fqn == fqn) return binding.value;
    }
    for (const ConstantBinding& binding : method_.constants) {
      if (binding.constant->key == fqn) return binding.value;
    }
    return kNoValue;
  }

  ValueId input_of(std::string_view name) const {
    const auto& inputs = method_.graph.inputs;
    const auto it = std::find_if(inputs.begin(), inputs.end(),
                                 [&](ValueId id) { return method_.graph.value(id).name == name; });
    return it == inputs.end() ? kNoValue : *it;
  }

  const fbs::Method& source_;
  ConstantStore& store_;
  const Place& place_;
  GraphReader graph_;
  Method method_;
  std::unordered_set<std::string_view> fqns_;
  std::set<std::tuple<ValueId, OutputKind, std::string>> writes_;
  std::set<std::pair<OutputKind, std::string>> targets_;
};

}  // namespace

Method read_method(const fbs::Method& source, ConstantStore& store, const Place& program) {
  const Place place(program, "method", text_of(source.name()));
  return MethodReader(source, store, place).read();
}

}  // namespace plumb
