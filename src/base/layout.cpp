// Stride arithmetic.
#include "base/layout.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>

#include "plumb/error.h"
#include "plumb/tensor.h"

namespace plumb {
namespace {

// `order` lists dimensions from the outermost to the innermost.
Sizes strides_in_order(std::span<const std::int64_t> sizes, std::span<const std::size_t> order) {
  Sizes strides(sizes.size());
  std::int64_t step = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = step;
    step *= std::max<std::int64_t>(sizes[order[i]], 1);
  }
  return strides;
}

}  // namespace

std::int64_t element_count(std::span<const std::int64_t> sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  return count;
}

std::int64_t checked_byte_count(std::span<const std::int64_t> sizes, std::size_t item_size,
                                const char* what) {
  std::int64_t bytes = static_cast<std::int64_t>(item_size);
  bool overflow = false;
  bool empty = false;
  for (const std::int64_t size : sizes) {
    if (size < 0) {
      throw Error(ErrorKind::kPackage, std::string(what) + ": negative size in shape " + shape_string(sizes));
    }
    if (size == 0) empty = true;
    overflow = overflow || (size > 0 && __builtin_mul_overflow(bytes, size, &bytes));
  }
  if (empty) return 0;
  if (overflow) {
    throw Error(ErrorKind::kPackage,
                std::string(what) + ": shape " + shape_string(sizes) + " has more bytes than 64 bits count");
  }
  return bytes;
}

Sizes contiguous_strides(std::span<const std::int64_t> sizes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return strides_in_order(sizes, order);
}

Sizes channels_last_strides(std::span<const std::int64_t> sizes) {
  if (sizes.size() < 3 || sizes.size() > 5) return contiguous_strides(sizes);
  std::vector<std::size_t> order{0};
  for (std::size_t i = 2; i < sizes.size(); ++i) order.push_back(i);
  order.push_back(1);
  return strides_in_order(sizes, order);
}

Sizes dense_strides_like(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides_like) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return strides_like[a] > strides_like[b]; });
  return strides_in_order(sizes, order);
}

}  // namespace plumb
