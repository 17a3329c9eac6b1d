// Walking index spaces: several views at once, each with its own (possibly broadcast) strides.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plumb/tensor.h"

namespace plumb::reference {

// Strides of one view along the dimensions of an index space, in elements; entries past its rank are unused.
using SpaceStrides = std::array<std::int64_t, kMaxRank>;

// Strides that walk `tensor` along `sizes`, dimensions aligned at the back: 0 where it is broadcast. The
// sizes must broadcast, which shape propagation has checked.
inline SpaceStrides broadcast_strides(const Tensor& tensor, std::span<const std::int64_t> sizes) {
  SpaceStrides strides{};
  const std::size_t rank = static_cast<std::size_t>(tensor.rank());
  const std::size_t lead = sizes.size() - rank;
  for (std::size_t i = 0; i < rank; ++i) {
    strides[lead + i] = tensor.sizes()[i] == 1 ? 0 : tensor.strides()[i];
  }
  return strides;
}

// Part of a view's strides: those of `dims`, in that order.
inline SpaceStrides strides_of(const Tensor& tensor, std::span<const int> dims) {
  SpaceStrides strides{};
  for (std::size_t i = 0; i < dims.size(); ++i) strides[i] = tensor.stride(dims[i]);
  return strides;
}

inline std::vector<std::int64_t> sizes_of(const Tensor& tensor, std::span<const int> dims) {
  std::vector<std::int64_t> sizes;
  for (const int dim : dims) sizes.push_back(tensor.size(dim));
  return sizes;
}

// Calls body(offsets, count, steps) for each run along the last dimension, in row-major order: element i of
// the run lies at offsets[k] + i * steps[k] in view k. A 0-d space is one run of one element; an empty one
// has no runs.
template <std::size_t N, typename Body>
void for_each_row(std::span<const std::int64_t> sizes, const std::array<SpaceStrides, N>& strides,
                  Body&& body) {
  for (const std::int64_t size : sizes) {
    if (size == 0) return;
  }
  const std::size_t outer = sizes.empty() ? 0 : sizes.size() - 1;
  const std::int64_t count = sizes.empty() ? 1 : sizes[outer];
  std::array<std::int64_t, N> steps{};
  for (std::size_t k = 0; k < N; ++k) steps[k] = sizes.empty() ? 0 : strides[k][outer];

  std::array<std::int64_t, kMaxRank> index{};
  std::array<std::int64_t, N> offsets{};
  while (true) {
    body(offsets, count, steps);
    std::size_t dim = outer;
    while (dim > 0) {
      --dim;
      for (std::size_t k = 0; k < N; ++k) offsets[k] += strides[k][dim];
      if (++index[dim] < sizes[dim]) break;
      for (std::size_t k = 0; k < N; ++k) offsets[k] -= strides[k][dim] * sizes[dim];
      index[dim] = 0;
      if (dim == 0) return;
    }
    if (outer == 0) return;
  }
}

// Calls body(offsets) for each index, in row-major order.
template <std::size_t N, typename Body>
void for_each_offset(std::span<const std::int64_t> sizes, const std::array<SpaceStrides, N>& strides,
                     Body&& body) {
  for_each_row(sizes, strides,
               [&](std::array<std::int64_t, N> offsets, std::int64_t count, const auto& steps) {
                 for (std::int64_t i = 0; i < count; ++i) {
                   body(offsets);
                   for (std::size_t k = 0; k < N; ++k) offsets[k] += steps[k];
                 }
               });
}

}  // namespace plumb::reference
