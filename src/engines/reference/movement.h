// Moving elements without computing with them: copies between views, views of parts, and copies through a
// table of source positions for each dimension.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/reference/strided.h"
#include "plumb/tensor.h"

namespace plumb::reference {

// A view of `tensor` that begins `offset` elements in.
Tensor view_at(const Tensor& tensor, std::int64_t offset, std::span<const std::int64_t> sizes,
               std::span<const std::int64_t> strides);
// The elements start, start + step, … of one dimension.
Tensor slice_of(const Tensor& tensor, int dim, std::int64_t start, std::int64_t count, std::int64_t step = 1);
// One index of one dimension, which disappears.
Tensor select_of(const Tensor& tensor, int dim, std::int64_t index);

// Every element of `source`, which has target's sizes (or broadcasts to them), converted to target's dtype.
void copy_elements(const Tensor& target, const Tensor& source);

// target[o0, o1, …] = source[maps[0][o0], maps[1][o1], …], or `fill` where a map says -1. One map a
// dimension, with as many entries as target's size; equal dtypes.
using PositionMap = std::vector<std::int64_t>;
void copy_mapped(const Tensor& target, const Tensor& source, std::span<const PositionMap> maps,
                 double fill = 0);

// 0, 1, … size-1.
PositionMap identity_map(std::int64_t size);

}  // namespace plumb::reference
