// Elementwise choice between operands: maximum, minimum, clamp, where, masked_fill. NaN wins wherever it
// takes part.
#include "engines/reference/elementwise.h"
#include "engines/reference/kernels.h"

namespace plumb::reference {
namespace {

template <typename C>
C larger(C a, C b) {
  return is_nan(a) || a > b ? a : b;
}

template <typename C>
C smaller(C a, C b) {
  return is_nan(a) || a < b ? a : b;
}

template <auto op>
void run_binary(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "other"});
  map<2>(call.output(), common, {operand(call, "self"), operand(call, "other")}, op);
}

// Either bound may be absent; the upper one wins where they cross.
void run_clamp(const Call& call) {
  const DType common = promoted_dtype(call, {"self", "min", "max"});
  const bool has_min = call.has("min");
  const bool has_max = call.has("max");
  if (!has_min && !has_max) call.fail("needs min or max");
  const Operand self = operand(call, "self");
  const Operand min = has_min ? operand(call, "min") : self;
  const Operand max = has_max ? operand(call, "max") : self;
  map<3>(call.output(), common, {self, min, max}, [&]<typename C>(C x, C lower, C upper) {
    const C raised = has_min ? larger(x, lower) : x;
    return has_max ? smaller(raised, upper) : raised;
  });
}

void run_where(const Call& call) {
  const Tensor& condition = call.tensor("condition");
  const DType common = promoted_dtype(call, {"self", "other"});
  map<3>(call.output(), common, {operand(condition), operand(call, "self"), operand(call, "other")},
         []<typename C>(C chosen, C a, C b) { return chosen != C{0} ? a : b; });
}

void run_masked_fill(const Call& call) {
  const Tensor& self = call.tensor("self");
  map<3>(call.output(), self.dtype(), {operand(self), operand(call.tensor("mask")), operand(call, "value")},
         []<typename C>(C x, C masked, C value) { return masked != C{0} ? value : x; });
}

}  // namespace

const KernelImpl maximum{.run = run_binary<[](auto a, auto b) { return larger(a, b); }>};
const KernelImpl minimum{.run = run_binary<[](auto a, auto b) { return smaller(a, b); }>};
const KernelImpl clamp{.run = run_clamp};
const KernelImpl where{.run = run_where};
const KernelImpl masked_fill{.run = run_masked_fill};

}  // namespace plumb::reference
