// Positions that come out of index tensors.
#pragma once

#include <cstdint>
#include <string>

#include "engines/engine.h"
#include "engines/reference/element.h"

namespace plumb::reference {

// The index at `offset`, counted from the front. Fails the call when it is outside of a dimension of `size`.
inline std::int64_t checked_index(const Call& call, const Tensor& index, std::int64_t offset,
                                  std::int64_t size, bool allow_negative) {
  const std::int64_t value = read<std::int64_t>(index, offset);
  if (value >= size || value < (allow_negative ? -size : 0)) {
    call.fail("index " + std::to_string(value) + " is out of range for a dimension of " +
              std::to_string(size));
  }
  return value < 0 ? value + size : value;
}

// How a value that is written meets the one that is there.
enum class Combine { kReplace, kAdd };

template <typename T>
void combine_into(T& target, T value, Combine how) {
  if (how == Combine::kReplace) {
    target = value;
  } else if constexpr (std::is_integral_v<T> || std::is_same_v<T, Bool>) {
    target = convert<T>(convert<std::uint64_t>(target) + convert<std::uint64_t>(value));
  } else {
    target = convert<T>(convert<double>(target) + convert<double>(value));
  }
}

}  // namespace plumb::reference
