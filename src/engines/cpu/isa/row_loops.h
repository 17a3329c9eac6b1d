// Loops over one row that end in a partial vector. For isa/ sources.
#pragma once

#include "engines/cpu/simd.h"

namespace plumb::cpu::PLUMB_ISA {

// body(offset, lanes) for whole vectors, then once for the rest; lanes is a constant in the first case.
template <typename Body>
PLUMB_INLINE void for_each_vector(std::int64_t n, const Body& body) {
  std::int64_t i = 0;
  for (; i + kWidth <= n; i += kWidth) body(i, kWidth);
  if (i < n) body(i, static_cast<int>(n - i));
}

// Like load_lanes, `fill` in the lanes beyond.
PLUMB_INLINE F32 load_filled(const float* p, int lanes, F32 fill) {
  if (lanes == kWidth) return load(p);
  float padded[kWidth];
  store(padded, fill);
  for (int i = 0; i < lanes; ++i) padded[i] = p[i];
  return load(padded);
}

}  // namespace plumb::cpu::PLUMB_ISA
