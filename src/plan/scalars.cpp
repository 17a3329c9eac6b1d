// Python's and torch's scalar functions that torch.export leaves in graphs. Integer rules are Python's: floor
// division, modulo with the divisor's sign.
#include "plan/scalars.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "plumb/error.h"

namespace plumb {
namespace {

const CallArgument& argument(const Call& call, std::size_t i) {
  if (i >= call.arguments.size()) call.fail("operand " + std::to_string(i) + " is missing");
  return call.arguments[i].value;
}

Scalar operand(const Call& call, std::size_t i) {
  const CallArgument& value = argument(call, i);
  if (const auto* v = std::get_if<std::int64_t>(&value)) return *v;
  if (const auto* v = std::get_if<double>(&value)) return *v;
  if (const auto* v = std::get_if<bool>(&value)) return *v;
  call.fail("operand " + std::to_string(i) + " is not a scalar");
}

bool is_float(const Scalar& s) {
  return std::holds_alternative<double>(s);
}

double as_double(const Scalar& s) {
  return std::visit([](auto v) { return static_cast<double>(v); }, s);
}

std::int64_t as_int(const Scalar& s) {
  return std::visit([](auto v) { return static_cast<std::int64_t>(v); }, s);
}

bool truth(const Scalar& s) {
  return std::visit([](auto v) { return v != decltype(v){}; }, s);
}

std::int64_t to_int(const Call& call, double value) {
  if (!(std::abs(value) < 9.2e18)) call.fail("result does not fit 64 bits");
  return static_cast<std::int64_t>(value);
}

using IntFunction = bool (*)(std::int64_t, std::int64_t, std::int64_t*);  // false: overflow

template <typename FloatFunction>
Scalar arithmetic(const Call& call, IntFunction on_ints, FloatFunction on_floats) {
  const Scalar a = operand(call, 0);
  const Scalar b = operand(call, 1);
  if (is_float(a) || is_float(b)) return on_floats(as_double(a), as_double(b));
  std::int64_t result = 0;
  if (!on_ints(as_int(a), as_int(b), &result)) call.fail("result does not fit 64 bits");
  return result;
}

template <typename Compare>
Scalar compared(const Call& call, Compare compare) {
  const Scalar a = operand(call, 0);
  const Scalar b = operand(call, 1);
  if (is_float(a) || is_float(b)) return compare(as_double(a), as_double(b));
  return compare(as_int(a), as_int(b));
}

void require_divisor(const Call& call) {
  if (!truth(operand(call, 1))) call.fail("division by zero");
}

bool floor_divide(std::int64_t a, std::int64_t b, std::int64_t* result) {
  if (a == INT64_MIN && b == -1) return false;
  *result = a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
  return true;
}

bool modulo(std::int64_t a, std::int64_t b, std::int64_t* result) {
  *result = b == -1 ? 0 : a % b;
  if (*result != 0 && (*result < 0) != (b < 0)) *result += b;
  return true;
}

bool power(std::int64_t base, std::int64_t exponent, std::int64_t* result) {
  *result = 1;
  if (exponent < 0) return false;
  if (base == 0 || base == 1) {
    *result = exponent == 0 ? 1 : base;
    return true;
  }
  if (base == -1) {
    *result = exponent % 2 == 0 ? 1 : -1;
    return true;
  }
  for (std::int64_t i = 0; i < exponent; ++i) {  // at most 63 rounds: any other base overflows by then
    if (__builtin_mul_overflow(*result, base, result)) return false;
  }
  return true;
}

Scalar add(const Call& c) {
  return arithmetic(
      c, [](auto a, auto b, auto* r) { return !__builtin_add_overflow(a, b, r); },
      [](double a, double b) { return a + b; });
}
Scalar sub(const Call& c) {
  return arithmetic(
      c, [](auto a, auto b, auto* r) { return !__builtin_sub_overflow(a, b, r); },
      [](double a, double b) { return a - b; });
}
Scalar mul(const Call& c) {
  return arithmetic(
      c, [](auto a, auto b, auto* r) { return !__builtin_mul_overflow(a, b, r); },
      [](double a, double b) { return a * b; });
}
Scalar floordiv(const Call& c) {
  require_divisor(c);
  return arithmetic(c, floor_divide, [](double a, double b) { return std::floor(a / b); });
}
Scalar mod(const Call& c) {
  require_divisor(c);
  return arithmetic(c, modulo, [](double a, double b) { return a - b * std::floor(a / b); });
}
Scalar truediv(const Call& c) {
  require_divisor(c);
  return as_double(operand(c, 0)) / as_double(operand(c, 1));
}
Scalar pow_of(const Call& c) {
  const Scalar exponent = operand(c, 1);
  if (!is_float(operand(c, 0)) && !is_float(exponent) && as_int(exponent) < 0) {
    return std::pow(as_double(operand(c, 0)), as_double(exponent));
  }
  return arithmetic(c, power, [](double a, double b) { return std::pow(a, b); });
}
Scalar maximum(const Call& c) {
  return arithmetic(
      c, [](auto a, auto b, auto* r) { return (*r = std::max(a, b), true); },
      [](double a, double b) { return std::max(a, b); });
}
Scalar minimum(const Call& c) {
  return arithmetic(
      c, [](auto a, auto b, auto* r) { return (*r = std::min(a, b), true); },
      [](double a, double b) { return std::min(a, b); });
}
Scalar neg(const Call& c) {
  const Scalar a = operand(c, 0);
  if (is_float(a)) return -as_double(a);
  if (as_int(a) == INT64_MIN) c.fail("result does not fit 64 bits");
  return -as_int(a);
}
Scalar absolute(const Call& c) {
  const Scalar a = operand(c, 0);
  return is_float(a) ? Scalar(std::abs(as_double(a))) : (as_int(a) < 0 ? neg(c) : Scalar(as_int(a)));
}
Scalar eq(const Call& c) {
  return compared(c, [](auto a, auto b) { return a == b; });
}
Scalar ne(const Call& c) {
  return compared(c, [](auto a, auto b) { return a != b; });
}
Scalar lt(const Call& c) {
  return compared(c, [](auto a, auto b) { return a < b; });
}
Scalar le(const Call& c) {
  return compared(c, [](auto a, auto b) { return a <= b; });
}
Scalar gt(const Call& c) {
  return compared(c, [](auto a, auto b) { return a > b; });
}
Scalar ge(const Call& c) {
  return compared(c, [](auto a, auto b) { return a >= b; });
}
// Python's & and |: bit by bit on ints, logical on bools.
template <typename Combine>
Scalar bitwise(const Call& c, Combine combine) {
  const Scalar a = operand(c, 0);
  const Scalar b = operand(c, 1);
  if (is_float(a) || is_float(b)) c.fail("expects ints or bools");
  const std::int64_t result = combine(as_int(a), as_int(b));
  if (std::holds_alternative<bool>(a) && std::holds_alternative<bool>(b)) return result != 0;
  return result;
}
Scalar bitwise_and(const Call& c) {
  return bitwise(c, [](std::int64_t a, std::int64_t b) { return a & b; });
}
Scalar bitwise_or(const Call& c) {
  return bitwise(c, [](std::int64_t a, std::int64_t b) { return a | b; });
}
Scalar negation(const Call& c) {
  return !truth(operand(c, 0));
}
Scalar choose(const Call& c) {
  return truth(operand(c, 0)) ? operand(c, 1) : operand(c, 2);
}
Scalar to_float(const Call& c) {
  return as_double(operand(c, 0));
}
Scalar truncated(const Call& c) {
  const Scalar a = operand(c, 0);
  return is_float(a) ? Scalar(to_int(c, std::trunc(as_double(a)))) : Scalar(as_int(a));
}
Scalar ceiling(const Call& c) {
  const Scalar a = operand(c, 0);
  return is_float(a) ? Scalar(to_int(c, std::ceil(as_double(a)))) : Scalar(as_int(a));
}
Scalar flooring(const Call& c) {
  const Scalar a = operand(c, 0);
  return is_float(a) ? Scalar(to_int(c, std::floor(as_double(a)))) : Scalar(as_int(a));
}

const Tensor& tensor_operand(const Call& call) {
  const auto* tensor = std::get_if<const Tensor*>(&argument(call, 0));
  if (tensor == nullptr) call.fail("operand 0 is not a tensor");
  return **tensor;
}

int dimension_operand(const Call& call) {
  const int rank = tensor_operand(call).rank();
  const Scalar given = operand(call, 1);
  if (is_float(given)) call.fail("the dimension is a float");
  const std::int64_t dim = as_int(given);
  if (dim < -rank || dim >= rank) call.fail("dimension " + std::to_string(dim) + " is out of range");
  return static_cast<int>(dim);
}

Scalar sym_size(const Call& c) {
  return tensor_operand(c).size(dimension_operand(c));
}
Scalar sym_numel(const Call& c) {
  return tensor_operand(c).numel();
}
// Programs mean the strides of a row-major tensor, whatever layout the plan has chosen.
Scalar sym_stride(const Call& c) {
  const Tensor& tensor = tensor_operand(c);
  return Tensor(nullptr, tensor.dtype(), tensor.sizes()).stride(dimension_operand(c));
}
Scalar zero(const Call&) {
  return std::int64_t{0};
}

Scalar local_scalar(const Call& call) {
  const Tensor& tensor = tensor_operand(call);
  if (tensor.numel() != 1) call.fail("expected one element, got " + shape_string(tensor.sizes()));
  if (!call.arguments[0].is_constant) {
    throw Error(ErrorKind::kUnsupported,
                std::string(call.op) + " at '" + std::string(call.node) +
                    "': the value depends on tensor data, which no plan can know ahead");
  }
  switch (tensor.dtype()) {
    case DType::kBool:
      return *tensor.data<bool>();
    case DType::kInt64:
      return *tensor.data<std::int64_t>();
    case DType::kInt32:
      return std::int64_t{*tensor.data<std::int32_t>()};
    case DType::kFloat32:
      return double{*tensor.data<float>()};
    case DType::kFloat64:
      return *tensor.data<double>();
    default:
      call.fail("no scalar of dtype " + std::string(dtype_name(tensor.dtype())));
  }
}

struct Row {
  std::string_view op;
  Scalar (*function)(const Call&);
};

constexpr Row kRows[] = {
    {"aten.sym_size.int", sym_size},
    {"aten.sym_numel.default", sym_numel},
    {"aten.sym_stride.int", sym_stride},
    {"aten.sym_storage_offset.default", zero},
    {"aten._local_scalar_dense.default", local_scalar},
    {"aten.item.default", local_scalar},
    {"_operator.add", add},
    {"_operator.sub", sub},
    {"_operator.mul", mul},
    {"_operator.floordiv", floordiv},
    {"_operator.truediv", truediv},
    {"_operator.mod", mod},
    {"_operator.pow", pow_of},
    {"_operator.neg", neg},
    {"_operator.abs", absolute},
    {"_operator.eq", eq},
    {"_operator.ne", ne},
    {"_operator.lt", lt},
    {"_operator.le", le},
    {"_operator.gt", gt},
    {"_operator.ge", ge},
    {"_operator.and_", bitwise_and},
    {"_operator.or_", bitwise_or},
    {"_operator.not_", negation},
    {"math.ceil", ceiling},
    {"math.floor", flooring},
    {"math.trunc", truncated},
    {"torch.sym_max", maximum},
    {"torch.sym_min", minimum},
    {"torch.sym_not", negation},
    {"torch.sym_float", to_float},
    {"torch.sym_int", truncated},
    {"torch.sym_ite", choose},
};

const Row* find_row(std::string_view op) {
  const auto* row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.op == op; });
  return row == std::end(kRows) ? nullptr : row;
}

}  // namespace

bool is_scalar_op(std::string_view op) {
  return find_row(op) != nullptr;
}

Scalar evaluate_scalar(const Call& call) {
  return find_row(call.op)->function(call);
}

}  // namespace plumb
