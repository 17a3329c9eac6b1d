// Splits a tensor into the dimensions that an operator reduces and those that it keeps.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "plumb/tensor.h"

namespace plumb::cpu {

// The reduced dimensions, merged where they are one run of memory. Dimension 0 is the innermost; steps count
// elements.
struct ReducedDims {
  int rank = 0;  // at least 1
  std::int64_t count = 1;
  std::array<std::int64_t, kMaxRank> sizes{};
  std::array<std::int64_t, kMaxRank> steps{};

  // body(first element, rows of sizes[0] elements apart steps[0]) for each run along dimension 0, in a fixed
  // order.
  template <typename Item, typename Body>
  void for_each_run(const Item* data, const Body& body) const {
    const std::int64_t runs = sizes[0] == 0 ? 0 : count / sizes[0];
    for (std::int64_t run = 0; run < runs; ++run) {
      const Item* p = data;
      std::int64_t rest = run;
      for (int d = 1; d < rank; ++d) {
        const auto dim = static_cast<std::size_t>(d);
        p += rest % sizes[dim] * steps[dim];
        rest /= sizes[dim];
      }
      body(p);
    }
  }
};

// Which of `rank` dimensions `dims` names (negative ones count from the back); all of them when `dims` is
// empty.
std::vector<bool> reduced_flags(std::span<const std::int64_t> dims, int rank);

ReducedDims reduced_dims(const Tensor& tensor, const std::vector<bool>& reduced);

// `tensor` with only the dimensions whose flag is not set, at index 0 of the others.
Tensor kept_view(const Tensor& tensor, const std::vector<bool>& reduced);

}  // namespace plumb::cpu
