// Runs of conversions between float and 16-bit formats: dense runs in place, others through one vector's
// worth of buffer, so that every element takes the same instructions.
#include "engines/cpu/convert_kernels.h"
#include "engines/cpu/isa/half_vectors.h"

namespace plumb::cpu::PLUMB_ISA {
namespace {

template <typename T>
PLUMB_INLINE void gather(T* buffer, const std::byte* in, std::int64_t step, int count) {
  for (int i = 0; i < count; ++i) __builtin_memcpy(buffer + i, in + i * step, sizeof(T));
}
template <typename T>
PLUMB_INLINE void scatter(std::byte* out, std::int64_t step, const T* buffer, int count) {
  for (int i = 0; i < count; ++i) __builtin_memcpy(out + i * step, buffer + i, sizeof(T));
}

// convert(vector of inputs) -> vector of outputs, both kWidth elements.
template <typename Out, typename In, typename OutVector, typename InVector, typename Convert>
PLUMB_INLINE void convert_run(std::byte* out, std::int64_t out_step, const std::byte* in,
                              std::int64_t in_step, std::int64_t count, const Convert& convert) {
  const bool dense_in = in_step == static_cast<std::int64_t>(sizeof(In));
  const bool dense_out = out_step == static_cast<std::int64_t>(sizeof(Out));
  for (std::int64_t i = 0; i < count; i += kWidth) {
    const int lanes = static_cast<int>(count - i < kWidth ? count - i : kWidth);
    InVector x{};
    if (dense_in && lanes == kWidth) {
      __builtin_memcpy(&x, in + i * in_step, sizeof x);
    } else {
      In buffer[kWidth] = {};
      gather(buffer, in + i * in_step, in_step, lanes);
      __builtin_memcpy(&x, buffer, sizeof x);
    }
    const OutVector y = convert(x);
    if (dense_out && lanes == kWidth) {
      __builtin_memcpy(out + i * out_step, &y, sizeof y);
    } else {
      Out buffer[kWidth];
      __builtin_memcpy(buffer, &y, sizeof y);
      scatter(out + i * out_step, out_step, buffer, lanes);
    }
  }
}

using U16Item = std::uint16_t;

[[gnu::flatten]] void half_to_float(std::byte* out, std::int64_t out_step, const std::byte* in,
                                    std::int64_t in_step, std::int64_t count) {
  convert_run<float, U16Item, F32, U16>(out, out_step, in, in_step, count,
                                        [](U16 x) { return from_half(x); });
}
[[gnu::flatten]] void float_to_half(std::byte* out, std::int64_t out_step, const std::byte* in,
                                    std::int64_t in_step, std::int64_t count) {
  convert_run<U16Item, float, U16, F32>(out, out_step, in, in_step, count, [](F32 x) { return to_half(x); });
}
[[gnu::flatten]] void bfloat16_to_float(std::byte* out, std::int64_t out_step, const std::byte* in,
                                        std::int64_t in_step, std::int64_t count) {
  convert_run<float, U16Item, F32, U16>(out, out_step, in, in_step, count,
                                        [](U16 x) { return from_bfloat16(x); });
}
[[gnu::flatten]] void float_to_bfloat16(std::byte* out, std::int64_t out_step, const std::byte* in,
                                        std::int64_t in_step, std::int64_t count) {
  convert_run<U16Item, float, U16, F32>(out, out_step, in, in_step, count,
                                        [](F32 x) { return to_bfloat16(x); });
}

}  // namespace

extern const ConvertKernels convert_kernels;
const ConvertKernels convert_kernels{
    .half_to_float = half_to_float,
    .float_to_half = float_to_half,
    .bfloat16_to_float = bfloat16_to_float,
    .float_to_bfloat16 = float_to_bfloat16,
};

}  // namespace plumb::cpu::PLUMB_ISA
