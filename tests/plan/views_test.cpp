// View operators on strided inputs: sizes, strides and offsets as PyTorch has them, and when a copy is
// needed.
#include <gtest/gtest.h>

#include "plan/views.h"
#include "plumb/error.h"

namespace plumb {
namespace {

std::optional<std::vector<View>> views_of(std::string_view op, const Tensor& self,
                                          std::vector<NamedCallArgument> rest, std::size_t expected = 1) {
  std::vector<NamedCallArgument> arguments{{"self", &self, false}};
  arguments.insert(arguments.end(), rest.begin(), rest.end());
  Call call;
  call.op = op;
  call.node = "node";
  call.arguments = arguments;
  return view_outputs(call, expected);
}

Tensor channels_last(const Sizes& sizes) {
  return Tensor(nullptr, DType::kFloat32, sizes, channels_last_strides(sizes));
}

TEST(Views, view_merges_the_spatial_dimensions_of_a_channels_last_tensor_without_a_copy) {
  const auto views =
      views_of("aten.view.default", channels_last({2, 8, 3, 5}), {{"size", Sizes{2, 8, 15}, false}});
  ASSERT_TRUE(views.has_value());
  EXPECT_EQ(views->at(0).strides, (Sizes{120, 1, 8}));
}

TEST(Views, view_across_channels_and_space_of_a_channels_last_tensor_needs_a_copy) {
  EXPECT_FALSE(views_of("aten.view.default", channels_last({2, 8, 3, 5}), {{"size", Sizes{2, -1}, false}})
                   .has_value());
}

TEST(Views, view_infers_one_size_and_takes_sizes_of_one_anywhere) {
  const Tensor self(nullptr, DType::kFloat32, Sizes{4, 6});
  const auto views = views_of("aten.view.default", self, {{"size", Sizes{1, 2, 1, -1, 1}, false}});
  ASSERT_TRUE(views.has_value());
  EXPECT_EQ(views->at(0).sizes, (Sizes{1, 2, 1, 12, 1}));
  EXPECT_EQ(views->at(0).strides[1], 12);
  EXPECT_EQ(views->at(0).strides[3], 1);
}

TEST(Views, view_splits_a_dimension_of_a_transposed_tensor) {
  const Tensor self(nullptr, DType::kFloat32, Sizes{6, 4}, Sizes{1, 6});
  const auto views = views_of("aten.view.default", self, {{"size", Sizes{2, 3, 4}, false}});
  ASSERT_TRUE(views.has_value());
  EXPECT_EQ(views->at(0).strides, (Sizes{3, 1, 6}));
}

TEST(Views, view_refuses_a_shape_of_another_element_count) {
  const Tensor self(nullptr, DType::kFloat32, Sizes{4, 6});
  EXPECT_THROW(views_of("aten.view.default", self, {{"size", Sizes{5, -1}, false}}), Error);
  EXPECT_THROW(views_of("aten.view.default", self, {{"size", Sizes{5, 5}, false}}), Error);
}

TEST(Views, view_of_an_empty_tensor_may_have_any_empty_shape) {
  const Tensor self(nullptr, DType::kFloat32, Sizes{0, 3});
  EXPECT_EQ(views_of("aten.view.default", self, {{"size", Sizes{3, 0, 2}, false}})->at(0).sizes,
            (Sizes{3, 0, 2}));
}

TEST(Views, slice_clips_like_python) {
  const Tensor self(nullptr, DType::kFloat32, Sizes{10, 2});
  const auto slice = [&](std::int64_t start, std::int64_t end, std::int64_t step) {
    return views_of("aten.slice.Tensor", self,
                    {{"dim", std::int64_t{0}, false},
                     {"start", start, false},
                     {"end", end, false},
                     {"step", step, false}})
        ->at(0);
  };
  EXPECT_EQ(slice(-3, INT64_MAX, 1).sizes[0], 3);
  EXPECT_EQ(slice(-3, INT64_MAX, 1).offset, 14);
  EXPECT_EQ(slice(2, 9, 3).sizes[0], 3);
  EXPECT_EQ(slice(2, 9, 3).strides[0], 6);
  EXPECT_EQ(slice(8, 3, 1).sizes[0], 0);
  EXPECT_EQ(slice(-100, 100, 1).sizes[0], 10);
}

TEST(Views, expand_gives_stride_zero_to_what_it_repeats) {
  const Tensor self(nullptr, DType::kFloat32, Sizes{3, 1});
  const auto view = views_of("aten.expand.default", self, {{"size", Sizes{2, -1, 4}, false}})->at(0);
  EXPECT_EQ(view.sizes, (Sizes{2, 3, 4}));
  EXPECT_EQ(view.strides, (Sizes{0, 1, 0}));
}

TEST(Views, split_with_sizes_places_each_part_after_the_last) {
  const Tensor self(nullptr, DType::kFloat32, Sizes{2, 7});
  const auto views = views_of("aten.split_with_sizes.default", self,
                              {{"split_sizes", Sizes{3, 0, 4}, false}, {"dim", std::int64_t{-1}, false}}, 3);
  ASSERT_EQ(views->size(), 3u);
  EXPECT_EQ(views->at(2).offset, 3);
  EXPECT_EQ(views->at(2).sizes, (Sizes{2, 4}));
  EXPECT_THROW(views_of("aten.split_with_sizes.default", self,
                        {{"split_sizes", Sizes{3, 3}, false}, {"dim", std::int64_t{1}, false}}),
               Error);
}

TEST(Views, a_dimension_of_a_0d_tensor_cannot_be_split_or_sliced) {
  const Tensor self(nullptr, DType::kFloat32, Sizes{});
  const std::int64_t one = 1;
  EXPECT_THROW(views_of("aten.split.Tensor", self, {{"split_size", one, false}}), Error);
  EXPECT_THROW(views_of("aten.split_with_sizes.default", self, {{"split_sizes", Sizes{1}, false}}), Error);
  EXPECT_THROW(views_of("aten.chunk.default", self, {{"chunks", one, false}}), Error);
  EXPECT_THROW(views_of("aten.slice.Tensor", self, {}), Error);
  EXPECT_THROW(views_of("aten.unbind.int", self, {}), Error);
}

TEST(Views, parts_that_nobody_has_names_for_are_refused_before_they_are_made) {
  const Tensor self(nullptr, DType::kFloat32, Sizes{std::int64_t{1} << 40}, Sizes{0});
  EXPECT_THROW(views_of("aten.unbind.int", self, {}), Error);
  EXPECT_THROW(views_of("aten.split.Tensor", self, {{"split_size", std::int64_t{1}, false}}), Error);
  EXPECT_THROW(views_of("aten.chunk.default", self, {{"chunks", INT64_MAX, false}}), Error);
}

TEST(Views, expand_refuses_negative_sizes) {
  const Tensor self(nullptr, DType::kFloat32, Sizes{1});
  EXPECT_THROW(views_of("aten.expand.default", self, {{"size", Sizes{-5}, false}}), Error);
}

TEST(Views, as_strided_may_not_leave_the_tensor) {
  const Tensor self(nullptr, DType::kFloat32, Sizes{4, 4});
  const auto strided = [&](Sizes size, Sizes stride, std::int64_t offset) {
    return views_of("aten.as_strided.default", self,
                    {{"size", size, false}, {"stride", stride, false}, {"storage_offset", offset, false}});
  };
  EXPECT_EQ(strided({4}, {5}, 0)->at(0).strides, Sizes{5});
  EXPECT_THROW(strided({4}, {5}, 1), Error);
  EXPECT_THROW(strided({1 << 30, 1 << 30}, {INT64_MAX / 2, 1}, 0), Error);
}

TEST(Views, select_out_of_range_names_the_index_and_the_size) {
  const Tensor self(nullptr, DType::kFloat32, Sizes{4, 4});
  try {
    views_of("aten.select.int", self, {{"dim", std::int64_t{0}, false}, {"index", std::int64_t{4}, false}});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("index 4 is out of range for size 4"), std::string::npos);
  }
}

}  // namespace
}  // namespace plumb
