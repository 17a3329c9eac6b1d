// Owned memory on 64-byte boundaries; large buffers come from the system, in huge pages where it has them.
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
  // Uninitialised. Throws Error(kExecution) when the machine has not that much.
  explicit AlignedBuffer(std::size_t bytes);
  // All zero. Pages of large buffers are taken from the machine only when they are first written.
  static AlignedBuffer zeros(std::size_t bytes);

  std::byte* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::span<std::byte> bytes() const { return {data_.get(), size_}; }

 private:
  struct Free {
    Free() : mapped(0) {}
    explicit Free(std::size_t bytes) : mapped(bytes) {}
    std::size_t mapped;  // bytes to unmap; 0: memory of aligned_alloc
    void operator()(std::byte* data) const;
  };
  std::unique_ptr<std::byte, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace plumb
