// Reads a package whole: the one entrance to this folder for the stages that follow.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "graph/graph.h"

namespace plumb {

// Maps the file. Throws Error(kFile) when it cannot be read, Error(kPackage) when it breaks the format: the
// message names the member, the method, the node and the field.
std::shared_ptr<const Program> read_program(const std::string& path);

// The same from memory that `owner` keeps alive for the program; `path` is for messages.
std::shared_ptr<const Program> read_program(std::span<const std::byte> file,
                                            std::shared_ptr<const void> owner, const std::string& path);

}  // namespace plumb
