// What travels with a program for the runners: labels, and how an image becomes the input.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "package/place.h"
#include "plumb/package.h"

namespace plumb {

struct Metadata {
  std::vector<std::string> labels;
  std::optional<PreprocessingInfo> preprocessing;
};

// Throws Error(kPackage) for unknown keys too: preprocessing that is half understood gives wrong pixels
// silently.
Metadata read_metadata(std::span<const std::byte> json, const Place& member);

}  // namespace plumb
