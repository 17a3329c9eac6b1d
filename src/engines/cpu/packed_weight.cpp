// Packs the groups one after the other, the panels of each in parallel.
#include "engines/cpu/packed_weight.h"

#include "engines/cpu/gemm_parallel.h"

namespace plumb::cpu {
namespace {

// A multiple of the cache line, so that every group is aligned.
std::int64_t aligned_size(std::int64_t floats) {
  return static_cast<std::int64_t>(align_up(static_cast<std::size_t>(floats) * sizeof(float)) /
                                   sizeof(float));
}

}  // namespace

PackedWeight::PackedWeight(const GemmKernels& gemm, ThreadPool& pool, const UnpackedB& b, std::int64_t k,
                           std::int64_t n, std::int64_t groups, std::int64_t group_stride)
    : group_size(aligned_size(gemm.packed_size(k * b.taps, n))),
      buffer(static_cast<std::size_t>(group_size * groups) * sizeof(float)) {
  auto* packed = reinterpret_cast<float*>(buffer.data());
  for (std::int64_t g = 0; g < groups; ++g) {
    UnpackedB from = b;
    from.b += g * group_stride;
    pack_parallel(gemm, pool, from, k, n, packed + g * group_size);
  }
}

}  // namespace plumb::cpu
