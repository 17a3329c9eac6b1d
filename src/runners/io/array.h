// A tensor that owns its data: what files are read into. Always row-major.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plumb/dtype.h"
#include "plumb/tensor.h"

namespace plumb {

struct Array {
  DType dtype = DType::kFloat32;
  std::vector<std::int64_t> sizes;
  std::vector<std::byte> bytes;

  std::int64_t numel() const { return static_cast<std::int64_t>(bytes.size() / dtype_size(dtype)); }
  // A view that must not outlive this array, and through which nothing may be written to a const one.
  Tensor view() const { return Tensor(const_cast<std::byte*>(bytes.data()), dtype, sizes); }
};

// "float32[1, 3, 8, 8]"
inline std::string shape_text(DType dtype, std::span<const std::int64_t> sizes) {
  return std::string(dtype_name(dtype)) + shape_string(sizes);
}
inline std::string shape_text(const Array& array) {
  return shape_text(array.dtype, array.sizes);
}

// A copy of a row-major tensor.
inline Array copy_of(const Tensor& tensor) {
  Array array{tensor.dtype(), {tensor.sizes().begin(), tensor.sizes().end()}, {}};
  const auto* data = tensor.data<const std::byte>();
  if (tensor.numel() > 0) array.bytes.assign(data, data + tensor.nbytes());
  return array;
}

}  // namespace plumb
