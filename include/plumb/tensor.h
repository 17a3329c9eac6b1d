// A strided view of tensor data that somebody else owns. Cheap to copy; allocates nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "plumb/dtype.h"

namespace plumb {

inline constexpr int kMaxRank = 16;

class Tensor {
 public:
  Tensor() = default;
  // A contiguous (row-major) view. Throws Error when there are more than kMaxRank sizes.
  Tensor(void* data, DType dtype, std::span<const std::int64_t> sizes);
  // Strides count elements, not bytes.
  Tensor(void* data, DType dtype, std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides);

  DType dtype() const { return dtype_; }
  int rank() const { return rank_; }
  std::span<const std::int64_t> sizes() const { return {sizes_.data(), static_cast<std::size_t>(rank_)}; }
  std::span<const std::int64_t> strides() const { return {strides_.data(), static_cast<std::size_t>(rank_)}; }
  // Dimension `dim` counts from the back when negative, as in PyTorch.
  std::int64_t size(int dim) const { return sizes_[static_cast<std::size_t>(dim < 0 ? dim + rank_ : dim)]; }
  std::int64_t stride(int dim) const {
    return strides_[static_cast<std::size_t>(dim < 0 ? dim + rank_ : dim)];
  }
  std::int64_t numel() const;
  std::size_t nbytes() const { return static_cast<std::size_t>(numel()) * dtype_size(dtype_); }

  void* raw() const { return data_; }
  void set_raw(void* data) { data_ = data; }
  template <typename T>
  T* data() const {
    return static_cast<T*>(data_);
  }

  // Row-major without gaps (dimensions of size 1 may have any stride).
  bool is_contiguous() const;
  // Dense with the channel dimension 1 innermost: [N, …, C] in memory, rank 3 to 5.
  bool is_channels_last() const;

 private:
  void* data_ = nullptr;
  DType dtype_ = DType::kFloat32;
  int rank_ = 0;
  std::array<std::int64_t, kMaxRank> sizes_{};
  std::array<std::int64_t, kMaxRank> strides_{};
};

// "[1, 3, 224, 224]"
std::string shape_string(std::span<const std::int64_t> sizes);

}  // namespace plumb
