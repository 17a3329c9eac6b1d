// Broadcasting and the search for the last key in use.
#include "engines/cpu/ops/attention_mask.h"

#include <limits>

namespace plumb::cpu {
namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

}  // namespace

AttentionMask::AttentionMask(const Tensor* mask, std::int64_t keys) : used_keys_(keys) {
  if (mask == nullptr) return;
  data_ = mask->data<const std::byte>();
  is_bool_ = mask->dtype() == DType::kBool;
  std::int64_t sizes[4] = {1, 1, 1, 1};
  for (int d = 0; d < mask->rank(); ++d) {
    const int own = 4 - mask->rank() + d;
    sizes[own] = mask->size(d);
    steps_[own] =
        mask->size(d) == 1 ? 0 : mask->stride(d) * static_cast<std::int64_t>(dtype_size(mask->dtype()));
  }
  used_keys_ = 0;
  for (std::int64_t b = 0; b < sizes[0]; ++b) {
    for (std::int64_t h = 0; h < sizes[1]; ++h) {
      for (std::int64_t q = 0; q < sizes[2]; ++q) {
        const std::byte* row = source(b, h, q);
        // Backwards, down to what other rows use anyway.
        for (std::int64_t key = keys; key > used_keys_; --key) {
          if (value(row, key - 1) != kMasked) used_keys_ = key;
        }
      }
    }
  }
}

const std::byte* AttentionMask::source(std::int64_t batch, std::int64_t head, std::int64_t query) const {
  return data_ + batch * steps_[0] + head * steps_[1] + query * steps_[2];
}

float AttentionMask::value(const std::byte* row, std::int64_t key) const {
  const std::byte* p = row + key * steps_[3];
  if (!is_bool_) return *reinterpret_cast<const float*>(p);
  return *p != std::byte{0} ? 0.0F : kMasked;
}

const float* AttentionMask::row(std::int64_t batch, std::int64_t head, std::int64_t query, std::int64_t count,
                                Row& row) const {
  if (data_ == nullptr) return nullptr;
  const std::byte* from = source(batch, head, query);
  if (!is_bool_ && steps_[3] == static_cast<std::int64_t>(sizeof(float)))
    return reinterpret_cast<const float*>(from);
  if (row.source != from) {
    for (std::int64_t key = 0; key < count; ++key) row.buffer[key] = value(from, key);
    row.source = from;
  }
  return row.buffer;
}

}  // namespace plumb::cpu
