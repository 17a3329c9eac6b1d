// The container: what is accepted, and what is refused.
#include "package/zip.h"

#include "support/method_builder.h"
#include "support/reading.h"

namespace plumb::testing {
namespace {

std::vector<ZipEntry> small_entries() {
  return to_entries(to_parts(make_program(small_method())));
}

TEST(Zip, accepts_zip64_sizes_and_end_record) {
  auto entries = small_entries();
  for (ZipEntry& entry : entries) entry.zip64 = true;
  EXPECT_EQ(read(make_zip(entries, {.zip64_end = true, .comment = ""}))->constants.size(), 1U);
}

TEST(Zip, accepts_data_descriptors_with_and_without_signature) {
  for (const bool signature : {true, false}) {
    for (const bool zip64 : {true, false}) {
      auto entries = small_entries();
      for (ZipEntry& entry : entries) {
        entry.descriptor = true;
        entry.descriptor_signature = signature;
        entry.zip64 = zip64;
      }
      EXPECT_EQ(read(make_zip(entries))->constants.size(), 1U);
    }
  }
}

TEST(Zip, accepts_a_comment_and_members_of_other_tools) {
  auto entries = small_entries();
  entries.push_back({.name = "notes.txt", .data = to_bytes("hello")});
  EXPECT_EQ(read(make_zip(entries, {.zip64_end = false, .comment = "made by hand"}))->methods.size(), 1U);
}

TEST(Zip, reads_a_program_at_any_alignment) {
  for (std::size_t shift = 0; shift < 9; ++shift) {
    auto entries = small_entries();
    for (ZipEntry& entry : entries) entry.misalignment = shift;
    const auto program = read(make_zip(entries));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(program->constants[0]->data.data()) % alignof(float), 0U);
    const auto* values = reinterpret_cast<const float*>(program->constants[0]->data.data());
    EXPECT_EQ(values[3], -4.0F);
  }
}

TEST(Zip, refuses_what_is_no_zip) {
  expect_contains(refusal(Bytes{}), "test.ptn: no zip end record");
  expect_contains(refusal(to_bytes(std::string(100'000, 'P'))), "no zip end record");
}

TEST(Zip, refuses_compressed_and_encrypted_members) {
  auto entries = small_entries();
  entries[0].method = 8;
  expect_contains(refusal(make_zip(entries)), "member 'program.ptg': is compressed (method 8)");
  entries[0].method = 0;
  entries[0].flags = 1;
  expect_contains(refusal(make_zip(entries)), "member 'program.ptg': is encrypted");
}

TEST(Zip, refuses_two_members_of_one_name) {
  auto entries = small_entries();
  entries.push_back(entries[0]);
  expect_contains(refusal(make_zip(entries)), "member 'program.ptg': occurs twice");
}

TEST(Zip, refuses_sizes_beyond_the_file_and_overlap) {
  auto entries = small_entries();
  entries[1].size_change = 1'000'000;
  expect_contains(refusal(make_zip(entries)), "member 'program.safetensors': the data spans bytes");
  entries[1].size_change = 0;
  entries[0].size_change = 8;
  expect_contains(refusal(make_zip(entries)), "overlaps member 'program.ptg'");
}

TEST(Zip, refuses_headers_that_disagree) {
  Bytes package = make_zip(small_entries());
  package[22] ^= std::byte{1};  // the size in the first local header
  expect_contains(refusal(package), "differ from the central directory");
  package = make_zip(small_entries());
  package[30] = std::byte{'q'};  // the name there
  expect_contains(refusal(package), "is called 'qrogram.ptg' by its local header");
}

TEST(Zip, refuses_a_program_with_another_checksum) {
  auto entries = small_entries();
  entries[0].crc_change = 1;
  expect_contains(refusal(make_zip(entries)), "member 'program.ptg': is damaged");
}

TEST(Zip, refuses_a_package_of_several_disks) {
  Bytes package = make_zip(small_entries());
  package[package.size() - 18] = std::byte{1};  // the number of this disk
  expect_contains(refusal(package), "several disks");
}

TEST(Zip, refuses_more_members_than_the_limit) {
  auto entries = small_entries();
  for (int i = 0; i < 1024; ++i)
    entries.push_back({.name = "m" + std::to_string(i), .data = {}, .alignment = 1});
  expect_contains(refusal(make_zip(entries)), "kMaxMembers = 1024");
}

TEST(Zip, escapes_names_that_could_steer_a_terminal) {
  auto entries = small_entries();
  entries.push_back({.name = "\x1b[2J", .data = to_bytes("x"), .method = 8});
  expect_contains(refusal(make_zip(entries)), "member '\\x1b[2J'");
}

TEST(Zip, requires_the_program) {
  auto entries = small_entries();
  entries.erase(entries.begin());
  expect_contains(refusal(make_zip(entries)), "has no member 'program.ptg'");
}

}  // namespace
}  // namespace plumb::testing
