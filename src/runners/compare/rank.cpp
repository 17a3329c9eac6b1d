// A partial sort of indices under one strict order.
#include "runners/compare/rank.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plumb {

std::vector<std::int64_t> top_indices(std::span<const float> values, std::size_t count) {
  std::vector<std::int64_t> indices(values.size());
  std::iota(indices.begin(), indices.end(), std::int64_t{0});
  const auto kept = static_cast<std::ptrdiff_t>(std::min(count, values.size()));
  std::partial_sort(indices.begin(), indices.begin() + kept, indices.end(),
                    [&](std::int64_t i, std::int64_t j) {
                      const float a = values[static_cast<std::size_t>(i)];
                      const float b = values[static_cast<std::size_t>(j)];
                      if (std::isnan(a) != std::isnan(b)) return std::isnan(b);
                      return a > b || (!(a < b) && i < j);
                    });
  indices.resize(static_cast<std::size_t>(kept));
  return indices;
}

}  // namespace plumb
