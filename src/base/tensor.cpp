// Layout questions about strided views.
#include "plumb/tensor.h"

#include "base/layout.h"
#include "plumb/error.h"

namespace plumb {

Tensor::Tensor(void* data, DType dtype, std::span<const std::int64_t> sizes)
    : Tensor(data, dtype, sizes, contiguous_strides(sizes)) {}

Tensor::Tensor(void* data, DType dtype, std::span<const std::int64_t> sizes,
               std::span<const std::int64_t> strides)
    : data_(data), dtype_(dtype), rank_(static_cast<int>(sizes.size())) {
  if (sizes.size() > static_cast<std::size_t>(kMaxRank)) {
    throw Error(ErrorKind::kUnsupported, "a tensor has " + std::to_string(sizes.size()) +
                                             " dimensions; plumb takes at most " + std::to_string(kMaxRank));
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sizes_[i] = sizes[i];
    strides_[i] = strides[i];
  }
}

std::int64_t Tensor::numel() const {
  return element_count(sizes());
}

namespace {

// True when walking the dimensions in `order` (outermost first) finds dense strides.
template <typename Order>
bool dense_in_order(const Tensor& t, Order order) {
  std::int64_t expected = 1;
  for (int i = t.rank() - 1; i >= 0; --i) {
    const int dim = order(i);
    if (t.size(dim) == 1) continue;
    if (t.stride(dim) != expected) return false;
    expected *= t.size(dim);
  }
  return true;
}

}  // namespace

bool Tensor::is_contiguous() const {
  return numel() == 0 || dense_in_order(*this, [](int i) { return i; });
}

bool Tensor::is_channels_last() const {
  if (rank_ < 3 || rank_ > 5) return false;
  const int last = rank_ - 1;
  // Outermost to innermost: 0, 2, …, last, 1.
  return numel() == 0 ||
         dense_in_order(*this, [last](int i) { return i == 0 ? 0 : (i == last ? 1 : i + 1); });
}

std::string shape_string(std::span<const std::int64_t> sizes) {
  std::string text = "[";
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(sizes[i]);
  }
  return text + "]";
}

}  // namespace plumb
