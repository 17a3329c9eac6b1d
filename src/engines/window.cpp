// Reading and checking the parameters of sliding windows.
#include "engines/window.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "plumb/tensor.h"

namespace plumb {
namespace {

// Values beyond this are refused, so that the sums and products below stay within 64 bits.
constexpr std::int64_t kLimit = std::numeric_limits<std::int32_t>::max();

void check_range(const Call& call, const std::string& what, std::int64_t value, std::int64_t minimum) {
  if (value < minimum || value > kLimit) {
    call.fail(what + " is " + std::to_string(value) + "; expected " + std::to_string(minimum) + " to " +
              std::to_string(kLimit));
  }
}

// An int list with one entry a spatial dimension, or one for all, or none (the default).
Spatial read_list(const Call& call, std::string_view name, int spatial_dims, std::int64_t fallback,
                  std::int64_t minimum, std::int64_t neutral) {
  const std::vector<std::int64_t> given = call.ints(name);
  const auto dims = static_cast<std::size_t>(spatial_dims);
  if (!given.empty() && given.size() != 1 && given.size() != dims) {
    call.fail("argument '" + std::string(name) + "' has " + std::to_string(given.size()) +
              " entries; expected " + std::to_string(dims));
  }
  Spatial result;
  result.fill(neutral);
  for (std::size_t i = 0; i < dims; ++i) {
    const std::int64_t value = given.empty() ? fallback : given.size() == 1 ? given[0] : given[i];
    check_range(call, "argument '" + std::string(name) + "'", value, minimum);
    result[3 - dims + i] = value;
  }
  return result;
}

std::int64_t window_extent(const Window& window, std::size_t d) {
  return window.dilation[d] * (window.kernel[d] - 1) + 1;
}

[[noreturn]] void fail_output_size(const Call& call, std::size_t d, std::int64_t input, const Window& window,
                                   std::int64_t output) {
  call.fail("output size " + std::to_string(output) + " of a window of " +
            std::to_string(window_extent(window, d)) + " over " + std::to_string(input) +
            " elements padded by " + std::to_string(window.pad_before[d]) + " and " +
            std::to_string(window.pad_after[d]));
}

void read_convolution_padding(const Call& call, Window& window) {
  const auto dims = static_cast<std::size_t>(window.spatial_dims);
  const CallArgument* argument = call.find("padding");
  if (argument != nullptr && std::holds_alternative<std::string>(*argument)) {
    const std::string mode = call.text("padding");
    if (mode == "valid") return;
    if (mode != "same") call.fail("padding mode '" + mode + "'; expected 'valid' or 'same'");
    for (std::size_t d = 3 - dims; d < 3; ++d) {
      if (window.stride[d] != 1)
        call.fail("padding='same' with a stride of " + std::to_string(window.stride[d]));
      const std::int64_t total = window_extent(window, d) - 1;
      window.pad_before[d] = total / 2;
      window.pad_after[d] = total - total / 2;
    }
    return;
  }
  // Twice the entries: [before…, after…], the form that a folded pad leaves behind.
  const std::vector<std::int64_t> given = call.ints("padding");
  if (given.size() == 2 * dims && call.op == "plumb.convolution") {
    for (std::size_t i = 0; i < dims; ++i) {
      check_range(call, "'padding'", given[i], 0);
      check_range(call, "'padding'", given[dims + i], 0);
      window.pad_before[3 - dims + i] = given[i];
      window.pad_after[3 - dims + i] = given[dims + i];
    }
    return;
  }
  window.pad_before = read_list(call, "padding", window.spatial_dims, 0, 0, 0);
  window.pad_after = window.pad_before;
}

void check_convolution_channels(const Call& call, const Convolution& c, const Tensor& weight) {
  const Tensor* bias = call.optional_tensor("bias");
  const std::int64_t expected_in = c.transposed ? weight.size(0) : weight.size(1) * c.groups;
  if (c.in_channels != expected_in) {
    call.fail("input has " + std::to_string(c.in_channels) + " channels; weight " +
              shape_string(weight.sizes()) + " with " + std::to_string(c.groups) + " groups expects " +
              std::to_string(expected_in));
  }
  if (weight.size(0) % c.groups != 0) {
    call.fail("weight " + shape_string(weight.sizes()) + " does not divide into " + std::to_string(c.groups) +
              " groups");
  }
  if (bias != nullptr && (bias->rank() != 1 || bias->size(0) != c.out_channels)) {
    call.fail("bias has shape " + shape_string(bias->sizes()) + "; expected [" +
              std::to_string(c.out_channels) + "]");
  }
}

}  // namespace

Spatial spatial_sizes(const Tensor& tensor, int spatial_dims) {
  Spatial sizes{1, 1, 1};
  for (int i = 1; i <= spatial_dims; ++i) sizes[static_cast<std::size_t>(3 - i)] = tensor.size(-i);
  return sizes;
}

Spatial spatial_strides(const Tensor& tensor, int spatial_dims) {
  Spatial strides{0, 0, 0};
  for (int i = 1; i <= spatial_dims; ++i) strides[static_cast<std::size_t>(3 - i)] = tensor.stride(-i);
  return strides;
}

Convolution read_convolution(const Call& call) {
  const Tensor& input = call.tensor("input");
  const Tensor& weight = call.tensor("weight");
  Convolution c;
  Window& window = c.window;
  window.spatial_dims = weight.rank() - 2;
  if (window.spatial_dims < 1 || window.spatial_dims > 3) {
    call.fail("weight has shape " + shape_string(weight.sizes()) + "; expected 3 to 5 dimensions");
  }
  c.batched = input.rank() == weight.rank();
  if (!c.batched && input.rank() != weight.rank() - 1) {
    call.fail("input has shape " + shape_string(input.sizes()) + "; expected " +
              std::to_string(weight.rank()) + " dimensions, or " + std::to_string(weight.rank() - 1) +
              " without a batch");
  }
  c.groups = call.integer("groups", 1);
  check_range(call, "'groups'", c.groups, 1);
  c.transposed = call.boolean("transposed", false);
  window.kernel = spatial_sizes(weight, window.spatial_dims);
  window.stride = read_list(call, "stride", window.spatial_dims, 1, 1, 1);
  window.dilation = read_list(call, "dilation", window.spatial_dims, 1, 1, 1);
  for (const std::int64_t size : weight.sizes()) check_range(call, "a size of weight", size, 1);
  for (const std::int64_t size : input.sizes()) check_range(call, "a size of input", size, 0);
  read_convolution_padding(call, window);
  if (c.transposed) c.output_padding = read_list(call, "output_padding", window.spatial_dims, 0, 0, 0);

  c.in_channels = input.size(c.batched ? 1 : 0);
  c.out_channels = c.transposed ? weight.size(1) * c.groups : weight.size(0);
  check_convolution_channels(call, c, weight);

  c.input = spatial_sizes(input, window.spatial_dims);
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t padding = window.pad_before[d] + window.pad_after[d];
    if (c.transposed) {
      if (c.output_padding[d] >= std::max(window.stride[d], window.dilation[d])) {
        call.fail("output_padding " + std::to_string(c.output_padding[d]) +
                  "; expected less than the stride or the dilation");
      }
      c.output[d] =
          (c.input[d] - 1) * window.stride[d] - padding + window_extent(window, d) + c.output_padding[d];
    } else {
      const std::int64_t room = c.input[d] + padding - window_extent(window, d);
      c.output[d] = room < 0 ? 0 : room / window.stride[d] + 1;
    }
    if (c.output[d] < 1) fail_output_size(call, d, c.input[d], window, c.output[d]);
  }
  return c;
}

Pooling read_pooling(const Call& call, int spatial_dims) {
  const Tensor& self = call.tensor("self");
  Pooling p;
  Window& window = p.window;
  window.spatial_dims = spatial_dims;
  if (self.rank() != spatial_dims + 1 && self.rank() != spatial_dims + 2) {
    call.fail("input has shape " + shape_string(self.sizes()) + "; expected " +
              std::to_string(spatial_dims + 1) + " or " + std::to_string(spatial_dims + 2) + " dimensions");
  }
  p.batched = self.rank() == spatial_dims + 2;
  for (const std::int64_t size : self.sizes()) check_range(call, "a size of input", size, 0);
  if (call.ints("kernel_size").empty()) call.fail("'kernel_size' is empty");
  window.kernel = read_list(call, "kernel_size", spatial_dims, 1, 1, 1);
  window.stride =
      call.ints("stride").empty() ? window.kernel : read_list(call, "stride", spatial_dims, 1, 1, 1);
  window.dilation = read_list(call, "dilation", spatial_dims, 1, 1, 1);
  window.pad_before = read_list(call, "padding", spatial_dims, 0, 0, 0);
  window.pad_after = window.pad_before;
  p.ceil_mode = call.boolean("ceil_mode", false);

  p.input = spatial_sizes(self, spatial_dims);
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t stride = window.stride[d];
    const std::int64_t pad = window.pad_before[d];
    // A window must hold at least one element, or an average would divide by nothing and a maximum be empty.
    if (pad > window_extent(window, d) / 2) {
      call.fail("padding " + std::to_string(pad) + " is more than half of the window of " +
                std::to_string(window_extent(window, d)));
    }
    const std::int64_t room =
        p.input[d] + 2 * pad - window_extent(window, d) + (p.ceil_mode ? stride - 1 : 0);
    std::int64_t output = room < 0 ? 0 : room / stride + 1;
    // With ceil_mode the last window starts inside the input or the padding before it, never in the padding
    // after.
    if (p.ceil_mode && output > 0 && (output - 1) * stride >= p.input[d] + pad) --output;
    if (output < 1) fail_output_size(call, d, p.input[d], window, output);
    p.output[d] = output;
  }
  return p;
}

}  // namespace plumb
