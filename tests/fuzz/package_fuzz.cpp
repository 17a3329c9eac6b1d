// libFuzzer target: any bytes as a whole package and, since a checksum stops most changes there, as the
// program of one. Run it as `package_fuzz CORPUS`, the corpus holding .ptn files and program.ptg members.
#include <cstddef>
#include <cstdint>
#include <memory>

#include "graph/print.h"
#include "package/reader.h"
#include "plumb/error.h"
#include "support/package_writer.h"

namespace {

void load(const plumb::testing::Bytes& package) {
  const auto owner = std::make_shared<const plumb::testing::Bytes>(package);
  try {
    const auto program = plumb::read_program(*owner, owner, "fuzz.ptn");
    for (const auto& method : program->methods) {
      plumb::to_text(*method);
      plumb::to_dot(*method);
    }
  } catch (const plumb::Error&) {
    // A refusal is what a bad package should get.
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  const plumb::testing::Bytes input(bytes, bytes + size);
  load(input);
  plumb::testing::PackageParts parts;
  parts.program = input;
  load(plumb::testing::make_package(parts));
  return 0;
}
