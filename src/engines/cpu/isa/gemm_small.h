// Matrix products of few rows on unpacked B.
#pragma once

#include "engines/cpu/gemm.h"

namespace plumb::cpu::PLUMB_ISA {

void run_small_gemm(const SmallGemmArgs& args, std::int64_t n_begin, std::int64_t n_end);

}  // namespace plumb::cpu::PLUMB_ISA
