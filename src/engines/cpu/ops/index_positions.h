// What index tensors name: checked positions, and the offsets of slices that several of them name together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/engine.h"

namespace plumb::cpu {

// Yes for int64 and int32 indices into data of the output's dtype.
Verdict accept_index(const Call& call, const Tensor& data, const Tensor& index);

// `index` itself; Call::fail when it is not in [0, size).
std::int64_t checked(const Call& call, std::int64_t index, std::int64_t size, int dim);

// Numbers of elements before, in and after dimensions [first, last).
struct Blocks {
  std::int64_t outer = 1, size = 1, inner = 1;
};
Blocks blocks_around(const Tensor& tensor, int first, int last);

// Yes when the call's "indices" name one run of neighbouring dimensions of "self".
Verdict accept_indices(const Call& call);

// That run, and the sizes that its index tensors broadcast to.
struct IndexedDims {
  explicit IndexedDims(const Call& call);

  int first = -1;
  int last = -1;  // exclusive
  std::vector<std::int64_t> sizes;

  std::int64_t count() const;
  // Scratch memory that write_offsets uses.
  std::size_t offset_bytes() const;
  // For each combination of indices the number of its slice within the run; negative indices count from the
  // back.
  const std::int64_t* write_offsets(const Call& call) const;
};

}  // namespace plumb::cpu
