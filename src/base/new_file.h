// Writing a file that must not exist yet, whole or not at all. All dumps of plumb go through here.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace plumb {

// Creates `path` exclusively (O_EXCL: links count as existing), writes all parts, flushes and closes. When a
// step fails the incomplete file is removed and Error(kFile) says what failed: "cannot create PATH: File
// exists", "cannot write PATH: No space left on device". No data makes an empty file without a write call.
void write_new_file(const std::string& path, std::span<const std::span<const std::byte>> parts);
void write_new_file(const std::string& path, std::span<const std::byte> bytes);

// Throws the error that write_new_file would when something of that name exists, a dangling link included.
void refuse_existing(const std::string& path);

}  // namespace plumb
