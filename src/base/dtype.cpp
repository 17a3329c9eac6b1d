// Names, sizes and classes of the element types.
#include "plumb/dtype.h"

#include <array>

namespace plumb {
namespace {

struct Row {
  DType dtype;
  std::string_view name;
  std::size_t size;
  enum class Class { kInteger, kFloat, kBool } kind;
};

constexpr std::array<Row, 13> kRows{{
    {DType::kUInt8, "uint8", 1, Row::Class::kInteger},
    {DType::kInt8, "int8", 1, Row::Class::kInteger},
    {DType::kInt16, "int16", 2, Row::Class::kInteger},
    {DType::kInt32, "int32", 4, Row::Class::kInteger},
    {DType::kInt64, "int64", 8, Row::Class::kInteger},
    {DType::kFloat16, "float16", 2, Row::Class::kFloat},
    {DType::kFloat32, "float32", 4, Row::Class::kFloat},
    {DType::kFloat64, "float64", 8, Row::Class::kFloat},
    {DType::kBool, "bool", 1, Row::Class::kBool},
    {DType::kBFloat16, "bfloat16", 2, Row::Class::kFloat},
    {DType::kUInt16, "uint16", 2, Row::Class::kInteger},
    {DType::kUInt32, "uint32", 4, Row::Class::kInteger},
    {DType::kUInt64, "uint64", 8, Row::Class::kInteger},
}};

const Row* find_row(int id) noexcept {
  for (const Row& row : kRows) {
    if (static_cast<int>(row.dtype) == id) return &row;
  }
  return nullptr;
}

const Row& row_of(DType dtype) noexcept {
  return *find_row(static_cast<int>(dtype));
}

}  // namespace

std::optional<DType> dtype_from_id(int id) noexcept {
  const Row* row = find_row(id);
  if (row == nullptr) return std::nullopt;
  return row->dtype;
}

std::string_view dtype_name(DType dtype) noexcept {
  return row_of(dtype).name;
}
std::size_t dtype_size(DType dtype) noexcept {
  return row_of(dtype).size;
}
bool is_floating_point(DType dtype) noexcept {
  return row_of(dtype).kind == Row::Class::kFloat;
}
bool is_integral(DType dtype) noexcept {
  return row_of(dtype).kind == Row::Class::kInteger;
}

}  // namespace plumb
