// Typed access to the arguments of a call.
#include <algorithm>

#include "engines/engine.h"
#include "plumb/error.h"

namespace plumb {
namespace {

[[noreturn]] void wrong(const Call& call, std::string_view name, const char* expected) {
  throw Error(ErrorKind::kUnsupported, std::string(call.op) + " at '" + std::string(call.node) +
                                           "': argument '" + std::string(name) + "' is missing or is not " +
                                           expected);
}

const NamedCallArgument* find_row(const Call& call, std::string_view name) {
  const auto it = std::find_if(call.arguments.begin(), call.arguments.end(),
                               [&](const NamedCallArgument& a) { return a.name == name; });
  return it == call.arguments.end() ? nullptr : &*it;
}

// The argument, or null when it is absent or None.
const CallArgument* given(const Call& call, std::string_view name) {
  const CallArgument* value = call.find(name);
  return value == nullptr || std::holds_alternative<std::monostate>(*value) ? nullptr : value;
}

}  // namespace

const CallArgument* Call::find(std::string_view name) const {
  const NamedCallArgument* row = find_row(*this, name);
  return row == nullptr ? nullptr : &row->value;
}

bool Call::has(std::string_view name) const {
  return given(*this, name) != nullptr;
}

bool Call::is_constant(std::string_view name) const {
  const NamedCallArgument* row = find_row(*this, name);
  return row != nullptr && row->is_constant;
}

const Tensor& Call::tensor(std::string_view name) const {
  const Tensor* tensor = optional_tensor(name);
  if (tensor == nullptr) wrong(*this, name, "a tensor");
  return *tensor;
}

const Tensor* Call::optional_tensor(std::string_view name) const {
  const CallArgument* value = given(*this, name);
  if (value == nullptr) return nullptr;
  const Tensor* const* tensor = std::get_if<const Tensor*>(value);
  if (tensor == nullptr) wrong(*this, name, "a tensor");
  return *tensor;
}

std::span<const Tensor* const> Call::tensors(std::string_view name) const {
  const CallArgument* value = find(name);
  const auto* list = value == nullptr ? nullptr : std::get_if<std::vector<const Tensor*>>(value);
  if (list == nullptr) wrong(*this, name, "a list of tensors");
  return *list;
}

std::int64_t Call::integer(std::string_view name, std::optional<std::int64_t> fallback) const {
  const CallArgument* value = given(*this, name);
  if (value == nullptr && fallback) return *fallback;
  if (value != nullptr) {
    if (const auto* v = std::get_if<std::int64_t>(value)) return *v;
    if (const auto* v = std::get_if<bool>(value)) return *v ? 1 : 0;
  }
  wrong(*this, name, "an int");
}

double Call::number(std::string_view name, std::optional<double> fallback) const {
  const CallArgument* value = given(*this, name);
  if (value == nullptr && fallback) return *fallback;
  if (value != nullptr) {
    if (const auto* v = std::get_if<double>(value)) return *v;
    if (const auto* v = std::get_if<std::int64_t>(value)) return static_cast<double>(*v);
    if (const auto* v = std::get_if<bool>(value)) return *v ? 1.0 : 0.0;
  }
  wrong(*this, name, "a number");
}

bool Call::boolean(std::string_view name, std::optional<bool> fallback) const {
  const CallArgument* value = given(*this, name);
  if (value == nullptr && fallback) return *fallback;
  if (value != nullptr) {
    if (const auto* v = std::get_if<bool>(value)) return *v;
    if (const auto* v = std::get_if<std::int64_t>(value)) return *v != 0;
  }
  wrong(*this, name, "a bool");
}

std::string Call::text(std::string_view name, std::optional<std::string> fallback) const {
  const CallArgument* value = given(*this, name);
  if (value == nullptr && fallback) return *fallback;
  const auto* v = value == nullptr ? nullptr : std::get_if<std::string>(value);
  if (v == nullptr) wrong(*this, name, "a string");
  return *v;
}

std::optional<DType> Call::dtype(std::string_view name) const {
  const CallArgument* value = given(*this, name);
  if (value == nullptr) return std::nullopt;
  if (const auto* v = std::get_if<DType>(value)) return *v;
  if (const auto* v = std::get_if<std::int64_t>(value)) {
    if (const auto dtype = dtype_from_id(static_cast<int>(std::clamp<std::int64_t>(*v, -1, 127))))
      return dtype;
  }
  wrong(*this, name, "a dtype that plumb knows");
}

std::vector<std::int64_t> Call::ints(std::string_view name) const {
  const CallArgument* value = given(*this, name);
  if (value == nullptr) return {};
  if (const auto* v = std::get_if<std::vector<std::int64_t>>(value)) return *v;
  if (const auto* v = std::get_if<std::int64_t>(value)) return {*v};
  wrong(*this, name, "a list of ints");
}

std::vector<double> Call::numbers(std::string_view name) const {
  const CallArgument* value = given(*this, name);
  if (value == nullptr) return {};
  if (const auto* v = std::get_if<std::vector<double>>(value)) return *v;
  if (const auto* v = std::get_if<std::vector<std::int64_t>>(value)) return {v->begin(), v->end()};
  wrong(*this, name, "a list of numbers");
}

std::vector<bool> Call::booleans(std::string_view name) const {
  const CallArgument* value = given(*this, name);
  if (value == nullptr) return {};
  if (const auto* v = std::get_if<std::vector<bool>>(value)) return *v;
  wrong(*this, name, "a list of bools");
}

void Call::fail(const std::string& message) const {
  throw Error(ErrorKind::kExecution, std::string(op) + " at '" + std::string(node) + "': " + message);
}

}  // namespace plumb
