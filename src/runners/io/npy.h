// NumPy's `.npy` files, format versions 1 to 3, little-endian. bfloat16, which NumPy lacks, is kept as uint16
// bits in files whose name ends in ".bf16.npy". Not here: `.npz` archives, structured or object arrays.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "runners/io/array.h"

namespace plumb {

// Fortran-ordered data are turned into row-major. Throws Error(kFile) naming the file and what it breaks; the
// header is not trusted, and nothing is allocated that the file's real size does not justify.
Array read_npy(const std::string& path);
// The same on bytes; `name` is for messages.
Array parse_npy(std::span<const std::byte> file, const std::string& name, bool bfloat16);

// Whether this file name says that its uint16 are bfloat16.
bool names_bfloat16(const std::string& path);
// ".npy", or ".bf16.npy" for bfloat16.
std::string npy_extension(DType dtype);
// Writes a new file (see write_new_file) in format version 1. The tensor must be row-major.
void write_npy(const std::string& path, const Tensor& tensor);

}  // namespace plumb
