// JSON from a package: parsed with limits on size and depth, repeated keys refused.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>

#include "package/place.h"

namespace plumb {

// The object that the bytes hold. Throws Error(kPackage) when they hold anything else.
nlohmann::json parse_json_object(std::span<const std::byte> bytes, const Place& place);

}  // namespace plumb
