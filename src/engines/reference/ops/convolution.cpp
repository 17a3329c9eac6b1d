// Convolutions of one to three spatial dimensions, grouped, dilated and transposed, with the epilogue of the
// fused form.
#include <vector>

#include "engines/reference/epilogue.h"
#include "engines/reference/kernels.h"
#include "engines/reference/planes.h"
#include "engines/reference/visit.h"
#include "engines/window.h"

namespace plumb::reference {
namespace {

// Output position `output` of a line receives weight * the input element at position `input`.
struct Tap {
  std::int64_t output;
  std::int64_t input;
};

// The input position that meets the weight at `k` in output position `output` of dimension d, or -1 for none.
std::int64_t input_position(const Convolution& c, std::size_t d, std::int64_t output, std::int64_t k) {
  const Window& w = c.window;
  std::int64_t position = 0;
  if (c.transposed) {
    const std::int64_t scaled = output + w.pad_before[d] - k * w.dilation[d];
    if (scaled < 0 || scaled % w.stride[d] != 0) return -1;
    position = scaled / w.stride[d];
  } else {
    position = output * w.stride[d] - w.pad_before[d] + k * w.dilation[d];
  }
  return position >= 0 && position < c.input[d] ? position : -1;
}

// The taps of the innermost dimension, one list for each k.
std::vector<std::vector<Tap>> innermost_taps(const Convolution& c) {
  std::vector<std::vector<Tap>> taps(static_cast<std::size_t>(c.window.kernel[2]));
  for (std::int64_t k = 0; k < c.window.kernel[2]; ++k) {
    for (std::int64_t o = 0; o < c.output[2]; ++o) {
      const std::int64_t i = input_position(c, 2, o, k);
      if (i >= 0) taps[static_cast<std::size_t>(k)].push_back({o, i});
    }
  }
  return taps;
}

// A [N, C, spatial…] view, or [C, spatial…] without a batch, with three spatial strides.
struct Planes {
  std::int64_t batch = 0;
  std::int64_t channel = 0;
  Spatial spatial{0, 0, 0};

  Planes(const Tensor& tensor, const Convolution& c)
      : batch(c.batched ? tensor.stride(0) : 0),
        channel(tensor.stride(c.batched ? 1 : 0)),
        spatial(spatial_strides(tensor, c.window.spatial_dims)) {}

  std::int64_t channel_at(std::int64_t n, std::int64_t c) const { return n * batch + c * channel; }
};

// Adds what one input channel contributes to one line of one output channel. `x` and `w` point to the channel
// of the input and to the kernel that meets it.
template <typename T>
void accumulate_line(const Convolution& c, const std::vector<std::vector<Tap>>& taps, const T* x,
                     const Spatial& x_strides, const T* w, const Spatial& w_strides, std::int64_t z,
                     std::int64_t y, std::vector<Accumulator<T>>& line) {
  using A = Accumulator<T>;
  for (std::int64_t kz = 0; kz < c.window.kernel[0]; ++kz) {
    const std::int64_t iz = input_position(c, 0, z, kz);
    if (iz < 0) continue;
    for (std::int64_t ky = 0; ky < c.window.kernel[1]; ++ky) {
      const std::int64_t iy = input_position(c, 1, y, ky);
      if (iy < 0) continue;
      const T* row = x + position(x_strides, iz, iy, 0);
      for (std::int64_t kx = 0; kx < c.window.kernel[2]; ++kx) {
        const A weight = convert<A>(w[position(w_strides, kz, ky, kx)]);
        for (const Tap& tap : taps[static_cast<std::size_t>(kx)]) {
          line[static_cast<std::size_t>(tap.output)] += weight * convert<A>(row[tap.input * x_strides[2]]);
        }
      }
    }
  }
}

template <typename T, typename Finish>
void convolve(const Call& call, const Tensor* residual, const Finish& finish) {
  using A = Accumulator<T>;
  const Convolution c = read_convolution(call);
  const Tensor& input = call.tensor("input");
  const Tensor& weight = call.tensor("weight");
  const Tensor* bias = call.optional_tensor("bias");
  const Tensor& output = call.output();
  const Planes in(input, c);
  const Planes out(output, c);
  const Planes added(residual == nullptr ? output : *residual, c);
  const Spatial w_strides = spatial_strides(weight, c.window.spatial_dims);
  const auto taps = innermost_taps(c);
  const std::int64_t in_per_group = c.in_channels / c.groups;
  const std::int64_t out_per_group = c.out_channels / c.groups;
  const std::int64_t batch = c.batched ? input.size(0) : 1;
  // Weights are [O, I/groups, k…], transposed ones [I, O/groups, k…].
  const auto kernel_at = [&](std::int64_t oc, std::int64_t first_ic, std::int64_t i) {
    return c.transposed ? (first_ic + i) * weight.stride(0) + oc % out_per_group * weight.stride(1)
                        : oc * weight.stride(0) + i * weight.stride(1);
  };

  call.pool->parallel_for(batch * c.out_channels, [&](std::int64_t task, int) {
    const std::int64_t n = task / c.out_channels;
    const std::int64_t oc = task % c.out_channels;
    const std::int64_t first_ic = oc / out_per_group * in_per_group;
    const A start = bias == nullptr ? A{} : read<A>(*bias, oc * bias->stride(0));
    std::vector<A> line(static_cast<std::size_t>(c.output[2]));
    for_each_position({c.output[0], c.output[1], 1}, [&](std::int64_t z, std::int64_t y, std::int64_t) {
      line.assign(line.size(), start);
      for (std::int64_t i = 0; i < in_per_group; ++i) {
        accumulate_line(c, taps, input.data<const T>() + in.channel_at(n, first_ic + i), in.spatial,
                        weight.data<const T>() + kernel_at(oc, first_ic, i), w_strides, z, y, line);
      }
      for (std::int64_t x = 0; x < c.output[2]; ++x) {
        const A more = residual == nullptr
                           ? A{}
                           : read<A>(*residual, added.channel_at(n, oc) + position(added.spatial, z, y, x));
        output.data<T>()[out.channel_at(n, oc) + position(out.spatial, z, y, x)] =
            convert<T>(finish(line[static_cast<std::size_t>(x)], more));
      }
    });
  });
}

void run_convolution(const Call& call) {
  visit_number(call.tensor("input").dtype(),
               [&]<typename T>() { convolve<T>(call, nullptr, [](auto sum, auto) { return sum; }); });
}

void run_fused_convolution(const Call& call) {
  const Epilogue epilogue(call);
  visit_floating(call.tensor("input").dtype(), [&]<typename T>() {
    convolve<T>(call, epilogue.residual(),
                [&](double sum, double residual) { return epilogue.activate(sum + residual); });
  });
}

Verdict accepts_numbers(const Call& call) {
  if (call.tensor("input").dtype() != call.tensor("weight").dtype()) {
    return Verdict::no("input and weight have different dtypes");
  }
  return expect_number(call, "input");
}

Verdict accepts_fused(const Call& call) {
  const Verdict numbers = accepts_numbers(call);
  return numbers.accepted() ? accepts_epilogue(call) : numbers;
}

}  // namespace

const KernelImpl convolution{.accepts = accepts_numbers, .run = run_convolution};
const KernelImpl fused_convolution{.accepts = accepts_fused, .run = run_fused_convolution};

}  // namespace plumb::reference
