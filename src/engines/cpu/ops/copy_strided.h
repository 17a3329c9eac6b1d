// Copying between any two layouts, with conversion where dtypes differ. The workhorse of clone, cat, pad and
// the like.
#pragma once

#include <cstdint>

#include "base/thread_pool.h"
#include "engines/engine.h"
#include "plumb/tensor.h"

namespace plumb::cpu {

// out = in, broadcast to out's sizes, on the call's thread pool and instruction set. Both dtypes must have a
// conversion, or be equal.
void copy_strided(const Call& call, const Tensor& out, const Tensor& in);

// Every element of `out` becomes the value of the 0-d tensor at `value`, which has out's dtype.
void fill_strided(const Tensor& out, const void* value, ThreadPool* pool);

// The part of `tensor` from `begin` to `begin + size` along `dim`.
Tensor narrow(const Tensor& tensor, int dim, std::int64_t begin, std::int64_t size);

}  // namespace plumb::cpu
