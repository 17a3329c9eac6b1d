// Operands of shapes, dtypes and values that kernels would read out of bounds: shape propagation refuses
// them.
#include <limits>

#include "plan/shapes/shapes.h"
#include "support/reading.h"

namespace plumb::testing {
namespace {

Tensor tensor(const Sizes& sizes, DType dtype = DType::kFloat32) {
  return {nullptr, dtype, sizes};
}

std::vector<TensorSpec> propagate(std::string_view op, const std::vector<NamedCallArgument>& arguments) {
  Call call;
  call.op = op;
  call.node = "n";
  call.arguments = arguments;
  return find_shape_function(op)(call);
}

std::string refusal_of(std::string_view op, const std::vector<NamedCallArgument>& arguments) {
  try {
    propagate(op, arguments);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kExecution);
    return error.what();
  }
  ADD_FAILURE() << op << " was accepted";
  return "";
}

struct Operands {
  Tensor input, weight, bias, residual;

  std::vector<NamedCallArgument> arguments() const {
    return {{"input", &input}, {"weight", &weight}, {"bias", &bias}, {"residual", &residual}};
  }
};

const Operands kLinear{tensor({2, 3}), tensor({4, 3}), tensor({4}), tensor({2, 4})};
const Operands kConvolution{tensor({1, 3, 5, 5}), tensor({4, 3, 1, 1}), tensor({4}), tensor({1, 4, 5, 5})};

TEST(Operands, of_a_fused_layer_that_fit_are_accepted) {
  EXPECT_EQ(propagate("plumb.linear", kLinear.arguments())[0].sizes, (Sizes{2, 4}));
  EXPECT_EQ(propagate("plumb.convolution", kConvolution.arguments())[0].sizes, (Sizes{1, 4, 5, 5}));
}

TEST(Operands, a_residual_has_sizes_and_dtype_of_the_output) {
  for (const Tensor& residual : {tensor({4}), tensor({1, 4}), tensor({2, 4}, DType::kFloat16), tensor({})}) {
    Operands operands = kLinear;
    operands.residual = residual;
    expect_contains(refusal_of("plumb.linear", operands.arguments()), "argument 'residual' is ");
  }
  for (const Tensor& residual : {tensor({1, 4, 1, 1}), tensor({100}), tensor({1, 4, 5, 5}, DType::kBool)}) {
    Operands operands = kConvolution;
    operands.residual = residual;
    expect_contains(refusal_of("plumb.convolution", operands.arguments()), "expected float32[1, 4, 5, 5]");
  }
}

TEST(Operands, a_bias_has_one_value_a_channel) {
  for (const Tensor& bias : {tensor({1}), tensor({1, 4}), tensor({}), tensor({4}, DType::kFloat64)}) {
    Operands linear = kLinear;
    linear.bias = bias;
    expect_contains(refusal_of("plumb.linear", linear.arguments()), "expected float32[4]");
    Operands convolution = kConvolution;
    convolution.bias = bias;
    expect_contains(refusal_of("plumb.convolution", convolution.arguments()), "bias");
  }
  // PyTorch's own linear broadcasts.
  const Tensor one = tensor({1});
  EXPECT_EQ(propagate("aten.linear.default",
                      {{"input", &kLinear.input}, {"weight", &kLinear.weight}, {"bias", &one}})[0]
                .sizes,
            (Sizes{2, 4}));
}

TEST(Operands, a_weight_has_the_dtype_of_the_input) {
  Operands operands = kConvolution;
  operands.weight = tensor({4, 3, 1, 1}, DType::kFloat16);
  expect_contains(refusal_of("plumb.convolution", operands.arguments()), "weight is float16");
}

TEST(Operands, of_a_join_are_tensors) {
  const Tensor x = tensor({2});
  for (const char* op : {"aten.cat.default", "aten.stack.default"}) {
    expect_contains(refusal_of(op, {{"tensors", std::vector<const Tensor*>{&x, nullptr}}}), "holds None");
  }
}

TEST(Operands, slices_have_the_rank_and_dtype_of_what_they_are_written_to) {
  const Tensor matrix = tensor({2, 3});
  const Tensor scalar = tensor({});
  const Tensor two = tensor({2}, DType::kInt64);
  const auto refuse = [&](const Tensor& self, const Tensor& source) {
    for (const char* op : {"aten.index_copy.default", "aten.index_add.default"}) {
      expect_contains(
          refusal_of(op, {{"self", &self}, {"dim", std::int64_t{0}}, {"index", &two}, {"source", &source}}),
          "source");
    }
  };
  refuse(matrix, tensor({6}));
  refuse(matrix, tensor({1, 2, 3}));
  refuse(matrix, tensor({3, 2}));
  refuse(matrix, tensor({2, 3}, DType::kInt8));
  refuse(scalar, scalar);  // two positions of one element
}

TEST(Operands, a_scale_is_a_number_that_positions_can_be_computed_with) {
  const Tensor x = tensor({1, 1, 4, 4});
  const auto arguments = [&](double scale) {
    return std::vector<NamedCallArgument>{{"self", &x},
                                          {"output_size", std::vector<std::int64_t>{8, 8}},
                                          {"scales_h", scale},
                                          {"scales_w", scale}};
  };
  constexpr const char* kOp = "aten.upsample_nearest2d.default";
  EXPECT_EQ(propagate(kOp, arguments(2.0))[0].sizes, (Sizes{1, 1, 8, 8}));
  for (const double scale :
       {1e-300, 1e300, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    expect_contains(refusal_of(kOp, arguments(scale)), "expected a scale of 2^-31 to 2^31");
  }
}

}  // namespace
}  // namespace plumb::testing
