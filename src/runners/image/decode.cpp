// Chooses the decoder by the file's first bytes.
#include "runners/image/decode.h"

#include <cstring>
#include <string_view>

#include "base/mapped_file.h"
#include "plumb/error.h"

namespace plumb {
namespace {

bool starts_with(std::span<const std::byte> file, std::string_view magic) {
  return file.size() >= magic.size() && std::memcmp(file.data(), magic.data(), magic.size()) == 0;
}

}  // namespace

void fail_decode(const std::string& name, const std::string& why) {
  throw Error(ErrorKind::kFile, "cannot decode " + name + ": " + why);
}

void check_dimensions(std::int64_t width, std::int64_t height, const std::string& name) {
  if (width > 0 && height > 0 && width <= kMaxImagePixels / height) return;
  fail_decode(name, "it is " + std::to_string(width) + " x " + std::to_string(height) +
                        " pixels; expected 1 to " + std::to_string(kMaxImagePixels) + " in all");
}

Image decode_image(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (starts_with(file->bytes(), "\xff\xd8\xff")) return decode_jpeg(file->bytes(), path);
  if (starts_with(file->bytes(), "\x89PNG\r\n\x1a\n")) return decode_png(file->bytes(), path);
  fail_decode(path, "it is neither a JPEG nor a PNG file");
}

}  // namespace plumb
