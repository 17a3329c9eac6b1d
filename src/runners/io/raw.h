// Files of raw little-endian float32 without a header.
#pragma once

#include <string>

#include "runners/io/array.h"

namespace plumb {

// One dimension. Throws Error(kFile) when the size is no multiple of four.
Array read_raw_float32(const std::string& path);
// `.npy`, which must hold float32, or raw for every other extension.
Array read_float32(const std::string& path);

}  // namespace plumb
