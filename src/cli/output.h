// The process's two streams.
#pragma once

#include <string>
#include <string_view>

namespace plumb::cli {

// To stdout. Throws Error(kFile) when it cannot be written.
void print(std::string_view text);
void flush_output();
// "PROGRAM: error: MESSAGE" as one line on stderr.
void print_error(const std::string& program, const std::string& message);

}  // namespace plumb::cli
