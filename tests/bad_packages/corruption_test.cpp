// Small packages cut at every byte and with every byte changed: each either loads or is refused with an
// Error. What loads is printed too, so that a reference to nowhere shows.
#include <functional>

#include "graph/print.h"
#include "support/reading.h"
#include "support/rich_method.h"

namespace plumb::testing {
namespace {

// Whether the package loaded.
bool survives(const Bytes& package, const std::string& change) {
  try {
    const auto program = read(package);
    for (const auto& method : program->methods) {
      EXPECT_FALSE(to_text(*method).empty());
      EXPECT_FALSE(to_dot(*method).empty());
    }
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("test.ptn"), 0U) << change << ": " << error.what();
    return false;
  } catch (const std::exception& error) {
    ADD_FAILURE() << change << " ends in another exception: " << error.what();
    return false;
  }
}

PackageParts rich_parts() {
  Program program = make_program(rich_method());
  program.labels = {"cat", "dog"};
  PackageParts parts = to_parts(program);
  parts.aliases = R"({"tied":"w"})";
  return parts;
}

// Every byte of `bytes` changed in two ways; `package` makes a package of them.
void flip_each(Bytes bytes, const std::string& what, const std::function<Bytes(const Bytes&)>& package) {
  ASSERT_TRUE(survives(package(bytes), what + " unchanged"));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const std::byte mask : {std::byte{0xFF}, std::byte{0x01}, std::byte{0x80}}) {
      bytes[i] ^= mask;
      survives(package(bytes), what + " with byte " + std::to_string(i) + " changed");
      bytes[i] ^= mask;
    }
  }
}

void cut_each(const Bytes& bytes, const std::string& what,
              const std::function<Bytes(const Bytes&)>& package) {
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(survives(package(cut), what + " cut to " + std::to_string(size) + " bytes"))
        << what << " " << size;
  }
}

Bytes as_it_is(const Bytes& bytes) {
  return bytes;
}

TEST(Corruption, of_any_byte_of_the_file_is_survived) {
  flip_each(make_package(rich_parts()), "file", as_it_is);
}

TEST(Corruption, of_any_byte_of_a_zip64_file_is_survived) {
  auto entries = to_entries(to_parts(make_program(small_method())));
  for (ZipEntry& entry : entries) {
    entry.zip64 = true;
    entry.descriptor = true;
    entry.alignment = 1;
  }
  flip_each(make_zip(entries, {.zip64_end = true, .comment = "end"}), "zip64 file", as_it_is);
}

TEST(Corruption, by_a_cut_anywhere_is_refused) {
  cut_each(make_package(rich_parts()), "file", as_it_is);
}

// With the right checksum, so that the change reaches the parser behind it.
TEST(Corruption, of_any_byte_of_the_program_is_survived) {
  const PackageParts parts = rich_parts();
  flip_each(parts.program, "program.ptg", [&](const Bytes& program) {
    PackageParts changed = parts;
    changed.program = program;
    return make_package(changed);
  });
}

TEST(Corruption, by_a_cut_in_the_program_is_survived) {
  const PackageParts parts = rich_parts();
  for (std::size_t size = 0; size < parts.program.size(); ++size) {
    PackageParts changed = parts;
    changed.program.resize(size);
    survives(make_package(changed), "program.ptg cut to " + std::to_string(size));
  }
}

TEST(Corruption, of_any_byte_of_the_constants_is_survived) {
  const PackageParts parts = rich_parts();
  const auto package = [&](const Bytes& constants) {
    PackageParts changed = parts;
    changed.constants = constants;
    return make_package(changed);
  };
  flip_each(parts.constants, "program.safetensors", package);
  cut_each(parts.constants, "program.safetensors", package);
}

TEST(Corruption, of_any_byte_of_the_json_members_is_survived) {
  const PackageParts parts = rich_parts();
  flip_each(to_bytes(parts.aliases), "aliases.json", [&](const Bytes& text) {
    PackageParts changed = parts;
    changed.aliases.assign(reinterpret_cast<const char*>(text.data()), text.size());
    return make_package(changed);
  });
  flip_each(to_bytes(parts.metadata), "plumb.json", [&](const Bytes& text) {
    PackageParts changed = parts;
    changed.metadata.assign(reinterpret_cast<const char*>(text.data()), text.size());
    return make_package(changed);
  });
}

}  // namespace
}  // namespace plumb::testing
