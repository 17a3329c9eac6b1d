// Puts the members together.
#include "support/package_writer.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace plumb::testing {
namespace {

const char* dtype_code(DType dtype) {
  switch (dtype) {
    case DType::kUInt8:
      return "U8";
    case DType::kInt8:
      return "I8";
    case DType::kInt16:
      return "I16";
    case DType::kInt32:
      return "I32";
    case DType::kInt64:
      return "I64";
    case DType::kFloat16:
      return "F16";
    case DType::kFloat32:
      return "F32";
    case DType::kFloat64:
      return "F64";
    case DType::kBool:
      return "BOOL";
    case DType::kBFloat16:
      return "BF16";
    case DType::kUInt16:
      return "U16";
    case DType::kUInt32:
      return "U32";
    case DType::kUInt64:
      return "U64";
  }
  throw std::logic_error("unknown dtype");
}

Bytes encode_constants(const Program& program) {
  if (program.constants.empty()) return {};
  nlohmann::json header = nlohmann::json::object();
  Bytes data;
  for (const auto& constant : program.constants) {
    const std::size_t begin = data.size();
    data.insert(data.end(), constant->data.begin(), constant->data.end());
    header[constant->key] = {{"dtype", dtype_code(constant->dtype)},
                             {"shape", constant->sizes},
                             {"data_offsets", {begin, data.size()}}};
  }
  return make_safetensors(header.dump(), data);
}

}  // namespace

Bytes make_safetensors(const std::string& header, const Bytes& data) {
  std::string padded = header;
  padded.resize((header.size() + 8 + 63) / 64 * 64 - 8, ' ');
  Bytes bytes;
  for (std::size_t i = 0; i < 8; ++i)
    bytes.push_back(static_cast<std::byte>(padded.size() >> (8 * i) & 0xFF));
  const Bytes text = to_bytes(padded);
  bytes.insert(bytes.end(), text.begin(), text.end());
  bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

PackageParts to_parts(const Program& program) {
  PackageParts parts{.program = encode(to_tables(program)),
                     .constants = encode_constants(program),
                     .aliases = {},
                     .metadata = {}};
  if (!program.aliases.empty()) {
    nlohmann::json aliases = nlohmann::json::object();
    for (const auto& [duplicate, owner] : program.aliases) aliases[duplicate] = owner;
    parts.aliases = aliases.dump();
  }
  if (!program.labels.empty()) parts.metadata = nlohmann::json{{"labels", program.labels}}.dump();
  return parts;
}

std::vector<ZipEntry> to_entries(const PackageParts& parts) {
  std::vector<ZipEntry> entries;
  const auto add = [&](const char* name, Bytes data) {
    entries.emplace_back();
    entries.back().name = name;
    entries.back().data = std::move(data);
  };
  add("program.ptg", parts.program);
  if (!parts.constants.empty()) add("program.safetensors", parts.constants);
  if (!parts.aliases.empty()) add("aliases.json", to_bytes(parts.aliases));
  if (!parts.metadata.empty()) add("plumb.json", to_bytes(parts.metadata));
  return entries;
}

Bytes make_package(const PackageParts& parts) {
  return make_zip(to_entries(parts));
}

void write_bytes(const std::string& path, const Bytes& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

void write_package(const std::string& path, const Program& program) {
  write_bytes(path, make_package(to_parts(program)));
}

}  // namespace plumb::testing
