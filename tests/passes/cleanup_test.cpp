// Passes that make programs smaller without touching layers: folding, identities, permutes, duplicates,
// masks.
#include <gtest/gtest.h>

#include "method_builder.h"

namespace plumb::test {
namespace {

using Ops = std::vector<std::string>;

// Answers every request with constants of the expected shape, zero-filled, and counts them.
Evaluator zeros(int& calls) {
  return [&calls](const Node& node, const Graph& graph, std::span<const ConstantBinding>) {
    ++calls;
    std::vector<std::shared_ptr<const Constant>> results;
    for (const ValueId value : node.produced()) {
      auto constant = std::make_shared<Constant>();
      constant->dtype = graph.value(value).meta->dtype;
      constant->sizes = graph.value(value).meta->static_sizes();
      std::size_t bytes = dtype_size(constant->dtype);
      for (const std::int64_t size : constant->sizes) bytes *= static_cast<std::size_t>(size);
      const auto data = std::make_shared<std::vector<std::byte>>(bytes);
      constant->data = *data;
      constant->owner = data;
      results.push_back(std::move(constant));
    }
    return std::optional(results);
  };
}

TEST(FoldConstants, computes_chains_of_constants_once) {
  MethodBuilder b;
  const ValueId x = b.input("x", {4});
  const ValueId range =
      b.call("range", "aten.arange.start_step", {integer("start", 0), integer("end", 4)}, {4});
  const ValueId shifted =
      b.call("shifted", "aten.add.Tensor", {tensor("self", range), integer("other", 1)}, {4});
  b.output(b.call("y", "aten.mul.Tensor", {tensor("self", x), tensor("other", shifted)}, {4}));
  int calls = 0;
  const Rewritten r = rewrite(b.build(), {"fold_constants"}, zeros(calls));
  EXPECT_EQ(r.ops(), Ops{"aten.mul.Tensor"});
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(r.changes("fold_constants"), 2);
  EXPECT_EQ(r.constant("y", "other").sizes, Shape{4});
}

TEST(FoldConstants, computes_views_only_on_the_way_to_something_that_costs) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2, 2});
  const ValueId w = b.constant("w", {2, 2});
  const ValueId free_view = b.call("free", "aten.t.default", {tensor("self", w)}, {2, 2});
  const ValueId view = b.call("view", "aten.t.default", {tensor("self", w)}, {2, 2});
  const ValueId dense = b.call("dense", "aten.clone.default", {tensor("self", view)}, {2, 2});
  const ValueId sum =
      b.call("sum", "aten.add.Tensor", {tensor("self", x), tensor("other", free_view)}, {2, 2});
  b.output(b.call("y", "aten.add.Tensor", {tensor("self", sum), tensor("other", dense)}, {2, 2}));
  int calls = 0;
  const Rewritten r = rewrite(b.build(), {"fold_constants"}, zeros(calls));
  EXPECT_EQ(r.ops(), (Ops{"aten.t.default", "aten.add.Tensor", "aten.add.Tensor"}));
}

TEST(FoldConstants, leaves_what_is_large_random_mutable_or_a_result) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId state = b.state("state", {2});
  const ValueId large = b.call("large", "aten.full.default", {integers("size", {1024, 1024})}, {1024, 1024});
  const ValueId random = b.call("random", "aten.rand.default", {integers("size", {2})}, {2});
  const ValueId of_state = b.call("of_state", "aten.neg.default", {tensor("self", state)}, {2});
  const ValueId sum =
      b.call("sum", "aten.add.Tensor", {tensor("self", random), tensor("other", of_state)}, {2});
  b.output(b.call("y", "aten.add.Tensor", {tensor("self", sum), tensor("other", x)}, {2}));
  b.output(b.call("z", "aten.sum.default", {tensor("self", large)}, {}));
  b.output(b.call("result", "aten.full.default", {integers("size", {2})}, {2}));
  int calls = 0;
  EXPECT_EQ(rewrite(b.build(), {"fold_constants"}, zeros(calls)).changes("fold_constants"), 0);
  EXPECT_EQ(calls, 0);
}

TEST(FoldConstants, leaves_what_the_evaluator_cannot_compute) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId c = b.call("c", "custom.op", {integer("n", 2)}, {2});
  b.output(b.call("y", "aten.add.Tensor", {tensor("self", x), tensor("other", c)}, {2}));
  const Evaluator unable = [](const Node&, const Graph&, std::span<const ConstantBinding>) {
    return std::nullopt;
  };
  EXPECT_EQ(rewrite(b.build(), {"fold_constants"}, unable).ops().size(), 2U);
}

TEST(DropIdentities, drops_copies_and_views_that_change_nothing) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2, 3});
  ValueId y = b.call("clone", "aten.clone.default", {tensor("self", x)}, {2, 3});
  y = b.call("dropout", "aten.dropout.default", {tensor("input", y), number("p", 0.5), flag("train", false)},
             {2, 3});
  y = b.call("view", "aten.view.default", {tensor("self", y), integers("size", {2, -1})}, {2, 3});
  y = b.call("permute", "aten.permute.default", {tensor("self", y), integers("dims", {0, -1})}, {2, 3});
  y = b.call("pad", "aten.constant_pad_nd.default", {tensor("self", y), integers("pad", {0, 0})}, {2, 3});
  y = b.call("slice", "aten.slice.Tensor",
             {tensor("self", y), integer("dim", 0), integer("start", 0), integer("end", INT64_MAX)}, {2, 3});
  b.output(b.call("y", "aten.neg.default", {tensor("self", y)}, {2, 3}));
  EXPECT_EQ(rewrite(b.build(), {"drop_identities"}).ops(), Ops{"aten.neg.default"});
}

TEST(DropIdentities, keeps_what_changes_dtype_shape_or_order) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2, 2});
  ValueId y = b.call("cast", "aten._to_copy.default", {tensor("self", x)}, {2, 2}, DType::kFloat64);
  y = b.call("permute", "aten.permute.default", {tensor("self", y), integers("dims", {1, 0})}, {2, 2},
             DType::kFloat64);
  y = b.call("dropout", "aten.dropout.default", {tensor("input", y), number("p", 0.5), flag("train", true)},
             {2, 2}, DType::kFloat64);
  y = b.call("view", "aten.view.default", {tensor("self", y), integers("size", {4})}, {4}, DType::kFloat64);
  y = b.call("pad", "aten.constant_pad_nd.default", {tensor("self", y), integers("pad", {1, -1})}, {4},
             DType::kFloat64);
  b.output(y);
  EXPECT_EQ(rewrite(b.build(), {"drop_identities"}).changes("drop_identities"), 0);
}

TEST(DropIdentities, keeps_the_copy_of_state_that_is_a_result) {
  MethodBuilder b;
  const ValueId count = b.state("count", {2});
  const ValueId old = b.call("old", "aten.clone.default", {tensor("self", count)}, {2});
  b.call("add", "aten.add_.Tensor", {written("self", count), integer("other", 1)}, {2});
  b.output(old);
  EXPECT_EQ(rewrite(b.build(), {"drop_identities"}).ops(), (Ops{"aten.clone.default", "aten.add.Tensor"}));
}

TEST(DropIdentities, keeps_a_view_between_dynamic_shapes) {
  MethodBuilder b;
  const ValueId x = b.dynamic_input("x", {1, 4});
  const ValueId y =
      b.call("view", "aten.view.default", {tensor("self", x), integers("size", {-1, 4})}, {1, 4});
  b.meta(y) = b.meta(x);
  b.output(b.call("y", "aten.neg.default", {tensor("self", y)}, {1, 4}));
  EXPECT_EQ(rewrite(b.build(), {"drop_identities"}).ops().size(), 2U);
}

TEST(MergePermutes, composes_two_and_drops_a_pair_that_cancels) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2, 3, 4});
  const ValueId a =
      b.call("a", "aten.permute.default", {tensor("self", x), integers("dims", {1, 2, 0})}, {3, 4, 2});
  const ValueId c =
      b.call("c", "aten.permute.default", {tensor("self", a), integers("dims", {2, 0, 1})}, {2, 3, 4});
  const ValueId d = b.call("d", "aten.transpose.int",
                           {tensor("self", a), integer("dim0", 0), integer("dim1", -1)}, {2, 4, 3});
  b.output(b.call("y", "aten.neg.default", {tensor("self", c)}, {2, 3, 4}));
  b.output(d);
  const Rewritten r = rewrite(b.build(), {"merge_permutes"});
  EXPECT_EQ(r.ops(), (Ops{"aten.permute.default", "aten.neg.default"}));
  EXPECT_EQ(r.name_of(*r.node("y").find("self")), "x");
  const auto& dims = std::get<IntListArg>(r.node("d").find("dims")->value).items;
  EXPECT_EQ(dims[0].value, 0);
  EXPECT_EQ(dims[1].value, 2);
  EXPECT_EQ(dims[2].value, 1);
}

TEST(EliminateCommonSubexpressions, keeps_the_first_of_equal_nodes) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId a = b.call("a", "aten.add.Tensor", {tensor("self", x), integer("other", 1)}, {2});
  const ValueId c = b.call("c", "aten.add.Tensor", {tensor("self", x), integer("other", 1)}, {2});
  const ValueId d = b.call("d", "aten.neg.default", {tensor("self", a)}, {2});
  const ValueId e = b.call("e", "aten.neg.default", {tensor("self", c)}, {2});
  b.output(b.call("y", "aten.mul.Tensor", {tensor("self", d), tensor("other", e)}, {2}));
  const Rewritten r = rewrite(b.build(), {"eliminate_common_subexpressions"});
  EXPECT_EQ(r.ops(), (Ops{"aten.add.Tensor", "aten.neg.default", "aten.mul.Tensor"}));
}

TEST(EliminateCommonSubexpressions, tells_apart_other_arguments_zeros_of_either_sign_and_random_numbers) {
  MethodBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId a = b.call("a", "aten.add.Tensor", {tensor("self", x), number("other", 0.0)}, {2});
  const ValueId c = b.call("c", "aten.add.Tensor", {tensor("self", x), number("other", -0.0)}, {2});
  const ValueId d = b.call("d", "aten.add.Tensor", {tensor("self", x), integer("other", 0)}, {2});
  const ValueId e = b.call("e", "aten.rand.default", {integers("size", {2})}, {2});
  const ValueId f = b.call("f", "aten.rand.default", {integers("size", {2})}, {2});
  b.output(b.call("y", "aten.cat.default", {tensors("tensors", {a, c, d, e, f})}, {10}));
  EXPECT_EQ(rewrite(b.build(), {"eliminate_common_subexpressions"}).ops().size(), 6U);
}

std::shared_ptr<const Method> attention(std::vector<bool> mask) {
  MethodBuilder b;
  const ValueId x = b.input("x", {1, 2, 2, 4});
  const ValueId m = b.bool_constant("mask", {1, 1, 2, 1}, std::move(mask));
  const ValueId wide =
      b.call("wide", "aten.expand.default", {tensor("self", m), integers("size", {1, 1, 2, 2})}, {1, 1, 2, 2},
             DType::kBool);
  b.output(b.call("y", "aten.scaled_dot_product_attention.default",
                  {tensor("query", x), tensor("key", x), tensor("value", x), tensor("attn_mask", wide)},
                  {1, 2, 2, 4}));
  return b.build();
}

TEST(DropFullMasks, drops_a_mask_that_hides_nothing) {
  const Rewritten r = rewrite(attention({true, true}), {"drop_full_masks"});
  EXPECT_EQ(r.ops(), Ops{"aten.scaled_dot_product_attention.default"});
  EXPECT_TRUE(std::holds_alternative<None>(r.node("y").find("attn_mask")->value));
}

TEST(DropFullMasks, keeps_a_mask_that_hides_something) {
  EXPECT_EQ(rewrite(attention({true, false}), {"drop_full_masks"}).changes("drop_full_masks"), 0);
}

}  // namespace
}  // namespace plumb::test
