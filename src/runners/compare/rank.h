// The best indices of a row of values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plumb {

// Indices of the `count` largest values (all, when there are fewer), best first: equal values (both zeros
// are) by lowest index, NaN after everything else.
std::vector<std::int64_t> top_indices(std::span<const float> values, std::size_t count);

}  // namespace plumb
