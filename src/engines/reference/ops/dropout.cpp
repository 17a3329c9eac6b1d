// Dropout in inference, where it changes nothing.
#include "engines/reference/kernels.h"
#include "engines/reference/movement.h"

namespace plumb::reference {
namespace {

void run_dropout(const Call& call) {
  copy_elements(call.output(), call.tensor("input"));
}

// The second output tells which elements were kept: all.
void run_native_dropout(const Call& call) {
  run_dropout(call);
  const std::uint8_t kept = 1;
  copy_elements(call.output(1), Tensor(const_cast<std::uint8_t*>(&kept), DType::kBool, {}));
}

Verdict accepts_inference(const Call& call) {
  if (call.boolean("train", true) && call.number("p") != 0.0)
    return Verdict::no("training, which drops elements");
  return Verdict::yes();
}

}  // namespace

const KernelImpl dropout{.accepts = accepts_inference, .run = run_dropout};
const KernelImpl native_dropout{.accepts = accepts_inference, .run = run_native_dropout};

}  // namespace plumb::reference
