// One element at a time: the C++ type of each dtype, and conversions between all of them. Kernels compute in
// double, std::int64_t or std::uint64_t and convert when they load and store.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/half.h"
#include "plumb/dtype.h"
#include "plumb/error.h"
#include "plumb/tensor.h"

namespace plumb::reference {

// A stored bool. Not C++'s own type, for which bytes other than 0 and 1 are undefined.
struct Bool {
  std::uint8_t bits;
};

// Calls body.template operator()<T>() with the element type of `dtype`.
template <typename Body>
decltype(auto) visit_dtype(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::kUInt8:
      return body.template operator()<std::uint8_t>();
    case DType::kInt8:
      return body.template operator()<std::int8_t>();
    case DType::kInt16:
      return body.template operator()<std::int16_t>();
    case DType::kInt32:
      return body.template operator()<std::int32_t>();
    case DType::kInt64:
      return body.template operator()<std::int64_t>();
    case DType::kFloat16:
      return body.template operator()<Half>();
    case DType::kFloat32:
      return body.template operator()<float>();
    case DType::kFloat64:
      return body.template operator()<double>();
    case DType::kBool:
      return body.template operator()<Bool>();
    case DType::kBFloat16:
      return body.template operator()<BFloat16>();
    case DType::kUInt16:
      return body.template operator()<std::uint16_t>();
    case DType::kUInt32:
      return body.template operator()<std::uint32_t>();
    case DType::kUInt64:
      return body.template operator()<std::uint64_t>();
  }
  throw Error(ErrorKind::kUnsupported, "a tensor has a dtype of unknown id");
}

// Any element or compute type to any other, with one rounding at most. Integers wrap; a double outside the
// range of int64 (or NaN) becomes its smallest value, as x86 does, before it is cut to a narrower integer.
template <typename To, typename From>
inline To convert(From value) {
  if constexpr (std::same_as<To, From>) {
    return value;
  } else if constexpr (std::same_as<From, Half> || std::same_as<From, BFloat16>) {
    return convert<To>(to_float(value));
  } else if constexpr (std::same_as<From, Bool>) {
    return convert<To>(value.bits != 0);
  } else if constexpr (std::same_as<To, Bool>) {
    return Bool{static_cast<std::uint8_t>(value != From{} ? 1 : 0)};
  } else if constexpr (std::same_as<To, bool>) {
    return value != From{};
  } else if constexpr (std::same_as<To, Half>) {
    return half_from_double(static_cast<double>(value));
  } else if constexpr (std::same_as<To, BFloat16>) {
    return bfloat16_from_double(static_cast<double>(value));
  } else if constexpr (std::floating_point<From> && std::integral<To>) {
    const double wide = value;
    if constexpr (std::same_as<To, std::uint64_t>) {
      if (wide >= 0x1p63 && wide < 0x1p64) return static_cast<std::uint64_t>(wide);
    }
    const bool fits = wide >= -0x1p63 && wide < 0x1p63;
    return static_cast<To>(fits ? static_cast<std::int64_t>(wide) : std::numeric_limits<std::int64_t>::min());
  } else {
    return static_cast<To>(value);
  }
}

// The element at `offset` (in elements). For loops over many elements visit the dtype outside instead.
template <typename To>
inline To read(const Tensor& tensor, std::int64_t offset) {
  return visit_dtype(tensor.dtype(), [&]<typename T>() { return convert<To>(tensor.data<T>()[offset]); });
}

template <typename From>
inline void write(const Tensor& tensor, std::int64_t offset, From value) {
  visit_dtype(tensor.dtype(), [&]<typename T>() { tensor.data<T>()[offset] = convert<T>(value); });
}

}  // namespace plumb::reference
