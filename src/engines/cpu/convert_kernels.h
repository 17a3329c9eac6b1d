// Conversions between float and the 16-bit floating-point formats with vector instructions, rounding to
// nearest even. Types only, see isa_kernels.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace plumb::cpu {

// Converts `count` elements; steps count bytes.
using ConvertRun = void (*)(std::byte* out, std::int64_t out_step, const std::byte* in, std::int64_t in_step,
                            std::int64_t count);

struct ConvertKernels {
  ConvertRun half_to_float;
  ConvertRun float_to_half;
  ConvertRun bfloat16_to_float;
  ConvertRun float_to_bfloat16;
};

}  // namespace plumb::cpu
