// The bias and the fused arguments (residual, activation, min, max) of convolutions and linears as a GEMM
// epilogue.
#pragma once

#include <optional>
#include <string_view>

#include "engines/cpu/gemm.h"
#include "engines/engine.h"

namespace plumb::cpu {

std::optional<Activation> activation_of(std::string_view name);

// Whether bias, residual and activation are of a kind that the kernels here take.
Verdict accept_epilogue(const Call& call);

// The epilogue of a call in run(); `residual_stride` is the distance of its rows in elements.
Epilogue epilogue_of(const Call& call, std::int64_t residual_stride);

}  // namespace plumb::cpu
