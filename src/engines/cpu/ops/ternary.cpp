// addcmul and addcdiv, computed in float.
#include <string>

#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/common_arguments.h"
#include "engines/cpu/ops/elementwise.h"

namespace plumb::cpu {
namespace {

Verdict accept_ternary(const Call& call) {
  if (!computes_in_float(call.output().dtype())) {
    return Verdict::no("the result is " + std::string(dtype_name(call.output().dtype())) +
                       ", not float32 or half");
  }
  for (const char* name : {"self", "tensor1", "tensor2"}) {
    if (!converts_to_float(call.tensor(name).dtype()))
      return Verdict::no("no conversion of '" + std::string(name) + "' to float");
  }
  return Verdict::yes();
}

template <ElementOp op>
void run(const Call& call) {
  const Tensor* inputs[] = {&call.tensor("self"), &call.tensor("tensor1"), &call.tensor("tensor2")};
  run_elementwise(call, op, call.output(), inputs, {static_cast<float>(call.number("value", 1.0))});
}

}  // namespace

const KernelImpl ternary_addcmul{
    .accepts = accept_ternary, .output_layout = any_layout, .run = run<ElementOp::kAddProduct>};
const KernelImpl ternary_addcdiv{
    .accepts = accept_ternary, .output_layout = any_layout, .run = run<ElementOp::kAddQuotient>};

}  // namespace plumb::cpu
