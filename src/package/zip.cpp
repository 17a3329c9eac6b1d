// Reading the structures of a zip. Field offsets are those of PKWARE's APPNOTE, sections 4.3 and 4.5.
#include "package/zip.h"

#include <zlib.h>

#include <algorithm>
#include <optional>
#include <set>

#include "package/limits.h"

namespace plumb {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kCentralHeader = 0x02014b50;
constexpr std::uint32_t kEndRecord = 0x06054b50;
constexpr std::uint32_t kZip64EndRecord = 0x06064b50;
constexpr std::uint32_t kZip64Locator = 0x07064b50;
constexpr std::uint32_t kDataDescriptor = 0x08074b50;

constexpr std::uint64_t kLocalHeaderSize = 30;
constexpr std::uint64_t kCentralHeaderSize = 46;
constexpr std::uint64_t kEndRecordSize = 22;
constexpr std::uint64_t kZip64EndRecordSize = 56;
constexpr std::uint64_t kZip64LocatorSize = 20;
constexpr std::uint64_t kMaxCommentSize = 0xFFFF;

constexpr std::uint16_t kZip64ExtraId = 1;
constexpr std::uint32_t kIn64Bits32 = 0xFFFFFFFF;  // "the value is in the zip64 record"
constexpr std::uint16_t kIn64Bits16 = 0xFFFF;

constexpr unsigned kFlagEncrypted = 1U << 0;
constexpr unsigned kFlagDescriptor = 1U << 3;
constexpr unsigned kFlagPatch = 1U << 5;
constexpr unsigned kFlagStrongEncryption = 1U << 6;
constexpr unsigned kFlagMaskedHeaders = 1U << 13;

// Little-endian reads that fail instead of leaving the file.
class Bytes {
 public:
  Bytes(std::span<const std::byte> data, const Place& place) : data_(data), place_(place) {}

  std::uint64_t size() const { return data_.size(); }
  const Place& place() const { return place_; }

  std::span<const std::byte> part(std::uint64_t offset, std::uint64_t length, std::string_view what) const {
    if (offset > size() || length > size() - offset) {
      place_.fail(std::string(what) + " spans bytes " + std::to_string(offset) + " to " +
                  std::to_string(offset) + "+" + std::to_string(length) + "; expected at most " +
                  std::to_string(size()));
    }
    return data_.subspan(offset, length);
  }
  std::uint16_t u16(std::uint64_t offset, std::string_view what) const {
    return static_cast<std::uint16_t>(number(offset, 2, what));
  }
  std::uint32_t u32(std::uint64_t offset, std::string_view what) const {
    return static_cast<std::uint32_t>(number(offset, 4, what));
  }
  std::uint64_t u64(std::uint64_t offset, std::string_view what) const { return number(offset, 8, what); }

 private:
  std::uint64_t number(std::uint64_t offset, std::uint64_t width, std::string_view what) const {
    const auto bytes = part(offset, width, what);
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
      value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    return value;
  }

  std::span<const std::byte> data_;
  const Place& place_;
};

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t entries = 0;
  std::uint64_t end = 0;  // where the end records begin
};

// The end record is the last thing of the file but for a comment of at most 64 KiB.
std::uint64_t find_end_record(const Bytes& file) {
  if (file.size() >= kEndRecordSize) {
    const std::uint64_t last = file.size() - kEndRecordSize;
    const std::uint64_t first = last > kMaxCommentSize ? last - kMaxCommentSize : 0;
    for (std::uint64_t at = last + 1; at-- > first;) {
      if (file.u32(at, "end record") == kEndRecord &&
          file.u16(at + 20, "end record") == file.size() - at - kEndRecordSize) {
        return at;
      }
    }
  }
  file.place().fail("no zip end record at the end of the file; expected a complete .ptn (zip) file");
}

void require_one_disk(const Bytes& file, std::uint64_t disk, std::uint64_t directory_disk) {
  if (disk != 0 || directory_disk != 0) file.place().fail("the zip spans several disks; expected one file");
}

Directory read_zip64_end(const Bytes& file, std::uint64_t locator) {
  const std::string_view what = "zip64 end record";
  const std::uint64_t at = file.u64(locator + 8, what);
  require_one_disk(file, file.u32(locator + 4, what), 0);
  if (file.u32(locator + 16, what) > 1) require_one_disk(file, 1, 0);
  if (at > locator || locator - at < kZip64EndRecordSize || file.u32(at, what) != kZip64EndRecord) {
    file.place().fail("the zip64 locator points to byte " + std::to_string(at) +
                      ", where no zip64 end record is");
  }
  const std::uint64_t rest = file.u64(at + 4, what);  // size of the record after this field
  if (rest != locator - at - 12) {
    file.place().fail("the zip64 end record declares " + std::to_string(rest) + " bytes; expected " +
                      std::to_string(locator - at - 12));
  }
  require_one_disk(file, file.u32(at + 16, what), file.u32(at + 20, what));
  if (file.u64(at + 24, what) != file.u64(at + 32, what)) require_one_disk(file, 1, 0);
  return {.offset = file.u64(at + 48, what),
          .size = file.u64(at + 40, what),
          .entries = file.u64(at + 32, what),
          .end = at};
}

Directory read_end(const Bytes& file) {
  const std::string_view what = "end record";
  const std::uint64_t at = find_end_record(file);
  const std::uint16_t entries = file.u16(at + 10, what);
  Directory directory{
      .offset = file.u32(at + 16, what), .size = file.u32(at + 12, what), .entries = entries, .end = at};
  if (at >= kZip64LocatorSize && file.u32(at - kZip64LocatorSize, what) == kZip64Locator) {
    const Directory wide = read_zip64_end(file, at - kZip64LocatorSize);
    const bool agree = (entries == kIn64Bits16 || entries == wide.entries) &&
                       (directory.size == kIn64Bits32 || directory.size == wide.size) &&
                       (directory.offset == kIn64Bits32 || directory.offset == wide.offset);
    if (!agree) file.place().fail("the zip end record and the zip64 end record disagree");
    directory = wide;
  } else {
    require_one_disk(file, file.u16(at + 4, what), file.u16(at + 6, what));
    if (file.u16(at + 8, what) != entries) require_one_disk(file, 1, 0);
  }
  if (directory.offset > directory.end || directory.size != directory.end - directory.offset) {
    file.place().fail("the central directory spans bytes " + std::to_string(directory.offset) + " to " +
                      std::to_string(directory.offset) + "+" + std::to_string(directory.size) +
                      "; expected an end at byte " + std::to_string(directory.end));
  }
  if (directory.entries > limits::kMaxMembers) {
    file.place().fail("the zip has " + std::to_string(directory.entries) +
                      " members; expected at most kMaxMembers = " + std::to_string(limits::kMaxMembers));
  }
  return directory;
}

// One header's view of a member; the local header and the central directory each have one.
struct Header {
  std::string_view name;
  unsigned flags = 0;
  unsigned method = 0;
  std::uint32_t crc32 = 0;
  std::uint64_t compressed = 0;
  std::uint64_t size = 0;
  std::uint64_t local_offset = 0;
  std::uint64_t disk = 0;
};

// Replaces the fields that say "see the zip64 extra field", which holds just those, in this order.
void resolve_zip64(std::span<const std::byte> extra, std::span<std::uint64_t* const> wide,
                   std::uint64_t* disk, const Place& member) {
  const Bytes bytes(extra, member);
  const std::string_view what = "the extra field";
  bool found = false;
  for (std::uint64_t at = 0; bytes.size() - at >= 4;) {
    const std::uint16_t id = bytes.u16(at, what);
    const std::uint16_t length = bytes.u16(at + 2, what);
    const Bytes body(bytes.part(at + 4, length, what), member);
    at += 4U + length;
    if (id != kZip64ExtraId) continue;
    if (found) member.fail("has two zip64 extra fields; expected one");
    found = true;
    std::uint64_t next = 0;
    for (std::uint64_t* value : wide) {
      if (*value != kIn64Bits32) continue;
      *value = body.u64(next, "the zip64 extra field");
      next += 8;
    }
    if (disk != nullptr && *disk == kIn64Bits16) *disk = body.u32(next, "the zip64 extra field");
  }
}

void check_stored(const Header& header, const Place& member) {
  if ((header.flags & (kFlagEncrypted | kFlagStrongEncryption | kFlagMaskedHeaders)) != 0) {
    member.fail("is encrypted; expected a stored member");
  }
  if ((header.flags & kFlagPatch) != 0) member.fail("is patch data; expected a stored member");
  if (header.method != 0) {
    member.fail("is compressed (method " + std::to_string(header.method) + "); expected a stored member");
  }
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A member and the bytes that belong to it, headers included.
struct Extent {
  ZipMember member;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// After the data of a streamed member: crc and sizes once more, with or without a signature, in 4 or 8 bytes.
std::uint64_t descriptor_end(const Bytes& file, std::uint64_t at, const Header& header, std::uint64_t limit,
                             const Place& member) {
  for (const std::uint64_t signature : {4U, 0U}) {
    for (const std::uint64_t width : {4U, 8U}) {
      const std::uint64_t end = at + signature + 4 + 2 * width;
      if (end > limit) continue;
      if (signature != 0 && file.u32(at, "data descriptor") != kDataDescriptor) continue;
      const std::uint64_t body = at + signature;
      const auto size_at = [&](std::uint64_t offset) {
        return width == 4 ? file.u32(offset, "data descriptor") : file.u64(offset, "data descriptor");
      };
      if (file.u32(body, "data descriptor") == header.crc32 && size_at(body + 4) == header.compressed &&
          size_at(body + 4 + width) == header.size) {
        return end;
      }
    }
  }
  member.fail("has no data descriptor that agrees with the central directory");
}

Extent read_local(const Bytes& file, const Header& central, const Directory& directory, const Place& member) {
  const std::uint64_t at = central.local_offset;
  const std::string_view what = "local header";
  const Bytes bytes(file.part(0, directory.offset, what), member);
  if (bytes.u32(at, what) != kLocalHeader) {
    member.fail("has no local header at byte " + std::to_string(at));
  }
  Header local{.name = {},
               .flags = bytes.u16(at + 6, what),
               .method = bytes.u16(at + 8, what),
               .crc32 = bytes.u32(at + 14, what),
               .compressed = bytes.u32(at + 18, what),
               .size = bytes.u32(at + 22, what)};
  const std::uint16_t name_length = bytes.u16(at + 26, what);
  const std::uint16_t extra_length = bytes.u16(at + 28, what);
  local.name = as_text(bytes.part(at + kLocalHeaderSize, name_length, what));
  std::uint64_t* const wide[] = {&local.size, &local.compressed};
  resolve_zip64(bytes.part(at + kLocalHeaderSize + name_length, extra_length, what), wide, nullptr, member);

  if (local.name != central.name) member.fail("is called " + in_quotes(local.name) + " by its local header");
  check_stored(local, member);
  const bool streamed = (central.flags & kFlagDescriptor) != 0;
  if (((local.flags & kFlagDescriptor) != 0) != streamed) {
    member.fail("has flags in its local header that differ from the central directory");
  }
  const bool empty = local.size == 0 && local.compressed == 0 && local.crc32 == 0;
  const bool same =
      local.size == central.size && local.compressed == central.compressed && local.crc32 == central.crc32;
  if (!same && !(streamed && empty)) {
    member.fail("has size or checksum in its local header that differ from the central directory");
  }

  const std::uint64_t data_offset = at + kLocalHeaderSize + name_length + extra_length;
  Extent extent;
  extent.member = {.name = std::string(central.name),
                   .data = bytes.part(data_offset, central.size, "the data"),
                   .crc32 = central.crc32};
  extent.begin = at;
  extent.end = data_offset + central.size;
  if (streamed) extent.end = descriptor_end(bytes, extent.end, central, directory.offset, member);
  return extent;
}

// Reads the central header at `at` and moves `at` behind it.
Header read_central(const Bytes& directory, std::uint64_t& at, std::size_t index) {
  const std::string_view what = "central directory";
  const Place entry(directory.place(), "member", index);
  const Bytes bytes(directory.part(0, directory.size(), what), entry);
  if (bytes.u32(at, what) != kCentralHeader) entry.fail("has no central directory header");
  Header header{.name = {},
                .flags = bytes.u16(at + 8, what),
                .method = bytes.u16(at + 10, what),
                .crc32 = bytes.u32(at + 16, what),
                .compressed = bytes.u32(at + 20, what),
                .size = bytes.u32(at + 24, what),
                .local_offset = bytes.u32(at + 42, what),
                .disk = bytes.u16(at + 34, what)};
  const std::uint16_t name_length = bytes.u16(at + 28, what);
  const std::uint16_t extra_length = bytes.u16(at + 30, what);
  const std::uint16_t comment_length = bytes.u16(at + 32, what);
  at += kCentralHeaderSize;
  header.name = as_text(bytes.part(at, name_length, what));
  at += name_length;
  const auto extra = bytes.part(at, extra_length, what);
  at += extra_length;
  bytes.part(at, comment_length, what);
  at += comment_length;

  if (header.name.empty() || header.name.size() > limits::kMaxMemberNameBytes) {
    entry.fail("has a name of " + std::to_string(header.name.size()) +
               " bytes; expected 1 to kMaxMemberNameBytes = " + std::to_string(limits::kMaxMemberNameBytes));
  }
  const Place member(directory.place(), "member", header.name);
  std::uint64_t* const wide[] = {&header.size, &header.compressed, &header.local_offset};
  resolve_zip64(extra, wide, &header.disk, member);
  if (header.disk != 0) member.fail("is on another disk; expected one file");
  check_stored(header, member);
  if (header.compressed != header.size) {
    member.fail("stores " + std::to_string(header.compressed) + " bytes for " + std::to_string(header.size) +
                "; expected equal sizes of a stored member");
  }
  return header;
}

void refuse_overlap(std::span<const Extent> extents, const Place& package) {
  std::vector<const Extent*> order;
  for (const Extent& extent : extents) order.push_back(&extent);
  std::sort(order.begin(), order.end(), [](const Extent* a, const Extent* b) { return a->begin < b->begin; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (order[i]->begin < order[i - 1]->end) {
      Place(package, "member", order[i]->member.name)
          .fail("overlaps member " + in_quotes(order[i - 1]->member.name));
    }
  }
}

}  // namespace

std::vector<ZipMember> read_zip(std::span<const std::byte> file, const Place& package) {
  const Bytes bytes(file, package);
  const Directory directory = read_end(bytes);
  const Bytes headers(bytes.part(directory.offset, directory.size, "central directory"), package);
  std::vector<Extent> extents;
  std::set<std::string_view> names;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < directory.entries; ++i) {
    const Header header = read_central(headers, at, i);
    const Place member(package, "member", header.name);
    if (!names.insert(header.name).second) member.fail("occurs twice; expected different names");
    extents.push_back(read_local(bytes, header, directory, member));
  }
  if (at != directory.size) {
    package.fail("the central directory has " + std::to_string(directory.size - at) +
                 " bytes after its last entry");
  }
  refuse_overlap(extents, package);
  std::vector<ZipMember> members;
  for (Extent& extent : extents) members.push_back(std::move(extent.member));
  return members;
}

const ZipMember* find_member(std::span<const ZipMember> members, std::string_view name) {
  const auto it = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.name == name; });
  return it == members.end() ? nullptr : &*it;
}

void check_crc(const ZipMember& member, const Place& package) {
  const auto crc = crc32_z(0, reinterpret_cast<const unsigned char*>(member.data.data()), member.data.size());
  if (crc != member.crc32) {
    Place(package, "member", member.name).fail("is damaged: its bytes do not have the declared CRC-32");
  }
}

}  // namespace plumb
