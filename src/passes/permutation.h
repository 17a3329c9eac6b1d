// Permutations of dimensions: reading them from nodes, composing, inverting.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "passes/match.h"

namespace plumb::passes {

using Permutation = std::vector<std::int64_t>;

struct Permuted {
  ValueId input;
  Permutation dims;  // output dimension i is input dimension dims[i]
};

// Understands permute, transpose and t with literal dimensions over an input of known rank.
std::optional<Permuted> read_permute(const Rewriter& rewriter, ValueId value);
// `second` after `first`.
Permutation compose(const Permutation& first, const Permutation& second);
Permutation inverse(const Permutation& dims);
bool is_identity(const Permutation& dims);
std::vector<Argument> permute_arguments(ValueId input, const Permutation& dims);
TensorMeta permuted(const TensorMeta& meta, const Permutation& dims);

}  // namespace plumb::passes
