// Reading packages from memory in tests, and what a refusal must say.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "package/reader.h"
#include "plumb/error.h"
#include "support/package_writer.h"

namespace plumb::testing {

inline std::shared_ptr<const Program> read(const Bytes& package) {
  const auto owner = std::make_shared<const Bytes>(package);
  return read_program(*owner, owner, "test.ptn");
}

inline std::shared_ptr<const Program> read(const PackageParts& parts) {
  return read(make_package(parts));
}

// The message of the Error(kPackage) that reading throws; fails the test when it throws nothing.
inline std::string refusal(const Bytes& package) {
  try {
    read(package);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kPackage);
    return error.what();
  }
  ADD_FAILURE() << "the package was accepted";
  return "";
}

inline std::string refusal(const PackageParts& parts) {
  return refusal(make_package(parts));
}

// With the constants of `program`, but other tables.
inline std::string refusal(const Program& program, const fbs::ProgramT& tables) {
  PackageParts parts = to_parts(program);
  parts.program = encode(tables);
  return refusal(parts);
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "expected '" << part << "' in: " << text;
}

}  // namespace plumb::testing
