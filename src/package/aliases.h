// Keys of constants that are stored under another key.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "package/place.h"
#include "package/safetensors.h"

namespace plumb {

// (duplicate, owner) pairs, ordered by duplicate. Throws Error(kPackage) unless every owner is stored and no
// duplicate is: by that rule there are neither chains nor cycles.
std::vector<std::pair<std::string, std::string>> read_aliases(std::span<const std::byte> json,
                                                              std::span<const StoredTensor> stored,
                                                              const Place& member);

}  // namespace plumb
