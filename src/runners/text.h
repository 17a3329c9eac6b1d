// printf into std::string, and numbers as people read them. Shared by all runners.
#pragma once

#include <cstddef>
#include <string>

namespace plumb {

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);
// "1.5 MiB"
std::string byte_text(std::size_t bytes);
// The line with everything that would break it or a terminal (line ends, control characters) made visible.
std::string one_line(const std::string& text);

}  // namespace plumb
