// A whole file mapped read-only.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace plumb {

class MappedFile {
 public:
  // Throws Error(kFile) "cannot open PATH: reason". An empty file gives an empty span.
  static std::shared_ptr<const MappedFile> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::span<const std::byte> bytes_;
};

}  // namespace plumb
