// One template over all pairs of dtypes; the compiler vectorises the pairs that matter.
#include "engines/cpu/ops/convert_elements.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "engines/cpu/isa.h"
#include "engines/cpu/ops/half.h"

namespace plumb::cpu {
namespace {

// Storage type of bool: any non-zero byte is true, and one is written.
struct Bool {
  std::uint8_t byte;
};

template <typename T>
auto widen(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return to_float(value);
  } else if constexpr (std::is_same_v<T, Bool>) {
    return static_cast<std::int32_t>(value.byte != 0);
  } else {
    return value;
  }
}

template <typename Integer, typename Float>
Integer truncate(Float value) {
  constexpr auto kLimit = static_cast<Float>(sizeof(Integer) == 8 ? 0x1p63 : 0x1p31);
  if (value >= -kLimit && value < kLimit) return static_cast<Integer>(value);
  return std::numeric_limits<Integer>::min();
}

template <typename To, typename From>
To convert(From from) {
  const auto value = widen(from);
  using Wide = std::remove_const_t<decltype(value)>;
  if constexpr (std::is_same_v<To, Bool>) {
    return Bool{static_cast<std::uint8_t>(value != Wide{0})};
  } else if constexpr (std::is_same_v<To, Half>) {
    return to_half(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, BFloat16>) {
    return to_bfloat16(static_cast<float>(value));
  } else if constexpr (std::is_floating_point_v<Wide> && std::is_integral_v<To>) {
    using Through = std::conditional_t<std::is_same_v<To, std::int64_t> || std::is_unsigned_v<To>,
                                       std::int64_t, std::int32_t>;
    return static_cast<To>(truncate<Through>(value));
  } else {
    return static_cast<To>(value);
  }
}

template <typename To, typename From>
void convert_run(std::byte* out, std::int64_t out_step, const std::byte* in, std::int64_t in_step,
                 std::int64_t count) {
  if (out_step == static_cast<std::int64_t>(sizeof(To)) &&
      in_step == static_cast<std::int64_t>(sizeof(From))) {
    auto* typed_out = reinterpret_cast<To*>(out);
    const auto* typed_in = reinterpret_cast<const From*>(in);
    for (std::int64_t i = 0; i < count; ++i) typed_out[i] = convert<To>(typed_in[i]);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    *reinterpret_cast<To*>(out + i * out_step) =
        convert<To>(*reinterpret_cast<const From*>(in + i * in_step));
  }
}

template <typename From>
ConvertRun find_from(DType to) {
  switch (to) {
    case DType::kBool:
      return convert_run<Bool, From>;
    case DType::kUInt8:
      return convert_run<std::uint8_t, From>;
    case DType::kInt8:
      return convert_run<std::int8_t, From>;
    case DType::kInt16:
      return convert_run<std::int16_t, From>;
    case DType::kInt32:
      return convert_run<std::int32_t, From>;
    case DType::kInt64:
      return convert_run<std::int64_t, From>;
    case DType::kFloat16:
      return convert_run<Half, From>;
    case DType::kBFloat16:
      return convert_run<BFloat16, From>;
    case DType::kFloat32:
      return convert_run<float, From>;
    case DType::kFloat64:
      return convert_run<double, From>;
    default:
      return nullptr;
  }
}

}  // namespace

ConvertRun find_conversion(DType from, DType to) {
  switch (from) {
    case DType::kBool:
      return find_from<Bool>(to);
    case DType::kUInt8:
      return find_from<std::uint8_t>(to);
    case DType::kInt8:
      return find_from<std::int8_t>(to);
    case DType::kInt16:
      return find_from<std::int16_t>(to);
    case DType::kInt32:
      return find_from<std::int32_t>(to);
    case DType::kInt64:
      return find_from<std::int64_t>(to);
    case DType::kFloat16:
      return find_from<Half>(to);
    case DType::kBFloat16:
      return find_from<BFloat16>(to);
    case DType::kFloat32:
      return find_from<float>(to);
    case DType::kFloat64:
      return find_from<double>(to);
    default:
      return nullptr;
  }
}

ConvertRun find_conversion(const Call& call, DType from, DType to) {
  const ConvertKernels& kernels = *isa_kernels(call).convert;
  if (from == DType::kFloat16 && to == DType::kFloat32) return kernels.half_to_float;
  if (from == DType::kFloat32 && to == DType::kFloat16) return kernels.float_to_half;
  if (from == DType::kBFloat16 && to == DType::kFloat32) return kernels.bfloat16_to_float;
  if (from == DType::kFloat32 && to == DType::kBFloat16) return kernels.float_to_bfloat16;
  return find_conversion(from, to);
}

}  // namespace plumb::cpu
