// The mask of scaled dot product attention as rows of numbers to add to the scores.
#pragma once

#include <cstdint>
#include <vector>

#include "plumb/tensor.h"

namespace plumb::cpu {

class AttentionMask {
 public:
  // `mask` may be null: nothing is masked. It is bool (true: takes part) or float32 (added), and broadcasts
  // to [batch, heads, queries, keys] with trailing dimensions aligned.
  AttentionMask(const Tensor* mask, std::int64_t keys);

  // How many of the leading keys some query sees; the keys behind them need no work.
  std::int64_t used_keys() const { return used_keys_; }

  // What is added to the scores of one query over the first `count` keys, or null. The row may lie in
  // `buffer`, which must hold `count` floats and is reused while the row stays the same: keep one Row for
  // each thread of work.
  struct Row {
    float* buffer = nullptr;
    const std::byte* source = nullptr;
  };
  const float* row(std::int64_t batch, std::int64_t head, std::int64_t query, std::int64_t count,
                   Row& row) const;

 private:
  const std::byte* source(std::int64_t batch, std::int64_t head, std::int64_t query) const;
  float value(const std::byte* row, std::int64_t key) const;

  const std::byte* data_ = nullptr;
  bool is_bool_ = false;
  std::int64_t steps_[4] = {};  // in bytes, 0 along broadcast dimensions
  std::int64_t used_keys_;
};

}  // namespace plumb::cpu
