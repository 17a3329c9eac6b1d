// The headers in the order of the file.
#include "support/zip_writer.h"

#include <zlib.h>

#include <algorithm>

namespace plumb::testing {
namespace {

constexpr std::uint32_t kIn64Bits = 0xFFFFFFFF;
constexpr std::uint16_t kPaddingId = 0xD935;
constexpr std::size_t kExtraHead = 4;

class Writer {
 public:
  template <typename T>
  void number(T value, std::size_t width = sizeof(T)) {
    auto rest = static_cast<std::uint64_t>(value);
    for (std::size_t i = 0; i < width; ++i) {
      bytes_.push_back(static_cast<std::byte>(rest & 0xFF));
      rest >>= 8;
    }
  }
  void append(std::span<const std::byte> data) { bytes_.insert(bytes_.end(), data.begin(), data.end()); }
  std::size_t size() const { return bytes_.size(); }
  Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

struct Written {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t crc = 0;
};

std::uint16_t flags_of(const ZipEntry& entry) {
  return static_cast<std::uint16_t>(entry.flags | (entry.descriptor ? 1U << 3 : 0U));
}

Written write_local(Writer& out, const ZipEntry& entry) {
  Written written{
      .offset = out.size(),
      .size = entry.data.size() + static_cast<std::uint64_t>(entry.size_change),
      .crc = static_cast<std::uint32_t>(
                 crc32_z(0, reinterpret_cast<const unsigned char*>(entry.data.data()), entry.data.size())) ^
             entry.crc_change};
  const std::size_t wide = entry.zip64 ? kExtraHead + 16 : 0;
  const std::size_t fixed = out.size() + 30 + entry.name.size() + wide + kExtraHead;
  const std::size_t padding =
      (entry.alignment - fixed % entry.alignment) % entry.alignment + entry.misalignment;
  out.number(std::uint32_t{0x04034b50});
  out.number(std::uint16_t{45});
  out.number(flags_of(entry));
  out.number(entry.method);
  out.number(std::uint32_t{0});  // time and date
  out.number(entry.descriptor ? 0 : written.crc);
  for (int i = 0; i < 2; ++i) {
    out.number(static_cast<std::uint32_t>(entry.zip64 ? kIn64Bits : entry.descriptor ? 0 : written.size));
  }
  out.number(static_cast<std::uint16_t>(entry.name.size()));
  out.number(static_cast<std::uint16_t>(wide + kExtraHead + padding));
  out.append(std::as_bytes(std::span(entry.name)));
  if (entry.zip64) {
    out.number(std::uint16_t{1});
    out.number(std::uint16_t{16});
    out.number(entry.descriptor ? 0 : written.size);
    out.number(entry.descriptor ? 0 : written.size);
  }
  out.number(kPaddingId);
  out.number(static_cast<std::uint16_t>(padding));
  out.append(Bytes(padding));
  out.append(entry.data);
  if (entry.descriptor) {
    if (entry.descriptor_signature) out.number(std::uint32_t{0x08074b50});
    out.number(written.crc);
    for (int i = 0; i < 2; ++i) out.number(written.size, entry.zip64 ? 8 : 4);
  }
  return written;
}

void write_central(Writer& out, const ZipEntry& entry, const Written& written) {
  out.number(std::uint32_t{0x02014b50});
  out.number(std::uint16_t{45});
  out.number(std::uint16_t{45});
  out.number(flags_of(entry));
  out.number(entry.method);
  out.number(std::uint32_t{0});
  out.number(written.crc);
  for (int i = 0; i < 2; ++i) {
    out.number(entry.zip64 ? kIn64Bits : static_cast<std::uint32_t>(written.size));
  }
  out.number(static_cast<std::uint16_t>(entry.name.size()));
  out.number(static_cast<std::uint16_t>(entry.zip64 ? kExtraHead + 24 : 0));
  out.append(Bytes(2 + 2 + 2 + 4));  // comment, disk, attributes
  out.number(entry.zip64 ? kIn64Bits : static_cast<std::uint32_t>(written.offset));
  out.append(std::as_bytes(std::span(entry.name)));
  if (entry.zip64) {
    out.number(std::uint16_t{1});
    out.number(std::uint16_t{24});
    out.number(written.size);
    out.number(written.size);
    out.number(written.offset);
  }
}

void write_zip64_end(Writer& out, std::uint64_t entries, std::uint64_t offset, std::uint64_t size) {
  const std::uint64_t at = out.size();
  out.number(std::uint32_t{0x06064b50});
  out.number(std::uint64_t{44});
  out.number(std::uint16_t{45});
  out.number(std::uint16_t{45});
  out.append(Bytes(8));  // disks
  out.number(entries);
  out.number(entries);
  out.number(size);
  out.number(offset);
  out.number(std::uint32_t{0x07064b50});
  out.append(Bytes(4));
  out.number(at);
  out.number(std::uint32_t{1});
}

}  // namespace

Bytes to_bytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Bytes make_zip(std::span<const ZipEntry> entries, const ZipOptions& options) {
  Writer out;
  std::vector<Written> written;
  for (const ZipEntry& entry : entries) written.push_back(write_local(out, entry));
  const std::uint64_t offset = out.size();
  for (std::size_t i = 0; i < entries.size(); ++i) write_central(out, entries[i], written[i]);
  const std::uint64_t size = out.size() - offset;
  if (options.zip64_end) write_zip64_end(out, entries.size(), offset, size);
  out.number(std::uint32_t{0x06054b50});
  out.append(Bytes(4));  // disks
  for (int i = 0; i < 2; ++i)
    out.number(static_cast<std::uint16_t>(options.zip64_end ? 0xFFFF : entries.size()));
  out.number(options.zip64_end ? kIn64Bits : static_cast<std::uint32_t>(size));
  out.number(options.zip64_end ? kIn64Bits : static_cast<std::uint32_t>(offset));
  out.number(static_cast<std::uint16_t>(options.comment.size()));
  out.append(std::as_bytes(std::span(options.comment)));
  return out.take();
}

}  // namespace plumb::testing
