// gather and the scatters: element by element, the position along one dimension coming from an index tensor.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/layout.h"
#include "engines/arguments.h"
#include "engines/reference/kernels.h"
#include "engines/reference/movement.h"
#include "engines/reference/positions.h"
#include "engines/reference/visit.h"

namespace plumb::reference {
namespace {

// Calls body(offset in indexed, offset in other) for each element of index: `indexed` is addressed along
// `dim` by the index's value, `other` by its position.
template <typename Body>
void for_each_gathered(const Call& call, const Tensor& indexed, const Tensor& other, const Body& body) {
  const Tensor& index = call.tensor("index");
  const int dim = normalize_dim(call, call.integer("dim"), indexed.rank());
  const std::int64_t size = indexed.rank() == 0 ? 1 : indexed.size(dim);
  const std::int64_t step = indexed.rank() == 0 ? 0 : indexed.stride(dim);
  std::array<SpaceStrides, 3> strides{};
  for (int d = 0; d < index.rank(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    strides[0][i] = index.stride(d);
    strides[1][i] = d == dim || indexed.rank() == 0 ? 0 : indexed.stride(d);
    strides[2][i] = other.rank() == 0 ? 0 : other.stride(d);
  }
  for_each_offset(index.sizes(), strides, [&](const auto& at) {
    body(at[1] + checked_index(call, index, at[0], size, false) * step, at[2]);
  });
}

void run_gather(const Call& call) {
  const Tensor& self = call.tensor("self");
  visit_size(self.dtype(), [&]<typename T>() {
    for_each_gathered(call, self, call.output(), [&](std::int64_t from, std::int64_t to) {
      call.output().data<T>()[to] = self.data<const T>()[from];
    });
  });
}

void scatter_tensor(const Call& call, Combine how) {
  const Tensor& src = call.tensor("src");
  const Tensor& output = call.output();
  copy_elements(output, call.tensor("self"));
  visit_dtype(output.dtype(), [&]<typename T>() {
    for_each_gathered(call, output, src, [&](std::int64_t to, std::int64_t from) {
      combine_into(output.data<T>()[to], src.data<const T>()[from], how);
    });
  });
}

void run_scatter_src(const Call& call) {
  scatter_tensor(call, Combine::kReplace);
}
void run_scatter_add(const Call& call) {
  scatter_tensor(call, Combine::kAdd);
}

void run_scatter_value(const Call& call) {
  const double value = call.number("value");
  const Tensor& output = call.output();
  copy_elements(output, call.tensor("self"));
  visit_dtype(output.dtype(), [&]<typename T>() {
    for_each_gathered(call, output, call.tensor("index"),
                      [&](std::int64_t to, std::int64_t) { output.data<T>()[to] = convert<T>(value); });
  });
}

enum class Reduction { kSum, kProduct, kMean, kMaximum, kMinimum };

Reduction read_reduction(const Call& call) {
  const std::string name = call.text("reduce");
  if (name == "sum") return Reduction::kSum;
  if (name == "prod") return Reduction::kProduct;
  if (name == "mean") return Reduction::kMean;
  if (name == "amax") return Reduction::kMaximum;
  if (name == "amin") return Reduction::kMinimum;
  call.fail("unknown reduction '" + name + "'");
}

template <typename A>
A reduced(Reduction reduction, A a, A b) {
  switch (reduction) {
    case Reduction::kSum:
    case Reduction::kMean:
      return a + b;
    case Reduction::kProduct:
      return a * b;
    case Reduction::kMaximum:
      return a != a || a > b ? a : b;
    case Reduction::kMinimum:
      return a != a || a < b ? a : b;
  }
  return a;
}

// Accumulates in double, or in 64-bit integers, and rounds once at the end.
template <typename T>
void scatter_reduce_as(const Call& call) {
  using A = std::conditional_t<std::is_integral_v<T>, Comparable<T>, double>;
  const Tensor& src = call.tensor("src");
  const Tensor& output = call.output();
  const Reduction reduction = read_reduction(call);
  const bool include_self = call.boolean("include_self", true);
  copy_elements(output, call.tensor("self"));

  const auto count = static_cast<std::size_t>(output.numel());
  std::vector<A> values(count);
  std::vector<std::int64_t> terms(count, include_self ? 1 : 0);
  std::vector<bool> touched(count, false);
  // The output is contiguous, so that its offsets count elements.
  for (std::size_t i = 0; i < count; ++i) values[i] = convert<A>(output.data<const T>()[i]);
  for_each_gathered(call, output, src, [&](std::int64_t to, std::int64_t from) {
    const auto i = static_cast<std::size_t>(to);
    const A value = convert<A>(src.data<const T>()[from]);
    values[i] = terms[i] == 0 ? value : reduced(reduction, values[i], value);
    ++terms[i];
    touched[i] = true;
  });
  for (std::size_t i = 0; i < count; ++i) {
    if (!touched[i]) continue;
    A value = values[i];
    if (reduction == Reduction::kMean) {
      if constexpr (std::is_floating_point_v<A>) {
        value /= static_cast<double>(terms[i]);
      } else {  // integers round towards minus infinity
        value = static_cast<A>(std::floor(static_cast<double>(value) / static_cast<double>(terms[i])));
      }
    }
    output.data<T>()[i] = convert<T>(value);
  }
}

void run_scatter_reduce(const Call& call) {
  visit_number(call.tensor("self").dtype(), [&]<typename T>() { scatter_reduce_as<T>(call); });
}

Verdict accepts_same_dtype(const Call& call) {
  if (call.tensor("src").dtype() == call.tensor("self").dtype()) return Verdict::yes();
  return Verdict::no("self and src have different dtypes");
}

Verdict accepts_scatter_reduce(const Call& call) {
  const Verdict same = accepts_same_dtype(call);
  return same.accepted() ? expect_number(call, "self") : same;
}

}  // namespace

const KernelImpl gather{.run = run_gather};
const KernelImpl scatter_src{.accepts = accepts_same_dtype, .run = run_scatter_src};
const KernelImpl scatter_value{.run = run_scatter_value};
const KernelImpl scatter_add{.accepts = accepts_same_dtype, .run = run_scatter_add};
const KernelImpl scatter_reduce{.accepts = accepts_scatter_reduce, .run = run_scatter_reduce};

}  // namespace plumb::reference
