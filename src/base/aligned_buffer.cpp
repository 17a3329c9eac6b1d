// aligned_alloc, and madvise for what is worth it.
#include "base/aligned_buffer.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace plumb {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

AlignedBuffer::AlignedBuffer(std::size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  const bool large = bytes >= 2 * kHugePage;
  const std::size_t unit = large ? kHugePage : kAlignment;
  const std::size_t rounded = (bytes + unit - 1) / unit * unit;
  data_.reset(static_cast<std::byte*>(std::aligned_alloc(unit, rounded)));
  if (data_ == nullptr) throw std::bad_alloc();
  if (large) ::madvise(data_.get(), rounded, MADV_HUGEPAGE);
}

void AlignedBuffer::Free::operator()(std::byte* data) const {
  std::free(data);
}

}  // namespace plumb
