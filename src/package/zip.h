// The container: finds the members of a zip whose members are all stored. Every header is checked against the
// others and against the size of the file before any of it is used. Not here: what the members contain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "package/place.h"

namespace plumb {

struct ZipMember {
  std::string name;
  std::span<const std::byte> data;  // within the file; at any alignment
  std::uint32_t crc32 = 0;          // as declared: see check_crc
};

// Members in the order of the central directory. Throws Error(kPackage) for everything that is not a plain
// zip of stored members with different names that do not overlap. Cost: the directory and the headers, not
// the data.
std::vector<ZipMember> read_zip(std::span<const std::byte> file, const Place& package);

// Null when there is no member of this name.
const ZipMember* find_member(std::span<const ZipMember> members, std::string_view name);

// Reads all bytes of the member: for members that are read anyway.
void check_crc(const ZipMember& member, const Place& package);

}  // namespace plumb
