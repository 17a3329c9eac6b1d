// JPEG and PNG files to RGB, as Pillow's Image.open(path).convert("RGB"): grey is repeated, palettes are
// looked up, alpha is dropped, CMYK is taken as Adobe stores it; EXIF orientation and colour profiles are
// ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "runners/image/image.h"

namespace plumb {

// Larger pictures are refused before anything is allocated for them.
inline constexpr std::int64_t kMaxImagePixels = std::int64_t{1} << 27;

// The bytes decide about the format. Throws Error(kFile) "cannot decode PATH: reason".
Image decode_image(const std::string& path);

// The decoders of one format; `name` is the file's, for messages.
Image decode_jpeg(std::span<const std::byte> file, const std::string& name);
Image decode_png(std::span<const std::byte> file, const std::string& name);

[[noreturn]] void fail_decode(const std::string& name, const std::string& why);
void check_dimensions(std::int64_t width, std::int64_t height, const std::string& name);

}  // namespace plumb
