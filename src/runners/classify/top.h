// Probabilities and ranks of logits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace plumb {

struct Prediction {
  std::int64_t index = 0;
  float logit = 0;
  double probability = 0;
};

// The `count` best by logit, best first; equal logits keep their order, NaN comes last. Probabilities are the
// softmax over all logits, in double.
std::vector<Prediction> top_predictions(std::span<const float> logits, std::size_t count);

}  // namespace plumb
