// Elementwise loops: operands are broadcast to the output's shape, converted to a common dtype, computed in
// the widest type of that dtype's kind and rounded once into the output.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "engines/arguments.h"
#include "engines/engine.h"
#include "engines/reference/element.h"
#include "engines/reference/strided.h"

namespace plumb::reference {

// A tensor, or a number that stands for a tensor filled with it.
struct Operand {
  const Tensor* tensor = nullptr;
  std::variant<std::int64_t, double, bool> number = std::int64_t{0};
};

inline Operand operand(const Tensor& tensor) {
  return {.tensor = &tensor};
}

inline Operand operand(const Call& call, std::string_view name) {
  const CallArgument* argument = call.find(name);
  if (argument != nullptr) {
    if (const auto* v = std::get_if<std::int64_t>(argument)) return {.number = *v};
    if (const auto* v = std::get_if<double>(argument)) return {.number = *v};
    if (const auto* v = std::get_if<bool>(argument)) return {.number = *v};
  }
  return operand(call.tensor(name));
}

// Calls body.template operator()<C>() with the type in which elements of `dtype` are computed.
template <typename Body>
decltype(auto) visit_compute_type(DType dtype, Body&& body) {
  if (is_floating_point(dtype)) return body.template operator()<double>();
  if (dtype == DType::kUInt64) return body.template operator()<std::uint64_t>();
  return body.template operator()<std::int64_t>();
}

// What is left of `value` after a trip through `dtype`.
template <typename C>
C rounded_to(DType dtype, C value) {
  return visit_dtype(dtype, [&]<typename T>() { return convert<C>(convert<T>(value)); });
}

// One source element in the dtype `common`, held in C. Truth is asked of the source itself: C may cut 0.5 to
// 0.
template <typename C, typename T>
C converted(T value, DType common) {
  return common == DType::kBool ? convert<C>(convert<Bool>(value)) : convert<C>(value);
}

template <typename C>
C number_as(const Operand& operand, DType dtype) {
  return std::visit([&](auto number) { return rounded_to(dtype, converted<C>(number, dtype)); },
                    operand.number);
}

// Elements are handled in pieces of this many, so that dtypes are looked up once a piece.
inline constexpr std::int64_t kPiece = 512;

template <typename C>
using Piece = std::array<C, kPiece>;

template <typename C>
void load_piece(const Operand& operand, std::int64_t offset, std::int64_t step, std::int64_t count,
                DType common, Piece<C>& piece) {
  const auto n = static_cast<std::size_t>(count);
  if (operand.tensor == nullptr) {
    std::fill_n(piece.begin(), n, number_as<C>(operand, common));
    return;
  }
  visit_dtype(operand.tensor->dtype(), [&]<typename T>() {
    const T* source = operand.tensor->data<T>() + offset;
    for (std::size_t i = 0; i < n; ++i)
      piece[i] = converted<C>(source[static_cast<std::int64_t>(i) * step], common);
  });
  if (operand.tensor->dtype() == common) return;
  visit_dtype(common, [&]<typename T>() {
    for (std::size_t i = 0; i < n; ++i) piece[i] = convert<C>(convert<T>(piece[i]));
  });
}

template <typename C>
void store_piece(const Piece<C>& piece, const Tensor& out, std::int64_t offset, std::int64_t step,
                 std::int64_t count) {
  visit_dtype(out.dtype(), [&]<typename T>() {
    T* target = out.data<T>() + offset;
    for (std::int64_t i = 0; i < count; ++i)
      target[i * step] = convert<T>(piece[static_cast<std::size_t>(i)]);
  });
}

// out[i] = op(a[i], b[i], …) with operands of dtype `common` held in C; op returns C or bool.
template <typename C, std::size_t N, typename Op>
void map_as(const Tensor& out, DType common, const std::array<Operand, N>& operands, const Op& op) {
  std::array<SpaceStrides, N + 1> strides{};
  for (std::size_t k = 0; k < N; ++k) {
    if (operands[k].tensor != nullptr) strides[k] = broadcast_strides(*operands[k].tensor, out.sizes());
  }
  strides[N] = broadcast_strides(out, out.sizes());

  std::array<Piece<C>, N> pieces;
  Piece<C> results;
  for_each_row(out.sizes(), strides, [&](const auto& offsets, std::int64_t length, const auto& steps) {
    for (std::int64_t start = 0; start < length; start += kPiece) {
      const std::int64_t count = std::min(kPiece, length - start);
      for (std::size_t k = 0; k < N; ++k) {
        load_piece(operands[k], offsets[k] + start * steps[k], steps[k], count, common, pieces[k]);
      }
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
          results[i] = static_cast<C>(op(pieces[K][i]...));
        }
      }
      (std::make_index_sequence<N>{});
      store_piece(results, out, offsets[N] + start * steps[N], steps[N], count);
    }
  });
}

// The same for any dtype: op is generic over double, std::int64_t and std::uint64_t.
template <std::size_t N, typename Op>
void map(const Tensor& out, DType common, const std::array<Operand, N>& operands, const Op& op) {
  visit_compute_type(common, [&]<typename C>() { map_as<C>(out, common, operands, op); });
}

// Integer arithmetic that wraps, as PyTorch's does; plain arithmetic for double.
template <typename C>
C wrapping_add(C a, C b) {
  if constexpr (std::is_integral_v<C>) {
    return static_cast<C>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  } else {
    return a + b;
  }
}

template <typename C>
C wrapping_subtract(C a, C b) {
  if constexpr (std::is_integral_v<C>) {
    return static_cast<C>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  } else {
    return a - b;
  }
}

template <typename C>
C wrapping_multiply(C a, C b) {
  if constexpr (std::is_integral_v<C>) {
    return static_cast<C>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  } else {
    return a * b;
  }
}

template <typename C>
C wrapping_negate(C a) {
  return std::is_integral_v<C> ? wrapping_subtract(C{0}, a) : -a;
}

template <typename C>
bool is_nan(C value) {
  return value != value;
}

}  // namespace plumb::reference
