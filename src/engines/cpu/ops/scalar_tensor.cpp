// Conversion keeps 64-bit integers exact.
#include "engines/cpu/ops/scalar_tensor.h"

#include <string>
#include <variant>

#include "engines/cpu/ops/convert_elements.h"

namespace plumb::cpu {
namespace {

template <typename T>
void convert(std::byte* out, T value, DType from, DType to) {
  find_conversion(from, to)(out, 8, reinterpret_cast<const std::byte*>(&value), sizeof value, 1);
}

}  // namespace

ScalarTensor::ScalarTensor(const Call& call, std::string_view name, DType dtype,
                           std::optional<double> fallback) {
  const CallArgument* argument = call.find(name);
  if (const auto* tensor = argument == nullptr ? nullptr : std::get_if<const Tensor*>(argument)) {
    tensor_ = **tensor;
    return;
  }
  tensor_ = Tensor(bytes_.data(), dtype, {});
  if (const auto* integer = argument == nullptr ? nullptr : std::get_if<std::int64_t>(argument)) {
    convert(bytes_.data(), *integer, DType::kInt64, dtype);
  } else {
    convert(bytes_.data(), call.number(name, fallback), DType::kFloat64, dtype);
  }
}

ScalarTensor::ScalarTensor(double value, DType dtype) : tensor_(bytes_.data(), dtype, {}) {
  convert(bytes_.data(), value, DType::kFloat64, dtype);
}

Verdict accept_scalar(DType dtype) {
  if (find_conversion(DType::kFloat64, dtype) != nullptr) return Verdict::yes();
  return Verdict::no("no conversion of a number to " + std::string(dtype_name(dtype)));
}

}  // namespace plumb::cpu
