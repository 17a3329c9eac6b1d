// A number as a 0-d tensor of any dtype, for operators that take a scalar where others take a tensor.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "engines/engine.h"

namespace plumb::cpu {

// The tensor argument `name`, or its number (`fallback` when it is absent) converted to `dtype`. Not
// copyable: the tensor may point inside.
class ScalarTensor {
 public:
  ScalarTensor(const Call& call, std::string_view name, DType dtype, std::optional<double> fallback = {});
  ScalarTensor(double value, DType dtype);
  ScalarTensor(const ScalarTensor&) = delete;
  ScalarTensor& operator=(const ScalarTensor&) = delete;
  const Tensor& tensor() const { return tensor_; }

 private:
  alignas(8) std::array<std::byte, 8> bytes_{};
  Tensor tensor_;
};

// Why `dtype` cannot be made from a number, or yes.
Verdict accept_scalar(DType dtype);

}  // namespace plumb::cpu
