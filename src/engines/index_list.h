// The list of index tensors of aten.index.Tensor and aten.index_put.default: which dimensions they index and
// where the indexed part lands in the result. Shared by shape propagation and by engines.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/layout.h"
#include "engines/engine.h"

namespace plumb {

struct IndexList {
  std::vector<int> dims;        // of self that are indexed, ascending
  std::vector<Tensor> indices;  // integers, one for each entry of dims
  Sizes broadcast;              // the common shape of the indices
  int position = 0;             // where `broadcast` stands among the dimensions of self that are kept
  std::vector<int> kept;        // dimensions of self that are not indexed, ascending
  Sizes result;                 // kept sizes with `broadcast` inserted at `position`
  std::vector<std::unique_ptr<std::int64_t[]>> expanded;  // memory of indices that were bool masks
};

// Reads "self" and "indices". A bool mask counts as the list of its true positions and must have data, so in
// shape propagation only constant masks are possible; fails the call otherwise, and when the shapes do not
// fit.
IndexList read_index_list(const Call& call);

}  // namespace plumb
