// The index spaces of a reduction: one over the dimensions that stay, and within each of its points one over
// the dimensions that are reduced.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engines/arguments.h"
#include "engines/reference/elementwise.h"

namespace plumb::reference {

struct ReductionSpace {
  std::vector<std::int64_t> kept_sizes;
  std::vector<std::int64_t> reduced_sizes;
  SpaceStrides kept_strides{};  // of the input
  SpaceStrides reduced_strides{};
  SpaceStrides output_strides{};  // of the output along the kept dimensions
  std::int64_t reduced_count = 1;
};

// `dims` ascending; the output has either all dimensions (keepdim) or only those that stay.
inline ReductionSpace reduction_space(const Tensor& self, const std::vector<int>& dims,
                                      const Tensor& output) {
  const std::vector<int> kept = remaining_dims(dims, self.rank());
  ReductionSpace space;
  space.kept_sizes = sizes_of(self, kept);
  space.reduced_sizes = sizes_of(self, dims);
  space.kept_strides = strides_of(self, kept);
  space.reduced_strides = strides_of(self, dims);
  space.reduced_count = element_count(space.reduced_sizes);
  const bool keepdim = output.rank() == self.rank();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    space.output_strides[i] = output.stride(keepdim ? kept[i] : static_cast<int>(i));
  }
  return space;
}

// Calls body(offset in self, offset in the output) for each point that stays.
template <typename Body>
void for_each_kept(const ReductionSpace& space, Body&& body) {
  for_each_offset<2>(space.kept_sizes, {space.kept_strides, space.output_strides},
                     [&](const auto& offsets) { body(offsets[0], offsets[1]); });
}

// Calls body(value) for the values reduced into one point, in row-major order, converted to `common` and held
// in C.
template <typename C, typename Body>
void for_each_reduced(const ReductionSpace& space, const Tensor& self, DType common, std::int64_t base,
                      Body&& body) {
  const Operand source = operand(self);
  Piece<C> piece;
  for_each_row<1>(space.reduced_sizes, {space.reduced_strides},
                  [&](const auto& offsets, std::int64_t length, const auto& steps) {
                    for (std::int64_t start = 0; start < length; start += kPiece) {
                      const std::int64_t count = std::min(kPiece, length - start);
                      load_piece(source, base + offsets[0] + start * steps[0], steps[0], count, common,
                                 piece);
                      for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) body(piece[i]);
                    }
                  });
}

}  // namespace plumb::reference
