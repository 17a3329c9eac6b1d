// A recursive walk over the outer dimensions with a typed inner loop.
#include "base/strided_copy.h"

#include <cstring>

namespace plumb {
namespace {

template <typename Element>
void copy_from(const Tensor& destination, const Tensor& source, int dim, Element* to, const Element* from) {
  const std::int64_t size = source.size(dim);
  const std::int64_t to_step = destination.stride(dim);
  const std::int64_t from_step = source.stride(dim);
  for (std::int64_t i = 0; i < size; ++i) {
    if (dim == source.rank() - 1) {
      to[i * to_step] = from[i * from_step];
    } else {
      copy_from(destination, source, dim + 1, to + i * to_step, from + i * from_step);
    }
  }
}

template <typename Element>
void copy_elements(const Tensor& destination, const Tensor& source) {
  copy_from(destination, source, 0, destination.data<Element>(), source.data<const Element>());
}

}  // namespace

void copy_strided(const Tensor& destination, const Tensor& source) {
  if (source.numel() == 0) return;
  if (source.rank() == 0 || (source.is_contiguous() && destination.is_contiguous())) {
    std::memcpy(destination.raw(), source.raw(), source.nbytes());
    return;
  }
  switch (dtype_size(source.dtype())) {
    case 1:
      return copy_elements<std::uint8_t>(destination, source);
    case 2:
      return copy_elements<std::uint16_t>(destination, source);
    case 4:
      return copy_elements<std::uint32_t>(destination, source);
    default:
      return copy_elements<std::uint64_t>(destination, source);
  }
}

}  // namespace plumb
