// Parsing and the shared preconditions.
#include "engines/cpu/conv_arguments.h"

#include <string>
#include <vector>

#include "engines/cpu/epilogue_arguments.h"

namespace plumb::cpu {
namespace {

// Entry `i` of a list that may hold one value for all dimensions.
std::int64_t entry(const std::vector<std::int64_t>& list, std::size_t i, std::int64_t fallback) {
  if (list.empty()) return fallback;
  return list.size() == 1 ? list[0] : list[i];
}

struct Axis {
  std::int64_t in, kernel, stride, dilation, before, after;

  std::int64_t out() const {
    const std::int64_t span = in + before + after - dilation * (kernel - 1) - 1;
    return span < 0 ? 0 : span / stride + 1;
  }
};

Axis axis_of(const Call& call, int spatial, int axis) {
  const auto i = static_cast<std::size_t>(axis);
  const std::vector<std::int64_t> padding = call.ints("padding");
  const bool both_sides = padding.size() == 2 * static_cast<std::size_t>(spatial);
  Axis a;
  a.in = call.tensor("input").size(2 + axis);
  a.kernel = call.tensor("weight").size(2 + axis);
  a.stride = entry(call.ints("stride"), i, 1);
  a.dilation = entry(call.ints("dilation"), i, 1);
  a.before = both_sides ? padding[i] : entry(padding, i, 0);
  a.after = both_sides ? padding[i + static_cast<std::size_t>(spatial)] : a.before;
  return a;
}

}  // namespace

Conv conv_of(const Call& call) {
  const Tensor& input = call.tensor("input");
  const int spatial = input.rank() - 2;
  const Axis x = axis_of(call, spatial, spatial - 1);
  const Axis y = spatial == 2 ? axis_of(call, spatial, 0) : Axis{1, 1, 1, 1, 0, 0};
  return Conv{
      .batch = input.size(0),
      .groups = call.integer("groups", 1),
      .in_channels = input.size(1),
      .in_h = y.in,
      .in_w = x.in,
      .out_channels = call.tensor("weight").size(0),
      .out_h = y.out(),
      .out_w = x.out(),
      .kernel_h = y.kernel,
      .kernel_w = x.kernel,
      .stride_h = y.stride,
      .stride_w = x.stride,
      .dilation_h = y.dilation,
      .dilation_w = x.dilation,
      .pad_top = y.before,
      .pad_left = x.before,
      .pad_bottom = y.after,
      .pad_right = x.after,
  };
}

Verdict accept_conv(const Call& call) {
  const Tensor& input = call.tensor("input");
  const Tensor& weight = call.tensor("weight");
  if (input.rank() != 3 && input.rank() != 4) {
    return Verdict::no("input has shape " + shape_string(input.sizes()) +
                       ", not one or two spatial dimensions");
  }
  if (input.dtype() != DType::kFloat32 || weight.dtype() != DType::kFloat32)
    return Verdict::no("not float32");
  if (call.boolean("transposed", false)) return Verdict::no("transposed");
  if (!call.is_constant("weight")) return Verdict::no("weight is not constant");
  if (!weight.is_contiguous()) return Verdict::no("weight is not contiguous");
  return accept_epilogue(call);
}

Layout conv_input_layout(const Call&, std::string_view argument) {
  return argument == "input" || argument == "residual" ? Layout::kChannelsLast : Layout::kContiguous;
}

Layout conv_output_layout(const Call&) {
  return Layout::kChannelsLast;
}

}  // namespace plumb::cpu
