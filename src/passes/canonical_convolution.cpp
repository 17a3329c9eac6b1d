// conv2d(…, padding="same") and its relatives in terms of the one general convolution.
#include "passes/canonical_convolution.h"

#include <map>
#include <string>

#include "passes/match.h"

namespace plumb::passes {

namespace {

using List = std::vector<std::int64_t>;

struct Form {
  std::size_t spatial;
  bool transposed;
};

std::optional<Form> form_of(std::string_view op) {
  static const std::map<std::string_view, Form> table = {
      {"aten.conv1d.default", {1, false}},          {"aten.conv2d.default", {2, false}},
      {"aten.conv3d.default", {3, false}},          {"aten.conv1d.padding", {1, false}},
      {"aten.conv2d.padding", {2, false}},          {"aten.conv3d.padding", {3, false}},
      {"aten.conv_transpose1d.default", {1, true}}, {"aten.conv_transpose2d.input", {2, true}},
      {"aten.conv_transpose3d.input", {3, true}},
  };
  const auto it = table.find(op);
  return it == table.end() ? std::nullopt : std::optional(it->second);
}

// One entry a spatial dimension: a lone number stands for all.
List spread(std::optional<List> values, std::size_t spatial, std::int64_t fallback) {
  if (!values || values->empty()) return List(spatial, fallback);
  return values->size() == 1 ? List(spatial, values->front()) : *values;
}

IntListArg as_argument(const List& values) {
  IntListArg argument;
  for (const std::int64_t value : values) argument.items.push_back(IntArg{value, kNoValue});
  return argument;
}

// Whether each list argument is absent or a literal: refs to computed sizes are left alone.
bool has_literal_lists(const Node& node) {
  for (const std::string_view name : {"stride", "dilation", "output_padding"}) {
    if (node.find(name) != nullptr && !ints(node, name)) return false;
  }
  return true;
}

}  // namespace

bool canonicalize_convolution(Rewriter& rewriter, NodeId id) {
  const Node& node = rewriter.node(id);
  const auto form = form_of(node.op);
  const auto weight = tensor(node, "weight");
  auto input = tensor(node, "input");
  if (!form || !weight || !input || !has_literal_lists(node)) return false;
  const TensorMeta* weight_meta = meta(rewriter, *weight);
  if (weight_meta == nullptr || rank(rewriter, *input) != form->spatial + 2 || !weight_meta->is_static())
    return false;

  const List dilation = spread(ints(node, "dilation"), form->spatial, 1);
  List padding = spread(ints(node, "padding"), form->spatial, 0);
  if (dilation.size() != form->spatial) return false;
  const Argument* given = node.find("padding");
  const auto* mode = given != nullptr ? std::get_if<std::string>(&given->value) : nullptr;
  if (mode != nullptr && *mode == "same") {
    const List kernel = weight_meta->static_sizes();
    // What an even kernel needs more at the end, innermost dimension first as padding operators take it.
    List extra(2 * form->spatial, 0);
    TensorMeta padded = meta(rewriter, *input) != nullptr ? *meta(rewriter, *input) : TensorMeta{};
    bool uneven = false;
    for (std::size_t d = 0; d < form->spatial; ++d) {
      const std::int64_t total = dilation[d] * (kernel[d + 2] - 1);
      padding[d] = total / 2;
      const std::int64_t more = total - 2 * padding[d];
      extra[2 * (form->spatial - 1 - d) + 1] = more;
      uneven = uneven || more > 0;
      Dim& size = padded.sizes[d + 2];
      size = Dim{size.min + more, size.max < 0 ? size.max : size.max + more};
    }
    if (uneven) {
      input = rewriter.insert_before(id, node.name + "_padded", "aten.constant_pad_nd.default",
                                     {{"self", TensorRef{*input}, false},
                                      {"pad", as_argument(extra), false},
                                      {"value", FloatArg{0.0, kNoValue}, false}},
                                     std::move(padded));
    }
  } else if (mode != nullptr && *mode != "valid") {
    return false;
  }

  const Node& current = rewriter.node(id);
  const Argument* bias = current.find("bias");
  const Argument* groups = current.find("groups");
  const List stride = spread(ints(current, "stride"), form->spatial, 1);
  const List output_padding = spread(ints(current, "output_padding"), form->spatial, 0);
  std::vector<Argument> inputs = {
      {"input", TensorRef{*input}, false},
      {"weight", TensorRef{*weight}, false},
      {"bias", bias != nullptr ? bias->value : ArgumentValue(None{}), false},
      {"stride", as_argument(stride), false},
      {"padding", as_argument(padding), false},
      {"dilation", as_argument(dilation), false},
      {"transposed", BoolArg{form->transposed, kNoValue}, false},
      {"output_padding", as_argument(output_padding), false},
      {"groups", groups != nullptr ? groups->value : ArgumentValue(IntArg{1, kNoValue}), false},
  };
  rewriter.replace(id, "aten.convolution.default", std::move(inputs));
  return true;
}

}  // namespace plumb::passes
