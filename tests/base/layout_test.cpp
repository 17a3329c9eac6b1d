// Strides, byte counts and copies between layouts.
#include "base/layout.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/strided_copy.h"
#include "plumb/error.h"

namespace plumb {
namespace {

TEST(Layout, channels_last_strides_put_dimension_one_innermost) {
  EXPECT_EQ(channels_last_strides(Sizes{2, 3, 4, 5}), (Sizes{60, 1, 15, 3}));
  EXPECT_EQ(channels_last_strides(Sizes{4, 5}), (Sizes{5, 1}));
}

TEST(Layout, dense_strides_follow_the_order_of_another_tensor) {
  EXPECT_EQ(dense_strides_like(Sizes{2, 3, 4}, Sizes{12, 1, 3}), (Sizes{12, 1, 3}));
  EXPECT_EQ(dense_strides_like(Sizes{2, 3, 4}, Sizes{100, 1, 30}), (Sizes{12, 1, 3}));
}

TEST(Layout, byte_counts_refuse_negative_sizes_and_overflow_but_take_empty_tensors) {
  EXPECT_EQ(checked_byte_count(Sizes{3, 4}, 4, "x"), 48);
  EXPECT_EQ(checked_byte_count(Sizes{INT64_MAX, 0, INT64_MAX}, 4, "x"), 0);
  EXPECT_THROW(checked_byte_count(Sizes{INT64_MAX, 2}, 4, "x"), Error);
  EXPECT_THROW(checked_byte_count(Sizes{-1}, 4, "x"), Error);
}

TEST(Layout, a_copy_keeps_values_and_bits_in_any_layout) {
  std::vector<std::uint32_t> source(24);
  std::iota(source.begin(), source.end(), 0x7fc00001u);
  std::vector<std::uint32_t> copy(24);
  const Sizes sizes{2, 3, 4};
  const Tensor from(source.data(), DType::kFloat32, sizes);
  const Tensor to(copy.data(), DType::kFloat32, sizes, channels_last_strides(sizes));
  copy_strided(to, from);
  for (std::size_t n = 0; n < 2; ++n) {
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t w = 0; w < 4; ++w) EXPECT_EQ(copy[n * 12 + w * 3 + c], source[n * 12 + c * 4 + w]);
    }
  }
}

TEST(Layout, contiguity_ignores_the_strides_of_dimensions_of_size_one) {
  const Tensor tensor(nullptr, DType::kFloat32, Sizes{1, 8, 1, 1}, Sizes{99, 1, 77, 5});
  EXPECT_TRUE(tensor.is_contiguous());
  EXPECT_TRUE(tensor.is_channels_last());
}

}  // namespace
}  // namespace plumb
