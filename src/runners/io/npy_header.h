// The text header of a `.npy` file: a Python dict literal with the keys descr, fortran_order and shape.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plumb/dtype.h"

namespace plumb {

struct NpyHeader {
  DType dtype = DType::kFloat32;
  bool fortran_order = false;
  std::vector<std::int64_t> sizes;
};

// Throws Error(kFile); `name` is the file's, for messages.
NpyHeader parse_npy_header(std::string_view text, const std::string& name);
// The literal, without padding. bfloat16 is described as uint16.
std::string npy_header_text(const NpyHeader& header);

}  // namespace plumb
