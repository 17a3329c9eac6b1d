// Whole packages for tests, member by member, so that a test can break one and keep the others.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "support/program_writer.h"
#include "support/zip_writer.h"

namespace plumb::testing {

struct PackageParts {
  Bytes program;
  Bytes constants;       // a safetensors file; empty: no such member
  std::string aliases;   // JSON; empty: no such member
  std::string metadata;  // JSON; empty: no such member
};

PackageParts to_parts(const Program& program);
// Header text and data of a safetensors file.
Bytes make_safetensors(const std::string& header, const Bytes& data);

std::vector<ZipEntry> to_entries(const PackageParts& parts);
Bytes make_package(const PackageParts& parts);
void write_bytes(const std::string& path, const Bytes& bytes);
void write_package(const std::string& path, const Program& program);

}  // namespace plumb::testing
