// Element types of tensors, with the ids that `.ptn` packages use (PyTorch's ScalarType ids).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace plumb {

enum class DType : std::int8_t {
  kUInt8 = 0,
  kInt8 = 1,
  kInt16 = 2,
  kInt32 = 3,
  kInt64 = 4,
  kFloat16 = 5,
  kFloat32 = 6,
  kFloat64 = 7,
  kBool = 11,
  kBFloat16 = 15,
  kUInt16 = 16,
  kUInt32 = 17,
  kUInt64 = 18,
};

// The dtype with this id, or nothing when the id is not one of the above.
std::optional<DType> dtype_from_id(int id) noexcept;
// PyTorch's name: "float32", "int64", "bool", …
std::string_view dtype_name(DType dtype) noexcept;
// Bytes of one element.
std::size_t dtype_size(DType dtype) noexcept;
bool is_floating_point(DType dtype) noexcept;
bool is_integral(DType dtype) noexcept;  // bool is not integral

}  // namespace plumb
