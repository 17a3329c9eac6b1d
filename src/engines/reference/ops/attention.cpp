// Scaled dot-product attention: softmax(query · keyᵀ · scale + mask) · value, row by row.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/layout.h"
#include "engines/reference/kernels.h"
#include "engines/reference/strided.h"
#include "engines/reference/visit.h"

namespace plumb::reference {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

// The offset of one batch element (and head) in an operand [batch…, rows, columns] that broadcasts to
// `batch`. With enable_gqa an operand may have fewer heads than the query, each serving as many consecutive
// ones.
std::int64_t operand_offset(const Tensor& tensor, const Sizes& batch, std::int64_t index, bool grouped) {
  std::int64_t offset = 0;
  for (int d = static_cast<int>(batch.size()) - 1; d >= 0; --d) {
    const std::int64_t size = batch[static_cast<std::size_t>(d)];
    std::int64_t at = index % size;
    index /= size;
    const int own = d - static_cast<int>(batch.size()) + tensor.rank() - 2;
    if (own < 0) continue;
    if (grouped && d == static_cast<int>(batch.size()) - 1) {
      at /= size / tensor.size(own);
    } else if (tensor.size(own) == 1) {
      at = 0;
    }
    offset += at * tensor.stride(own);
  }
  return offset;
}

// One operand's matrix.
template <typename T>
struct Matrix {
  const T* data;
  std::int64_t row;
  std::int64_t column;

  Matrix(const Tensor& tensor, std::int64_t offset)
      : data(tensor.data<const T>() + offset), row(tensor.stride(-2)), column(tensor.stride(-1)) {}
  double at(std::int64_t i, std::int64_t j) const { return convert<double>(data[i * row + j * column]); }
};

// What the mask adds to a score: a float mask its value, a bool mask nothing or minus infinity.
double mask_value(const Tensor& mask, std::int64_t offset) {
  if (mask.dtype() == DType::kBool) return read<std::int64_t>(mask, offset) != 0 ? 0.0 : kMinusInfinity;
  return read<double>(mask, offset);
}

// scores → softmax(scores); returns log(sum(exp(scores))). A row of minus infinities, fully masked, becomes
// zeros.
double softmax(std::vector<double>& scores) {
  double peak = kMinusInfinity;
  for (const double score : scores) {
    if (score > peak || score != score) peak = score;
  }
  if (peak == kMinusInfinity) {
    std::fill(scores.begin(), scores.end(), 0.0);
    return kMinusInfinity;
  }
  double sum = 0;
  for (double& score : scores) {
    score = std::exp(score - peak);
    sum += score;
  }
  for (double& score : scores) score /= sum;
  return peak + std::log(sum);
}

void run_attention(const Call& call) {
  const Tensor& query = call.tensor("query");
  const Tensor& key = call.tensor("key");
  const Tensor& value = call.tensor("value");
  const Tensor* mask = call.optional_tensor("attn_mask");
  const Tensor& output = call.output();
  const bool causal = call.boolean("is_causal", false);
  const bool grouped = call.boolean("enable_gqa", false);
  const std::int64_t depth = query.size(-1);
  const std::int64_t rows = query.size(-2);
  const std::int64_t keys = key.size(-2);
  const double scale = call.number("scale", 1.0 / std::sqrt(static_cast<double>(depth)));
  const Sizes batch(output.sizes().begin(), output.sizes().end() - 2);
  Sizes score_sizes = batch;
  score_sizes.push_back(rows);
  score_sizes.push_back(keys);
  const SpaceStrides mask_strides = mask == nullptr ? SpaceStrides{} : broadcast_strides(*mask, score_sizes);

  visit_floating(query.dtype(), [&]<typename T>() {
    call.pool->parallel_for(element_count(batch) * rows, [&](std::int64_t task, int) {
      const std::int64_t index = task / rows;
      const std::int64_t i = task % rows;
      const Matrix<T> q(query, operand_offset(query, batch, index, false));
      const Matrix<T> k(key, operand_offset(key, batch, index, grouped));
      const Matrix<T> v(value, operand_offset(value, batch, index, grouped));
      std::int64_t mask_offset = i * mask_strides[batch.size()];
      for (std::size_t d = batch.size(), rest = static_cast<std::size_t>(index); d-- > 0;) {
        const auto size = static_cast<std::size_t>(batch[d]);
        mask_offset += static_cast<std::int64_t>(rest % size) * mask_strides[d];
        rest /= size;
      }

      std::vector<double> scores(static_cast<std::size_t>(keys), kMinusInfinity);
      for (std::int64_t j = 0; j < keys && !(causal && j > i); ++j) {
        double sum = 0;
        for (std::int64_t e = 0; e < depth; ++e) sum += q.at(i, e) * k.at(j, e);
        sum *= scale;
        if (mask != nullptr) sum += mask_value(*mask, mask_offset + j * mask_strides[batch.size() + 1]);
        scores[static_cast<std::size_t>(j)] = sum;
      }
      const double log_sum = softmax(scores);

      const std::int64_t out_offset = operand_offset(output, batch, index, false) + i * output.stride(-2);
      for (std::int64_t e = 0; e < value.size(-1); ++e) {
        double sum = 0;
        for (std::int64_t j = 0; j < keys; ++j) sum += scores[static_cast<std::size_t>(j)] * v.at(j, e);
        output.data<T>()[out_offset + e * output.stride(-1)] = convert<T>(sum);
      }
      if (call.outputs.size() > 1) {  // logsumexp: [batch…, rows], contiguous
        write(call.output(1), task, log_sum);
      }
    });
  });
}

Verdict accepts_attention(const Call& call) {
  if (call.number("dropout_p", 0.0) != 0.0) return Verdict::no("dropout_p is not 0");
  if (call.boolean("is_causal", false) && call.has("attn_mask"))
    return Verdict::no("is_causal and attn_mask together");
  const DType dtype = call.tensor("query").dtype();
  if (call.tensor("key").dtype() != dtype || call.tensor("value").dtype() != dtype) {
    return Verdict::no("query, key and value have different dtypes");
  }
  return expect_floating(call, "query");
}

}  // namespace

const KernelImpl attention{.accepts = accepts_attention, .run = run_attention};

}  // namespace plumb::reference
