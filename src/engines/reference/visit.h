// Visiting groups of dtypes: floating-point ones, numbers, and any by the size of its elements. `accepts`
// functions refuse the others by name before anything runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "engines/engine.h"
#include "engines/reference/element.h"

namespace plumb::reference {

// What sums and products of T are made in: double, or integers modulo 2^64, which any integer dtype then
// cuts.
template <typename T>
using Accumulator = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;

// What values of T are compared in: exact for every T.
template <typename T>
using Comparable =
    std::conditional_t<!std::is_integral_v<T>, double,
                       std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, std::int64_t>>;

inline Verdict expect_floating(const Call& call, std::string_view argument) {
  const DType dtype = call.tensor(argument).dtype();
  if (is_floating_point(dtype)) return Verdict::yes();
  return Verdict::no("argument '" + std::string(argument) + "' is " + std::string(dtype_name(dtype)) +
                     ", not a floating-point tensor");
}

inline Verdict expect_number(const Call& call, std::string_view argument) {
  if (call.tensor(argument).dtype() != DType::kBool) return Verdict::yes();
  return Verdict::no("argument '" + std::string(argument) + "' is bool, not a tensor of numbers");
}

template <typename Body>
void visit_floating(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::kFloat16:
      return body.template operator()<Half>();
    case DType::kBFloat16:
      return body.template operator()<BFloat16>();
    case DType::kFloat32:
      return body.template operator()<float>();
    case DType::kFloat64:
      return body.template operator()<double>();
    default:
      throw Error(ErrorKind::kUnsupported, std::string(dtype_name(dtype)) + " is not a floating-point dtype");
  }
}

// Every dtype but bool.
template <typename Body>
void visit_number(DType dtype, Body&& body) {
  visit_dtype(dtype, [&]<typename T>() {
    if constexpr (std::is_same_v<T, Bool>) {
      throw Error(ErrorKind::kUnsupported, "bool is not a dtype of numbers");
    } else {
      body.template operator()<T>();
    }
  });
}

// An unsigned integer that stands for any element of this size, to move it without looking into it.
template <typename Body>
void visit_size(DType dtype, Body&& body) {
  switch (dtype_size(dtype)) {
    case 1:
      return body.template operator()<std::uint8_t>();
    case 2:
      return body.template operator()<std::uint16_t>();
    case 4:
      return body.template operator()<std::uint32_t>();
    default:
      return body.template operator()<std::uint64_t>();
  }
}

}  // namespace plumb::reference
