// Elementwise operators that are not computed in float: integers, booleans, and choices between elements.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/common_arguments.h"
#include "engines/cpu/ops/elementwise.h"
#include "engines/cpu/ops/scalar_tensor.h"
#include "engines/cpu/ops/strided_loop.h"

namespace plumb::cpu {
namespace {

constexpr std::int64_t kGrain = 32 << 10;

template <typename T>
const T& at(const std::byte* row, std::int64_t step, std::int64_t i) {
  return *reinterpret_cast<const T*>(row + i * step);
}

// out = f(a, b) for two inputs of one type. Contiguous and scalar operands get loops that a compiler can
// vectorise.
template <typename Out, typename In, typename F>
void binary_tile(const StridedTile& tile, const F& f) {
  constexpr auto kIn = static_cast<std::int64_t>(sizeof(In));
  const bool dense = tile.col_step[0] == static_cast<std::int64_t>(sizeof(Out)) && tile.col_step[1] == kIn;
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    std::byte* out = tile.data[0] + row * tile.row_step[0];
    const std::byte* a = tile.data[1] + row * tile.row_step[1];
    const std::byte* b = tile.data[2] + row * tile.row_step[2];
    if (dense && (tile.col_step[2] == kIn || tile.col_step[2] == 0)) {
      auto* o = reinterpret_cast<Out*>(out);
      const auto* x = reinterpret_cast<const In*>(a);
      const auto* y = reinterpret_cast<const In*>(b);
      if (tile.col_step[2] == 0) {
        const In value = *y;
        for (std::int64_t i = 0; i < tile.cols; ++i) o[i] = static_cast<Out>(f(x[i], value));
      } else {
        for (std::int64_t i = 0; i < tile.cols; ++i) o[i] = static_cast<Out>(f(x[i], y[i]));
      }
      continue;
    }
    for (std::int64_t i = 0; i < tile.cols; ++i) {
      *reinterpret_cast<Out*>(out + i * tile.col_step[0]) =
          static_cast<Out>(f(at<In>(a, tile.col_step[1], i), at<In>(b, tile.col_step[2], i)));
    }
  }
}

template <typename Out, typename In, typename F>
void binary_loop(const Call& call, const Tensor& a, const Tensor& b, const F& f) {
  const Tensor* inputs[] = {&a, &b};
  StridedLoop(call.output(), inputs).for_each_tile(call.pool, kGrain, [&](const StridedTile& tile) {
    binary_tile<Out, In>(tile, f);
  });
}

bool is_integer_pair_type(DType dtype) {
  return dtype == DType::kInt64 || dtype == DType::kInt32;
}

// One integer type on both sides, a number in place of `other` being an integer too.
Verdict accept_integers(const Call& call) {
  const Tensor* self = tensor_or_number(call, "self");
  if (self == nullptr || !is_integer_pair_type(self->dtype()))
    return Verdict::no("self is neither int64 nor int32");
  if (const Tensor* other = tensor_or_number(call, "other")) {
    if (other->dtype() != self->dtype()) return Verdict::no("the operands have different dtypes");
  } else if (!std::holds_alternative<std::int64_t>(*call.find("other"))) {
    return Verdict::no("the scalar is not an integer");
  }
  const DType out = call.output().dtype();
  if (out != self->dtype() && out != DType::kBool) return Verdict::no("self and output differ in dtype");
  return Verdict::yes();
}

Verdict accept_unscaled_integers(const Call& call) {
  if (call.number("alpha", 1.0) != 1.0) return Verdict::no("alpha is not 1");
  return accept_integers(call);
}

// Arithmetic wraps as PyTorch's does; unsigned types do so without undefined behaviour.
template <typename F>
void run_arithmetic(const Call& call) {
  const Tensor& self = call.tensor("self");
  const ScalarTensor other(call, "other", self.dtype());
  if (self.dtype() == DType::kInt64) {
    binary_loop<std::uint64_t, std::uint64_t>(call, self, other.tensor(), F{});
  } else {
    binary_loop<std::uint32_t, std::uint32_t>(call, self, other.tensor(), F{});
  }
}

template <typename F>
void run_comparison(const Call& call) {
  const Tensor& self = call.tensor("self");
  const ScalarTensor other(call, "other", self.dtype());
  if (self.dtype() == DType::kInt64) {
    binary_loop<std::uint8_t, std::int64_t>(call, self, other.tensor(), F{});
  } else {
    binary_loop<std::uint8_t, std::int32_t>(call, self, other.tensor(), F{});
  }
}

Verdict accept_booleans(const Call& call) {
  for (const char* name : {"self", "other"}) {
    const Tensor* tensor = tensor_or_number(call, name);
    if (tensor == nullptr || tensor->dtype() != DType::kBool)
      return Verdict::no("the operands are not bool tensors");
  }
  return Verdict::yes();
}

template <typename F>
void run_booleans(const Call& call) {
  binary_loop<std::uint8_t, std::uint8_t>(call, call.tensor("self"), call.tensor("other"), F{});
}

Verdict accept_not(const Call& call) {
  return call.tensor("self").dtype() == DType::kBool ? Verdict::yes() : Verdict::no("self is not bool");
}

void run_not(const Call& call) {
  const ScalarTensor one(1, DType::kBool);
  binary_loop<std::uint8_t, std::uint8_t>(call, call.tensor("self"), one.tensor(), std::bit_xor<>{});
}

template <typename Item>
void choose_tile(const StridedTile& tile) {
  constexpr auto kItem = static_cast<std::int64_t>(sizeof(Item));
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    std::byte* out = tile.data[0] + row * tile.row_step[0];
    const std::byte* condition = tile.data[1] + row * tile.row_step[1];
    const std::byte* a = tile.data[2] + row * tile.row_step[2];
    const std::byte* b = tile.data[3] + row * tile.row_step[3];
    const std::int64_t a_step = tile.col_step[2];
    const std::int64_t b_step = tile.col_step[3];
    if (tile.col_step[0] == kItem && tile.col_step[1] == 1) {
      for (std::int64_t i = 0; i < tile.cols; ++i) {
        const Item x = at<Item>(a, a_step, i);
        const Item y = at<Item>(b, b_step, i);
        reinterpret_cast<Item*>(out)[i] = static_cast<std::uint8_t>(condition[i]) != 0 ? x : y;
      }
      continue;
    }
    for (std::int64_t i = 0; i < tile.cols; ++i) {
      const bool chosen = at<std::uint8_t>(condition, tile.col_step[1], i) != 0;
      *reinterpret_cast<Item*>(out + i * tile.col_step[0]) =
          chosen ? at<Item>(a, a_step, i) : at<Item>(b, b_step, i);
    }
  }
}

// out = condition ? a : b
void choose(const Call& call, const Tensor& condition, const Tensor& a, const Tensor& b) {
  const Tensor* inputs[] = {&condition, &a, &b};
  const std::size_t item = dtype_size(call.output().dtype());
  StridedLoop(call.output(), inputs).for_each_tile(call.pool, kGrain, [item](const StridedTile& tile) {
    switch (item) {
      case 1:
        return choose_tile<std::uint8_t>(tile);
      case 2:
        return choose_tile<std::uint16_t>(tile);
      case 4:
        return choose_tile<std::uint32_t>(tile);
      default:
        return choose_tile<std::uint64_t>(tile);
    }
  });
}

// Tensors must have the output's dtype already; numbers are converted to it.
Verdict accept_choice(const Call& call, std::string_view condition, std::string_view a, std::string_view b) {
  if (call.tensor(condition).dtype() != DType::kBool) return Verdict::no("the condition is not bool");
  for (const std::string_view name : {a, b}) {
    const Tensor* tensor = tensor_or_number(call, name);
    if (tensor != nullptr && tensor->dtype() != call.output().dtype()) {
      return Verdict::no("'" + std::string(name) + "' and the output differ in dtype");
    }
  }
  return accept_scalar(call.output().dtype());
}

Verdict accept_where(const Call& call) {
  return accept_choice(call, "condition", "self", "other");
}
void run_where(const Call& call) {
  const ScalarTensor self(call, "self", call.output().dtype());
  const ScalarTensor other(call, "other", call.output().dtype());
  choose(call, call.tensor("condition"), self.tensor(), other.tensor());
}

Verdict accept_masked_fill(const Call& call) {
  return accept_choice(call, "mask", "value", "self");
}
void run_masked_fill(const Call& call) {
  const ScalarTensor value(call, "value", call.output().dtype());
  choose(call, call.tensor("mask"), value.tensor(), call.tensor("self"));
}

struct Maximum {
  template <typename T>
  T operator()(T a, T b) const {
    using Signed = std::make_signed_t<T>;
    return static_cast<Signed>(a) < static_cast<Signed>(b) ? b : a;
  }
};
struct Minimum {
  template <typename T>
  T operator()(T a, T b) const {
    using Signed = std::make_signed_t<T>;
    return static_cast<Signed>(b) < static_cast<Signed>(a) ? b : a;
  }
};

template <typename F>
constexpr KernelImpl arithmetic(Verdict (*accepts)(const Call&) = accept_integers) {
  return {.accepts = accepts, .output_layout = any_layout, .run = run_arithmetic<F>};
}
template <typename F>
constexpr KernelImpl comparison() {
  return {.accepts = accept_integers, .output_layout = any_layout, .run = run_comparison<F>};
}
template <typename F>
constexpr KernelImpl booleans() {
  return {.accepts = accept_booleans, .output_layout = any_layout, .run = run_booleans<F>};
}

}  // namespace

const KernelImpl integer_add = arithmetic<std::plus<>>(accept_unscaled_integers);
const KernelImpl integer_sub = arithmetic<std::minus<>>(accept_unscaled_integers);
const KernelImpl integer_mul = arithmetic<std::multiplies<>>();
const KernelImpl integer_maximum = arithmetic<Maximum>();
const KernelImpl integer_minimum = arithmetic<Minimum>();
const KernelImpl integer_eq = comparison<std::equal_to<>>();
const KernelImpl integer_ne = comparison<std::not_equal_to<>>();
const KernelImpl integer_lt = comparison<std::less<>>();
const KernelImpl integer_le = comparison<std::less_equal<>>();
const KernelImpl integer_gt = comparison<std::greater<>>();
const KernelImpl integer_ge = comparison<std::greater_equal<>>();
const KernelImpl bool_and = booleans<std::bit_and<>>();
const KernelImpl bool_or = booleans<std::bit_or<>>();
const KernelImpl bool_xor = booleans<std::bit_xor<>>();
const KernelImpl bool_not{.accepts = accept_not, .output_layout = any_layout, .run = run_not};
const KernelImpl where_choice{.accepts = accept_where, .output_layout = any_layout, .run = run_where};
const KernelImpl masked_fill_choice{
    .accepts = accept_masked_fill, .output_layout = any_layout, .run = run_masked_fill};

}  // namespace plumb::cpu
