// Strides for shapes: row-major, channels-last, and in the order of another tensor.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace plumb {

using Sizes = std::vector<std::int64_t>;

std::int64_t element_count(std::span<const std::int64_t> sizes);
// Like element_count(sizes) * item_size, but throws Error(kPackage) naming `what` when a size is negative or
// the product leaves the range of int64.
std::int64_t checked_byte_count(std::span<const std::int64_t> sizes, std::size_t item_size, const char* what);

Sizes contiguous_strides(std::span<const std::int64_t> sizes);
// Rank 3 to 5, channel dimension 1 innermost; other ranks get row-major strides.
Sizes channels_last_strides(std::span<const std::int64_t> sizes);
// Dense strides for `sizes` whose dimensions are ordered in memory as in `strides_like` (same rank; ties keep
// their order).
Sizes dense_strides_like(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides_like);

}  // namespace plumb
