// Readings of a call's arguments that shape propagation and kernels must agree on: dimensions counted from
// the back, sets of dimensions, and the dtype in which mixed operands meet.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "base/layout.h"
#include "base/type_promotion.h"
#include "engines/engine.h"

namespace plumb {

// `dim` in [0, rank); 0-d tensors count as rank 1. Fails the call when it is out of range.
int normalize_dim(const Call& call, std::int64_t dim, int rank);

// The dimensions named by a list, ascending; an empty list means all. Fails on duplicates.
std::vector<int> normalize_dims(const Call& call, const std::vector<std::int64_t>& dims, int rank);

// The other dimensions of a tensor of this rank, ascending.
std::vector<int> remaining_dims(const std::vector<int>& dims, int rank);

// The dtype to which PyTorch promotes the named arguments, tensors or numbers; those absent or None do not
// count.
DType promoted_dtype(const Call& call, std::initializer_list<std::string_view> names);

// Fails the call when the shapes do not broadcast.
Sizes broadcast_sizes(const Call& call, const Sizes& a, const Sizes& b);

}  // namespace plumb
