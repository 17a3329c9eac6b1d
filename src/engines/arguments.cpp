// Dimensions, broadcasting and promotion, as every operator of PyTorch reads them.
#include "engines/arguments.h"

#include <algorithm>
#include <string>

namespace plumb {

int normalize_dim(const Call& call, std::int64_t dim, int rank) {
  const int count = std::max(rank, 1);
  if (dim < -count || dim >= count) {
    call.fail("dimension " + std::to_string(dim) + " is not in [" + std::to_string(-count) + ", " +
              std::to_string(count - 1) + "]");
  }
  return static_cast<int>(dim < 0 ? dim + count : dim);
}

std::vector<int> normalize_dims(const Call& call, const std::vector<std::int64_t>& dims, int rank) {
  std::vector<int> result;
  if (dims.empty()) {
    for (int dim = 0; dim < rank; ++dim) result.push_back(dim);
    return result;
  }
  for (const std::int64_t dim : dims) {
    const int normalized = normalize_dim(call, dim, rank);
    if (normalized < rank) result.push_back(normalized);  // dimension 0 of a 0-d tensor names nothing
  }
  std::sort(result.begin(), result.end());
  const auto twice = std::adjacent_find(result.begin(), result.end());
  if (twice != result.end()) call.fail("dimension " + std::to_string(*twice) + " is named twice");
  return result;
}

std::vector<int> remaining_dims(const std::vector<int>& dims, int rank) {
  std::vector<int> result;
  for (int dim = 0; dim < rank; ++dim) {
    if (!std::binary_search(dims.begin(), dims.end(), dim)) result.push_back(dim);
  }
  return result;
}

DType promoted_dtype(const Call& call, std::initializer_list<std::string_view> names) {
  std::vector<PromotionOperand> operands;
  for (const std::string_view name : names) {
    const CallArgument* argument = call.find(name);
    if (argument == nullptr) continue;
    if (const auto* tensor = std::get_if<const Tensor*>(argument)) {
      const bool zero_dim = (*tensor)->rank() == 0;
      operands.push_back(
          {(*tensor)->dtype(), zero_dim ? OperandWeight::kZeroDim : OperandWeight::kDimensioned});
    } else if (std::holds_alternative<std::int64_t>(*argument)) {
      operands.push_back({kIntNumber, OperandWeight::kNumber});
    } else if (std::holds_alternative<double>(*argument)) {
      operands.push_back({kFloatNumber, OperandWeight::kNumber});
    } else if (std::holds_alternative<bool>(*argument)) {
      operands.push_back({DType::kBool, OperandWeight::kNumber});
    }
  }
  return result_type(operands);
}

Sizes broadcast_sizes(const Call& call, const Sizes& a, const Sizes& b) {
  const Sizes& longer = a.size() >= b.size() ? a : b;
  const Sizes& shorter = a.size() >= b.size() ? b : a;
  const std::size_t lead = longer.size() - shorter.size();
  Sizes result = longer;
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t& size = result[lead + i];
    if (size == 1) {
      size = shorter[i];
    } else if (shorter[i] != 1 && shorter[i] != size) {
      call.fail("shapes " + shape_string(a) + " and " + shape_string(b) + " do not broadcast");
    }
  }
  return result;
}

}  // namespace plumb
