// Tensors made of numbers, and copies: constant fills, ranges, identity, triangles, dtype conversion.
#include <cmath>

#include "engines/reference/elementwise.h"
#include "engines/reference/kernels.h"

namespace plumb::reference {
namespace {

void fill_with(const Call& call, const Operand& value) {
  map<1>(call.output(), call.output().dtype(), {value}, [](auto x) { return x; });
}

void run_zeros(const Call& call) {
  fill_with(call, {.number = std::int64_t{0}});
}
void run_ones(const Call& call) {
  fill_with(call, {.number = std::int64_t{1}});
}
void run_full(const Call& call) {
  fill_with(call, operand(call, "fill_value"));
}
void run_fill(const Call& call) {
  fill_with(call, operand(call, "value"));
}
void run_scalar_tensor(const Call& call) {
  fill_with(call, operand(call, "s"));
}

void run_copy_of_self(const Call& call) {
  fill_with(call, operand(call.tensor("self")));
}
void run_copy(const Call& call) {
  fill_with(call, operand(call.tensor("src")));
}

// Integers when start and step are, so that large values stay exact.
void run_arange(const Call& call) {
  const Tensor& out = call.output();
  visit_compute_type(out.dtype(), [&]<typename C>() {
    const Operand zero{.number = std::int64_t{0}};
    const Operand one{.number = std::int64_t{1}};
    const DType exact = is_floating_point(out.dtype()) ? DType::kFloat64 : out.dtype();
    const C start = number_as<C>(call.has("start") ? operand(call, "start") : zero, exact);
    const C step = number_as<C>(call.has("step") ? operand(call, "step") : one, exact);
    for (std::int64_t i = 0; i < out.numel(); ++i) {
      write(out, i * out.stride(0), wrapping_add(start, wrapping_multiply(static_cast<C>(i), step)));
    }
  });
}

// From both ends towards the middle, so that the ends are exact.
void run_linspace(const Call& call) {
  const Tensor& out = call.output();
  const double start = call.number("start");
  const double end = call.number("end");
  const std::int64_t steps = out.numel();
  const double step = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0.0;
  for (std::int64_t i = 0; i < steps; ++i) {
    const double value = i < steps / 2 || steps == 1 ? start + step * static_cast<double>(i)
                                                     : end - step * static_cast<double>(steps - 1 - i);
    write(out, i * out.stride(0), value);
  }
}

void run_eye(const Call& call) {
  const Tensor& out = call.output();
  run_zeros(call);
  for (std::int64_t i = 0; i < std::min(out.size(0), out.size(1)); ++i) {
    write(out, i * (out.stride(0) + out.stride(1)), std::int64_t{1});
  }
}

// Zeroes the elements of each matrix for which discard(column - row - diagonal) holds.
template <auto discard>
void run_triangle(const Call& call) {
  const Tensor& out = call.output();
  if (out.rank() < 2) call.fail("needs a matrix, got shape " + shape_string(out.sizes()));
  const std::int64_t diagonal = call.integer("diagonal", 0);
  run_copy_of_self(call);
  const std::int64_t row_stride = out.stride(-2);
  const std::int64_t column_stride = out.stride(-1);
  const auto batch_sizes = out.sizes().first(static_cast<std::size_t>(out.rank() - 2));
  SpaceStrides batch_strides{};
  std::copy_n(out.strides().begin(), batch_sizes.size(), batch_strides.begin());
  for_each_offset<1>(batch_sizes, {batch_strides}, [&](const auto& offsets) {
    for (std::int64_t row = 0; row < out.size(-2); ++row) {
      for (std::int64_t column = 0; column < out.size(-1); ++column) {
        if (!discard(column - row - diagonal)) continue;
        write(out, offsets[0] + row * row_stride + column * column_stride, std::int64_t{0});
      }
    }
  });
}

}  // namespace

const KernelImpl zeros{.run = run_zeros};
const KernelImpl ones{.run = run_ones};
const KernelImpl full{.run = run_full};
const KernelImpl fill{.run = run_fill};
const KernelImpl scalar_tensor{.run = run_scalar_tensor};
const KernelImpl copy_of_self{.run = run_copy_of_self};
const KernelImpl copy{.run = run_copy};
const KernelImpl arange{.run = run_arange};
const KernelImpl linspace{.run = run_linspace};
const KernelImpl eye{.run = run_eye};
const KernelImpl tril{.run = run_triangle<[](std::int64_t above) { return (above > 0); }>};
const KernelImpl triu{.run = run_triangle<[](std::int64_t above) { return above < 0; }>};

}  // namespace plumb::reference
