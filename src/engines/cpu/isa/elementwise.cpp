// Elementwise loops over tiles: every functor with each combination of contiguous and broadcast inputs.
#include "engines/cpu/elementwise_table.h"
#include "engines/cpu/isa/elementwise_functions.h"

namespace plumb::cpu::PLUMB_ISA {
namespace {

// Reads lanes [0, n) of an input at column `i`, n being kWidth for whole vectors.
template <bool broadcast>
struct Source {
  const float* p;
  F32 value;
  Source(const float* row) : p(row), value(broadcast ? set1(*row) : zero()) {}
  PLUMB_INLINE_MEMBER F32 whole(std::int64_t i) const {
    if constexpr (broadcast) return value;
    return load(p + i);
  }
  PLUMB_INLINE_MEMBER F32 part(std::int64_t i, int n) const {
    if constexpr (broadcast) return value;
    return load_first(p + i, n);
  }
};

template <typename Functor>
void unary(const ElementTile& tile) {
  const Functor f(tile.params);
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    float* out = static_cast<float*>(tile.out) + row * tile.out_row;
    const float* in = tile.in[0] + row * tile.in_row[0];
    if (tile.broadcast[0]) {
      const F32 value = f(set1(*in));
      std::int64_t i = 0;
      for (; i + kWidth <= tile.cols; i += kWidth) store(out + i, value);
      if (i < tile.cols) store_first(out + i, value, static_cast<int>(tile.cols - i));
      continue;
    }
    std::int64_t i = 0;
    for (; i + kWidth <= tile.cols; i += kWidth) store(out + i, f(load(in + i)));
    if (i < tile.cols) {
      const int rest = static_cast<int>(tile.cols - i);
      store_first(out + i, f(load_first(in + i, rest)), rest);
    }
  }
}

template <typename Functor, bool broadcast_a, bool broadcast_b>
void binary_rows(const ElementTile& tile) {
  const Functor f(tile.params);
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    float* out = static_cast<float*>(tile.out) + row * tile.out_row;
    const Source<broadcast_a> a(tile.in[0] + row * tile.in_row[0]);
    const Source<broadcast_b> b(tile.in[1] + row * tile.in_row[1]);
    std::int64_t i = 0;
    for (; i + kWidth <= tile.cols; i += kWidth) store(out + i, f(a.whole(i), b.whole(i)));
    if (i < tile.cols) {
      const int rest = static_cast<int>(tile.cols - i);
      store_first(out + i, f(a.part(i, rest), b.part(i, rest)), rest);
    }
  }
}

template <typename Functor>
void binary(const ElementTile& tile) {
  if (tile.broadcast[0]) {
    tile.broadcast[1] ? binary_rows<Functor, true, true>(tile) : binary_rows<Functor, true, false>(tile);
  } else {
    tile.broadcast[1] ? binary_rows<Functor, false, true>(tile) : binary_rows<Functor, false, false>(tile);
  }
}

template <typename Functor, bool broadcast_b, bool broadcast_c>
void ternary_rows(const ElementTile& tile) {
  const Functor f(tile.params);
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    float* out = static_cast<float*>(tile.out) + row * tile.out_row;
    const float* a = tile.in[0] + row * tile.in_row[0];
    const Source<broadcast_b> b(tile.in[1] + row * tile.in_row[1]);
    const Source<broadcast_c> c(tile.in[2] + row * tile.in_row[2]);
    const bool one_a = tile.broadcast[0];
    std::int64_t i = 0;
    for (; i + kWidth <= tile.cols; i += kWidth) {
      store(out + i, f(one_a ? set1(*a) : load(a + i), b.whole(i), c.whole(i)));
    }
    if (i < tile.cols) {
      const int rest = static_cast<int>(tile.cols - i);
      store_first(out + i, f(one_a ? set1(*a) : load_first(a + i, rest), b.part(i, rest), c.part(i, rest)),
                  rest);
    }
  }
}

template <typename Functor>
void ternary(const ElementTile& tile) {
  if (tile.broadcast[1]) {
    tile.broadcast[2] ? ternary_rows<Functor, true, true>(tile) : ternary_rows<Functor, true, false>(tile);
  } else {
    tile.broadcast[2] ? ternary_rows<Functor, false, true>(tile) : ternary_rows<Functor, false, false>(tile);
  }
}

template <typename Functor>
void compare(const ElementTile& tile) {
  const Functor f(tile.params);
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    std::uint8_t* out = static_cast<std::uint8_t*>(tile.out) + row * tile.out_row;
    const float* a = tile.in[0] + row * tile.in_row[0];
    const float* b = tile.in[1] + row * tile.in_row[1];
    for (std::int64_t i = 0; i < tile.cols; i += kWidth) {
      const int n = static_cast<int>(tile.cols - i < kWidth ? tile.cols - i : kWidth);
      const F32 x = tile.broadcast[0] ? set1(*a) : load_first(a + i, n);
      const F32 y = tile.broadcast[1] ? set1(*b) : load_first(b + i, n);
      store_bools_first(out + i, f(x, y), n);
    }
  }
}

}  // namespace

extern const ElementwiseTable elementwise_table;
const ElementwiseTable elementwise_table{{
#define PLUMB_ELEMENTWISE(name, shape) shape<name>,
#include "engines/cpu/elementwise_ops.inc"
#undef PLUMB_ELEMENTWISE
}};

}  // namespace plumb::cpu::PLUMB_ISA
