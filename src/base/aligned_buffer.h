// Owned memory on 64-byte boundaries; large buffers ask for huge pages.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace plumb {

inline constexpr std::size_t kAlignment = 64;

constexpr std::size_t align_up(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  // Uninitialised. Throws std::bad_alloc.
  explicit AlignedBuffer(std::size_t bytes);

  std::byte* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::span<std::byte> bytes() const { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* data) const;
  };
  std::unique_ptr<std::byte, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace plumb
