// Members in order of need: constants, aliases, program, metadata.
#include "package/reader.h"

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "package/aliases.h"
#include "package/constants.h"
#include "package/flatbuffer_check.h"
#include "package/limits.h"
#include "package/metadata.h"
#include "package/method_reader.h"
#include "package/place.h"
#include "package/safetensors.h"
#include "package/state.h"
#include "package/tensor_meta_reader.h"
#include "package/zip.h"

namespace plumb {
namespace {

constexpr std::string_view kProgramMember = "program.ptg";
constexpr std::string_view kConstantsMember = "program.safetensors";
constexpr std::string_view kAliasesMember = "aliases.json";
constexpr std::string_view kMetadataMember = "plumb.json";

class PackageReader {
 public:
  PackageReader(std::span<const std::byte> file, std::shared_ptr<const void> owner, const std::string& path)
      : owner_(std::move(owner)), package_(path), members_(read_zip(file, package_)) {
    program_.path = path;
  }

  std::shared_ptr<const Program> read() {
    ConstantStore store = read_constants();
    read_methods(store);
    program_.constants = store.in_file_order();
    program_.aliases = store.aliases();
    if (const ZipMember* member = find_checked(kMetadataMember)) {
      Metadata metadata = read_metadata(member->data, Place(package_, "member", kMetadataMember));
      program_.labels = std::move(metadata.labels);
      program_.preprocessing = std::move(metadata.preprocessing);
    }
    return std::make_shared<Program>(std::move(program_));
  }

 private:
  // With its checksum: for members that are read whole anyway.
  const ZipMember* find_checked(std::string_view name) const {
    const ZipMember* member = find_member(members_, name);
    if (member != nullptr) check_crc(*member, package_);
    return member;
  }

  // The data are not touched: a model may be larger than memory.
  ConstantStore read_constants() const {
    const Place constants(package_, "member", kConstantsMember);
    std::vector<StoredTensor> tensors;
    if (const ZipMember* member = find_member(members_, kConstantsMember)) {
      tensors = read_safetensors(member->data, constants);
    }
    std::vector<std::pair<std::string, std::string>> aliases;
    if (const ZipMember* member = find_checked(kAliasesMember)) {
      aliases = read_aliases(member->data, tensors, Place(package_, "member", kAliasesMember));
    }
    return {tensors, std::move(aliases), owner_, constants};
  }

  void read_methods(ConstantStore& store) {
    const ZipMember* member = find_checked(kProgramMember);
    if (member == nullptr)
      package_.fail("has no member 'program.ptg'; expected a plumb or ExecuTorch native package");
    const Place place(package_, "member", kProgramMember);
    // FlatBuffer scalars are read in place, so that the buffer must be aligned; a zip aligns nothing.
    std::span<const std::byte> bytes = member->data;
    std::vector<std::uint64_t> aligned;
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) != 0) {
      aligned.resize(bytes.size() / sizeof(std::uint64_t) + 1);
      std::memcpy(aligned.data(), bytes.data(), bytes.size());
      bytes = std::as_bytes(std::span(aligned)).first(bytes.size());
    }
    const fbs::Program& source = check_program(bytes, place);
    program_.version = std::string(text_of(source.version()));
    check_version(place);
    std::vector<Method> methods;
    for (const fbs::Method* method : *source.methods()) {
      check_method_name(text_of(method->name()), methods, place);
      methods.push_back(read_method(*method, store, place));
    }
    if (methods.empty()) Place(place, "field", "methods").fail("is empty; expected at least one method");
    resolve_state(methods, store, place);
    const std::string context = place.text();
    for (Method& method : methods) {
      verify(method, context);
      program_.methods.push_back(std::make_shared<Method>(std::move(method)));
    }
  }

  // "1" and its minor versions; an old writer may leave it out.
  void check_version(const Place& place) const {
    const std::string& version = program_.version;
    if (version.empty() || version == "1" || (version.starts_with("1.") && is_plain_text(version))) return;
    Place(place, "field", "version").fail("is " + in_quotes(version) + "; expected 1 or 1.x");
  }

  static void check_method_name(std::string_view name, const std::vector<Method>& earlier,
                                const Place& place) {
    const Place method(place, "method", earlier.size());
    check_name(name, "name", method);
    for (const Method& other : earlier) {
      if (other.name == name)
        method.fail("is the second called " + in_quotes(name) + "; expected different names");
    }
    if (earlier.size() == limits::kMaxMethods) {
      method.fail("is one too many; expected at most kMaxMethods = " + std::to_string(limits::kMaxMethods));
    }
  }

  std::shared_ptr<const void> owner_;
  Place package_;
  std::vector<ZipMember> members_;
  Program program_;
};

}  // namespace

std::shared_ptr<const Program> read_program(const std::string& path) {
  const auto file = MappedFile::open(path);
  return read_program(file->bytes(), file, path);
}

std::shared_ptr<const Program> read_program(std::span<const std::byte> file,
                                            std::shared_ptr<const void> owner, const std::string& path) {
  return PackageReader(file, std::move(owner), path).read();
}

}  // namespace plumb
