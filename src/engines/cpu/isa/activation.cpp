// One loop for every activation.
#include "activation.h"

#include "engines/cpu/simd_math.h"

namespace plumb::cpu::PLUMB_ISA {
namespace {

template <typename Function>
PLUMB_INLINE void apply(float* data, std::int64_t stride, std::int64_t rows, std::int64_t columns,
                        Function function) {
  for (std::int64_t m = 0; m < rows; ++m) {
    float* row = data + m * stride;
    std::int64_t n = 0;
    for (; n + kWidth <= columns; n += kWidth) store(row + n, function(load(row + n)));
    const int rest = static_cast<int>(columns - n);
    if (rest > 0) store_first(row + n, function(load_first(row + n, rest)), rest);
  }
}

}  // namespace

void activate(const Epilogue& e, float* data, std::int64_t stride, std::int64_t rows, std::int64_t columns) {
  switch (e.activation) {
    case Activation::kNone:
      return;
    case Activation::kRelu:
    case Activation::kClamp: {
      const Bounds bounds = clamp_bounds(e);
      const F32 low = set1(bounds.low);
      const F32 high = set1(bounds.high);
      return apply(data, stride, rows, columns, [=](F32 x) { return clamp(x, low, high); });
    }
    case Activation::kSilu:
      return apply(data, stride, rows, columns, [](F32 x) { return silu(x); });
    case Activation::kGelu:
      return apply(data, stride, rows, columns, [](F32 x) { return gelu(x); });
    case Activation::kGeluTanh:
      return apply(data, stride, rows, columns, [](F32 x) { return gelu_tanh(x); });
    case Activation::kSigmoid:
      return apply(data, stride, rows, columns, [](F32 x) { return sigmoid(x); });
    case Activation::kHardswish:
      return apply(data, stride, rows, columns, [](F32 x) { return hardswish(x); });
    case Activation::kTanh:
      return apply(data, stride, rows, columns, [](F32 x) { return tanh(x); });
  }
}

}  // namespace plumb::cpu::PLUMB_ISA
