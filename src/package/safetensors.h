// The constants' file: which tensor lies where. Not here: which tensors a program wants (constants.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "package/place.h"
#include "plumb/dtype.h"

namespace plumb {

struct StoredTensor {
  std::string key;
  DType dtype = DType::kFloat32;
  std::vector<std::int64_t> sizes;
  std::span<const std::byte> data;  // row-major little-endian, at any alignment
};

// Tensors in the order of their data. `__metadata__` is skipped. Throws Error(kPackage) unless each tensor
// has a known dtype, a shape that fits its bytes, and the data follow one another without gap or overlap to
// the end of the member.
std::vector<StoredTensor> read_safetensors(std::span<const std::byte> bytes, const Place& member);

}  // namespace plumb
