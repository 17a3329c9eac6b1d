// Weights packed for GemmKernels at load, one packed matrix a group.
#pragma once

#include <cstdint>

#include "base/aligned_buffer.h"
#include "base/thread_pool.h"
#include "engines/cpu/gemm.h"
#include "engines/engine.h"

namespace plumb::cpu {

struct PackedWeight : KernelState {
  // Packs `groups` matrices, each k rows a tap and n columns; group g of `b` starts at b.b + g *
  // group_stride.
  PackedWeight(const GemmKernels& gemm, ThreadPool& pool, const UnpackedB& b, std::int64_t k, std::int64_t n,
               std::int64_t groups = 1, std::int64_t group_stride = 0);

  const float* group(std::int64_t g) const {
    return reinterpret_cast<const float*>(buffer.data()) + g * group_size;
  }

  std::int64_t group_size;  // floats
  AlignedBuffer buffer;
};

// What prepare() made, in run().
inline const PackedWeight& packed_weight(const Call& call) {
  return *static_cast<const PackedWeight*>(call.state);
}

}  // namespace plumb::cpu
