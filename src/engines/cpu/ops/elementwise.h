// Running a vectorised elementwise function over strided, broadcast operands of any dtype that converts to
// float. Not here: which operator maps to which function (unary.cpp, binary.cpp).
#pragma once

#include <array>
#include <span>

#include "engines/cpu/elementwise_table.h"
#include "engines/engine.h"

namespace plumb::cpu {

using ElementParams = std::array<float, 4>;

void run_elementwise(const Call& call, ElementOp op, const Tensor& out, std::span<const Tensor* const> inputs,
                     const ElementParams& params);

// float32, float16, bfloat16: computed in float, rounded at the end.
bool computes_in_float(DType dtype);
// A dtype whose values elementwise functions can read: all but float64 and the wide unsigned ones.
bool converts_to_float(DType dtype);

// A tensor argument, or a number in its place as a 0-d float tensor. Not copyable: the tensor may point
// inside.
class FloatOperand {
 public:
  FloatOperand(const Call& call, std::string_view name);
  explicit FloatOperand(double value);
  FloatOperand(const FloatOperand&) = delete;
  FloatOperand& operator=(const FloatOperand&) = delete;
  const Tensor& tensor() const { return tensor_; }

 private:
  float value_ = 0;
  Tensor tensor_;
};

// The argument as a tensor, or null when a number stands in its place.
const Tensor* tensor_or_number(const Call& call, std::string_view name);

}  // namespace plumb::cpu
