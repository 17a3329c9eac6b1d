// aligned_alloc for small buffers, mmap for large ones.
#include "base/aligned_buffer.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "plumb/error.h"

namespace plumb {
namespace {

constexpr std::size_t kLarge = std::size_t{4} << 20;  // two huge pages

[[noreturn]] void fail(std::size_t bytes) {
  throw Error(ErrorKind::kExecution, "out of memory: cannot allocate " + std::to_string(bytes) + " bytes");
}

}  // namespace

AlignedBuffer::AlignedBuffer(std::size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  if (bytes < kLarge) {
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, align_up(bytes))));
    if (data_ == nullptr) fail(bytes);
    return;
  }
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail(bytes);
  ::madvise(memory, bytes, MADV_HUGEPAGE);
  data_ = {static_cast<std::byte*>(memory), Free{bytes}};
}

AlignedBuffer AlignedBuffer::zeros(std::size_t bytes) {
  AlignedBuffer buffer(bytes);
  if (bytes > 0 && bytes < kLarge) std::memset(buffer.data(), 0, bytes);
  return buffer;
}

void AlignedBuffer::Free::operator()(std::byte* data) const {
  if (mapped > 0) {
    ::munmap(data, mapped);
  } else {
    std::free(data);
  }
}

}  // namespace plumb
