// Reading padding operators.
#include "engines/padding.h"

#include <algorithm>
#include <limits>
#include <string>

#include "plumb/tensor.h"

namespace plumb {
namespace {

PadMode read_mode(const Call& call) {
  if (call.op.starts_with("aten.reflection_pad")) return PadMode::kReflect;
  if (call.op.starts_with("aten.replication_pad")) return PadMode::kReplicate;
  if (call.op != "aten.pad.default") return PadMode::kConstant;
  const std::string mode = call.text("mode", "constant");
  if (mode == "constant") return PadMode::kConstant;
  if (mode == "reflect") return PadMode::kReflect;
  if (mode == "replicate") return PadMode::kReplicate;
  if (mode == "circular") return PadMode::kCircular;
  call.fail("padding mode '" + mode + "'; expected constant, reflect, replicate or circular");
}

// What a dimension must have for the border to be made of its own elements.
void check_source(const Call& call, PadMode mode, std::int64_t pad, std::int64_t size) {
  const bool fits = mode == PadMode::kConstant || pad <= 0 || (mode == PadMode::kReflect && pad < size) ||
                    (mode == PadMode::kReplicate && size > 0) || (mode == PadMode::kCircular && pad <= size);
  if (!fits) {
    call.fail("padding by " + std::to_string(pad) + " needs more than the " + std::to_string(size) +
              " elements of the dimension");
  }
}

}  // namespace

Padding read_padding(const Call& call) {
  const Tensor& self = call.tensor("self");
  const std::size_t rank = self.sizes().size();
  Padding padding;
  padding.mode = read_mode(call);
  const bool named_pad = call.has("pad");
  const std::vector<std::int64_t> pads = call.ints(named_pad ? "pad" : "padding");
  if (pads.size() % 2 != 0 || pads.size() > 2 * rank) {
    call.fail("padding " + shape_string(pads) + " for a tensor of shape " + shape_string(self.sizes()) +
              "; expected two entries a dimension, from the last one");
  }
  padding.before.assign(rank, 0);
  padding.after.assign(rank, 0);
  constexpr std::int64_t kLimit = std::numeric_limits<std::int32_t>::max();
  for (std::size_t i = 0; i < pads.size(); ++i) {
    if (pads[i] < -kLimit || pads[i] > kLimit)
      call.fail("padding " + shape_string(pads) + " is out of range");
    (i % 2 == 0 ? padding.before : padding.after)[rank - 1 - i / 2] = pads[i];
  }
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t size = self.sizes()[d];
    check_source(call, padding.mode, padding.before[d], size);
    check_source(call, padding.mode, padding.after[d], size);
    std::int64_t output = 0;
    if (__builtin_add_overflow(size, padding.before[d] + padding.after[d], &output) || output < 0) {
      call.fail("padding " + shape_string(pads) + " leaves nothing of shape " + shape_string(self.sizes()));
    }
    padding.output.push_back(output);
  }
  if (padding.mode == PadMode::kConstant) padding.value = call.number("value", 0.0);
  return padding;
}

std::int64_t padded_source(PadMode mode, std::int64_t at, std::int64_t before, std::int64_t size) {
  const std::int64_t source = at - before;
  if (source >= 0 && source < size) return source;
  switch (mode) {
    case PadMode::kConstant:
      return -1;
    case PadMode::kReflect:
      return source < 0 ? -source : 2 * (size - 1) - source;
    case PadMode::kReplicate:
      return std::clamp<std::int64_t>(source, 0, size - 1);
    case PadMode::kCircular:
      return source < 0 ? source + size : source - size;
  }
  return -1;
}

}  // namespace plumb
