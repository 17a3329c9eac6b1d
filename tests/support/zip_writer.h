// Writes zips for tests: stored members, with everything that a reader has to accept or refuse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace plumb::testing {

using Bytes = std::vector<std::byte>;

Bytes to_bytes(std::string_view text);

struct ZipEntry {
  std::string name;
  Bytes data;
  std::size_t alignment = 64;    // of the data in the file
  std::size_t misalignment = 0;  // added to it
  bool zip64 = false;            // sizes in the zip64 extra field
  bool descriptor = false;       // sizes after the data, as streaming writers do
  bool descriptor_signature = true;
  std::uint16_t flags = 0;  // in addition
  std::uint16_t method = 0;
  std::int64_t size_change = 0;  // declared size minus true size, in every header
  std::uint32_t crc_change = 0;  // xor, in every header
};

struct ZipOptions {
  bool zip64_end = false;
  std::string comment;
};

Bytes make_zip(std::span<const ZipEntry> entries, const ZipOptions& options = {});

}  // namespace plumb::testing
