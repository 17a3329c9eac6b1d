// Softmax with the maximum taken out, so that large logits do not overflow.
#include "runners/classify/top.h"

#include <cmath>

#include "runners/compare/rank.h"

namespace plumb {

std::vector<Prediction> top_predictions(std::span<const float> logits, std::size_t count) {
  const std::vector<std::int64_t> best = top_indices(logits, count);
  std::vector<Prediction> predictions;
  if (best.empty()) return predictions;
  const double largest = logits[static_cast<std::size_t>(best[0])];
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - largest);
  for (const std::int64_t index : best) {
    const float logit = logits[static_cast<std::size_t>(index)];
    predictions.push_back({index, logit, std::exp(static_cast<double>(logit) - largest) / sum});
  }
  return predictions;
}

}  // namespace plumb
