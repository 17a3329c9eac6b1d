// aten.linear, and mm / matmul / addmm whose right side is a weight, become plumb.linear in float32. A weight
// stored as [in, out] is transposed here, once. Products of two computed tensors stay what they are.
#include <map>

#include "passes/constants.h"
#include "passes/layer.h"
#include "passes/permutation.h"
#include "passes/rewrites.h"

namespace plumb::passes {

namespace {

struct Product {
  ValueId input;
  ValueId right;  // [in, out]; of aten.linear [out, in]
  ValueId bias = kNoValue;
};

std::optional<Product> read_product(const Node& node) {
  const bool is_addmm = node.op == "aten.addmm.default";
  const bool is_mm = node.op == "aten.mm.default";
  if (!is_addmm && !is_mm && node.op != "aten.matmul.default") return {};
  const auto input = tensor(node, is_addmm ? "mat1" : "self");
  const auto right = tensor(node, is_addmm || is_mm ? "mat2" : "other");
  if (!input || !right) return {};
  Product product{*input, *right};
  if (is_addmm) {
    const auto bias = tensor(node, "self");
    const auto is_one = [&](const char* name) {
      return node.find(name) == nullptr || number(node, name) == 1.0;
    };
    if (!bias || !is_one("beta") || !is_one("alpha")) return {};
    product.bias = *bias;
  }
  return product;
}

class Lowering {
 public:
  explicit Lowering(Rewriter& rewriter) : rewriter_(rewriter) {}

  bool lower(NodeId id) {
    const Node& node = rewriter_.node(id);
    const ValueId output = result(node);
    if (output == kNoValue || !is_float32(rewriter_, output)) return false;
    if (node.op == "aten.linear.default") {
      const auto product = read_linear(node);
      if (!product) return false;
      std::vector<Argument> inputs = {{"input", TensorRef{product->input}, false},
                                      {"weight", TensorRef{product->right}, false},
                                      {"bias", None{}, false}};
      if (product->bias != kNoValue) inputs.back().value = TensorRef{product->bias};
      append_empty_epilogue(inputs);
      rewriter_.replace(id, std::string(kLinear), std::move(inputs));
      return true;
    }
    const auto product = read_product(node);
    if (!product || !is_product_with_matrix(*product)) return false;
    const ValueId weight = weight_of(product->right);
    if (weight == kNoValue) return false;
    std::vector<Argument> inputs = {{"input", TensorRef{product->input}, false},
                                    {"weight", TensorRef{weight}, false},
                                    {"bias", None{}, false}};
    if (product->bias != kNoValue) inputs.back().value = TensorRef{product->bias};
    append_empty_epilogue(inputs);
    rewriter_.replace(id, std::string(kLinear), std::move(inputs));
    return true;
  }

 private:
  // aten.linear, whose right side is the weight as it is.
  std::optional<Product> read_linear(const Node& node) const {
    const auto input = tensor(node, "input");
    const auto weight = tensor(node, "weight");
    if (!input || !weight || rank(rewriter_, *weight) != 2) return {};
    if (!is_float32(rewriter_, *input) || !is_float32(rewriter_, *weight)) return {};
    Product product{*input, *weight};
    if (is_none(node, "bias")) return product;
    const auto bias = tensor(node, "bias");
    if (!bias || !is_bias(*bias, meta(rewriter_, *weight)->sizes[0])) return {};
    product.bias = *bias;
    return product;
  }

  // PyTorch broadcasts what is added to a product; only one value a column is a bias.
  bool is_bias(ValueId value, const Dim& columns) const {
    const TensorMeta* bias = meta(rewriter_, value);
    return bias != nullptr && bias->dtype == DType::kFloat32 && bias->sizes.size() == 1 &&
           bias->sizes[0] == columns;
  }

  bool is_product_with_matrix(const Product& product) const {
    const std::size_t input_rank = rank(rewriter_, product.input);
    if (input_rank < 2 || input_rank == SIZE_MAX || rank(rewriter_, product.right) != 2) return false;
    if (!is_float32(rewriter_, product.input) || !is_float32(rewriter_, product.right)) return false;
    return product.bias == kNoValue || is_bias(product.bias, meta(rewriter_, product.right)->sizes[1]);
  }

  // The [out, in] matrix that `right` is the transpose of; kNoValue when it is no weight.
  ValueId weight_of(ValueId right) {
    if (const auto view = read_permute(rewriter_, right); view && !is_identity(view->dims)) {
      return float_constant(rewriter_, view->input) != nullptr ? view->input : kNoValue;
    }
    const Constant* matrix = float_constant(rewriter_, right);
    if (matrix == nullptr || matrix->sizes.size() != 2) return kNoValue;
    const auto [known, is_new] = transposed_.try_emplace(right, kNoValue);
    if (is_new) {
      known->second =
          rewriter_.add_constant(rewriter_.value(right).name + "_transposed", transposed(*matrix));
    }
    return known->second;
  }

  Rewriter& rewriter_;
  std::map<ValueId, ValueId> transposed_;  // by [in, out] constant, for weights with several users
};

}  // namespace

std::int64_t lower_linear(Rewriter& rewriter, const Context&) {
  Lowering lowering(rewriter);
  return rewriter.rewrite_each([&](NodeId id) { return lowering.lower(id); });
}

}  // namespace plumb::passes
