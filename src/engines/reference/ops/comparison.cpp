// Elementwise comparisons, logic and bit operations of two operands, tensors or numbers.
#include "engines/reference/elementwise.h"
#include "engines/reference/kernels.h"

namespace plumb::reference {
namespace {

template <auto op>
void run_binary(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "other"});
  map<2>(call.output(), common, {operand(call, "self"), operand(call, "other")}, op);
}

// Each operand is a truth value in its own dtype.
template <auto op>
void run_logical(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "other"});
  map<2>(call.output(), common, {operand(call, "self"), operand(call, "other")},
         []<typename C>(C a, C b) { return op(a != C{0}, b != C{0}); });
}

template <auto op>
void run_bitwise(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "other"});
  if (is_floating_point(common))
    call.fail("bit operations take integers or bool, not floating point numbers");
  map<2>(call.output(), common, {operand(call, "self"), operand(call, "other")}, []<typename C>(C a, C b) {
    return static_cast<C>(op(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  });
}

}  // namespace

const KernelImpl eq{.run = run_binary<[](auto a, auto b) { return a == b; }>};
const KernelImpl ne{.run = run_binary<[](auto a, auto b) { return a != b; }>};
const KernelImpl lt{.run = run_binary<[](auto a, auto b) { return a < b; }>};
const KernelImpl le{.run = run_binary<[](auto a, auto b) { return a <= b; }>};
const KernelImpl gt{.run = run_binary<[](auto a, auto b) { return (a > b); }>};
const KernelImpl ge{.run = run_binary<[](auto a, auto b) { return a >= b; }>};

const KernelImpl logical_and{.run = run_logical<[](bool a, bool b) { return a && b; }>};
const KernelImpl logical_or{.run = run_logical<[](bool a, bool b) { return a || b; }>};
const KernelImpl logical_xor{.run = run_logical<[](bool a, bool b) { return a != b; }>};

const KernelImpl bitwise_and{.run = run_bitwise<[](std::uint64_t a, std::uint64_t b) { return a & b; }>};
const KernelImpl bitwise_or{.run = run_bitwise<[](std::uint64_t a, std::uint64_t b) { return a | b; }>};
const KernelImpl bitwise_xor{.run = run_bitwise<[](std::uint64_t a, std::uint64_t b) { return a ^ b; }>};

}  // namespace plumb::reference
