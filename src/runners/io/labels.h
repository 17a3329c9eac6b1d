// Class labels, one a line.
#pragma once

#include <string>
#include <vector>

namespace plumb {

// Line ends may be LF or CRLF; an empty last line is none. Throws Error(kFile), also for an empty file.
std::vector<std::string> read_labels(const std::string& path);

}  // namespace plumb
