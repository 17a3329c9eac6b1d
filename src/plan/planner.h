// Builds a Plan: walks the graph once with known shapes.
#pragma once

#include <span>

#include "plan/compiled_method.h"

namespace plumb {

Plan make_plan(CompiledMethod& compiled, std::span<const Sizes> input_sizes, ThreadPool& pool);

}  // namespace plumb
