// Reading nodes while looking for a pattern: arguments by name, scalars however they are written, shapes.
// All answers are "nothing" rather than an error when the node is not what was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "passes/rewriter.h"

namespace plumb::passes {

// The tensor given for the argument.
std::optional<ValueId> tensor(const Node& node, std::string_view argument);
// A literal number (float, int or bool).
std::optional<double> number(const Node& node, std::string_view argument);
// A literal list of ints, or a lone literal int.
std::optional<std::vector<std::int64_t>> ints(const Node& node, std::string_view argument);
bool is_none(const Node& node, std::string_view argument);  // absent or None

// The node that computes `value` if its op is `op`; null otherwise.
const Node* produced_by(const Rewriter& rewriter, ValueId value, std::string_view op);
// The only value that the node computes.
ValueId result(const Node& node);

// A known shape; null when the package left the metadata out.
const TensorMeta* meta(const Rewriter& rewriter, ValueId value);
bool is_float32(const Rewriter& rewriter, ValueId value);
std::size_t rank(const Rewriter& rewriter, ValueId value);  // SIZE_MAX when unknown
// Both shapes are known and written alike. Dynamic sizes of one range count as one size: an exported program
// never broadcasts between two dynamic sizes, and kernels check the shapes they get.
bool same_shape(const Rewriter& rewriter, ValueId a, ValueId b);
bool same_meta(const Rewriter& rewriter, ValueId a, ValueId b);  // dtype too

// An unquantised immutable float32 constant, or null.
const Constant* float_constant(const Rewriter& rewriter, ValueId value);
// A literal, or a constant of rank 0, given for the argument.
std::optional<double> scalar(const Rewriter& rewriter, const Node& node, std::string_view argument);

struct TensorAndScalar {
  ValueId tensor;
  double scalar;
};
// The operands "self" and "other" of an elementwise node when one is a tensor and the other a scalar. In
// either order for add and mul; for sub and div the scalar must be second. alpha and rounding_mode must be
// the default.
std::optional<TensorAndScalar> tensor_and_scalar(const Rewriter& rewriter, const Node& node);
// The two tensor operands; add and sub with alpha 1 only.
std::optional<std::pair<ValueId, ValueId>> two_tensors(const Node& node);
// The other operand if `one` is one of the two.
std::optional<ValueId> other_of(const std::pair<ValueId, ValueId>& both, ValueId one);

}  // namespace plumb::passes
