// A method that uses everything the format can say, in a small package.
#pragma once

#include "support/method_builder.h"
#include "support/zip_writer.h"

namespace plumb::testing {

inline Argument argument(std::string name, ArgumentValue value, bool mutated = false) {
  return {.name = std::move(name), .value = std::move(value), .mutated = mutated};
}

inline std::shared_ptr<const Graph> branch() {
  MethodBuilder builder;
  const ValueId x = builder.input("x", float_meta({1, 4}));
  const ValueId n = builder.scalar_input("n", ValueKind::kInt);
  builder.output(builder.node("mul", "aten.mul.Scalar",
                              {argument("self", TensorRef{x}), argument("other", IntArg{.ref = n})},
                              float_meta({1, 4})));
  return builder.graph();
}

inline Method rich_method(const std::string& name = "forward") {
  MethodBuilder b(name);
  TensorMeta dynamic = float_meta({1, 4});
  dynamic.sizes[0] = {.min = 1, .max = 8};
  dynamic.sizes[1] = {.min = 3, .max = -1};
  const ValueId x = b.input("x", dynamic);
  TensorMeta image = float_meta({1, 3, 8, 8});
  image.dim_order = {0, 2, 3, 1};
  const ValueId image_value = b.input("image", image);
  const ValueId w = b.constant("w", float_constant("w", {4}, {1, 2, 3, 4}));
  const ValueId counter =
      b.constant("counter", make_constant("counter", DType::kInt64, {}, Bytes(8)), InputKind::kBuffer, true);
  const ValueId cache = b.buffer("b_cache", "cache", float_meta({1, 4}));
  const ValueId size =
      b.scalar("sym_size", "aten.sym_size.int",
               {argument("self", TensorRef{x}), argument("dim", IntArg{.value = 1})}, ValueKind::kInt);
  const ValueId ratio =
      b.scalar("truediv", "_operator.truediv",
               {argument("", IntArg{.ref = size}), argument("", FloatArg{.value = 0.5})}, ValueKind::kFloat);
  const ValueId is_big =
      b.scalar("gt", "_operator.gt", {argument("", IntArg{.ref = size}), argument("", IntArg{.value = 2})},
               ValueKind::kBool);
  const ValueId view = b.node("view", "aten.view.default",
                              {argument("self", TensorRef{x}),
                               argument("size", IntListArg{{{.value = 1}, {.value = 0, .ref = size}}})},
                              dynamic);
  b.alias_last_of(x);
  const auto parts = b.nodes("split", "aten.split.Tensor", {argument("self", TensorRef{view})},
                             {float_meta({1, 2}), float_meta({1, 2})}, true);
  const auto top = b.nodes("topk", "aten.topk.default",
                           {argument("self", TensorRef{view}), argument("largest", BoolArg{.value = true}),
                            argument("sorted", BoolArg{.ref = is_big})},
                           {float_meta({1, 2}), tensor_meta(DType::kInt64, {1, 2})});
  const ValueId cat =
      b.node("cat", "aten.cat.default", {argument("tensors", TensorListArg{{parts[0], parts[1]}})}, dynamic);
  const ValueId index = b.node(
      "index", "aten.index.Tensor",
      {argument("self", TensorRef{cat}), argument("indices", TensorListArg{{kNoValue, top[1]}})}, dynamic);
  const ValueId everything =
      b.node("everything", "test.everything.default",
             {argument("none", None{}), argument("dtype", DType::kBFloat16),
              argument("mode", std::string("nearest")), argument("scales", FloatListArg{{0.5, -1.0}}),
              argument("mask", BoolListArg{{true, false}}), argument("scale", FloatArg{.ref = ratio}),
              argument("empty", IntListArg{}), argument("image", TensorRef{image_value})},
             float_meta({1, 4}));
  const ValueId chosen = b.node("cond", "higher_order.cond",
                                {argument("", BoolArg{.ref = is_big}),
                                 argument("", SubgraphArg{.name = "true_graph_0", .graph = branch()}),
                                 argument("", TensorListArg{{everything}})},
                                float_meta({1, 4}));
  const ValueId written =
      b.node("add_", "aten.add_.Tensor",
             {argument("self", TensorRef{cache}, true), argument("other", TensorRef{w})}, float_meta({1, 4}));
  b.alias_last_of(cache);
  const ValueId next =
      b.node("next", "aten.add.Tensor",
             {argument("self", TensorRef{counter}), argument("other", IntArg{.value = INT64_MAX})},
             tensor_meta(DType::kInt64, {}));
  b.output(next, {.kind = OutputKind::kBufferMutation, .target = "counter"});
  b.output(chosen, {.kind = OutputKind::kUserInputMutation, .target = "x"});
  b.output(written);
  b.output(written);
  b.output(index);
  b.output(top[0]);
  b.output(size);
  b.output(GraphOutput(std::int64_t{7}));
  b.output(GraphOutput(1.5));
  b.output(GraphOutput(true));
  b.output(GraphOutput(None{}));
  b.output(x);
  return b.build();
}

}  // namespace plumb::testing
