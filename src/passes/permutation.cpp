// See permutation.h.
#include "passes/permutation.h"

#include <numeric>
#include <utility>

namespace plumb::passes {

namespace {

// False when `dim` is no dimension of `rank`.
bool wrap(std::int64_t& dim, std::size_t rank) {
  if (dim < 0) dim += static_cast<std::int64_t>(rank);
  return dim >= 0 && dim < static_cast<std::int64_t>(rank);
}

std::optional<Permutation> dims_of(const Node& node, std::size_t rank) {
  Permutation dims(rank);
  std::iota(dims.begin(), dims.end(), 0);
  if (node.op == "aten.permute.default") {
    auto given = ints(node, "dims");
    if (!given || given->size() != rank) return {};
    std::vector<bool> seen(rank, false);
    for (std::int64_t& dim : *given) {
      if (!wrap(dim, rank) || seen[static_cast<std::size_t>(dim)]) return {};
      seen[static_cast<std::size_t>(dim)] = true;
    }
    return given;
  }
  std::int64_t first = 0;
  std::int64_t second = 1;
  if (node.op == "aten.transpose.int") {
    const auto dim0 = ints(node, "dim0");
    const auto dim1 = ints(node, "dim1");
    if (!dim0 || !dim1 || dim0->size() != 1 || dim1->size() != 1) return {};
    first = dim0->front();
    second = dim1->front();
  } else if (node.op != "aten.t.default" || rank != 2) {
    return {};
  }
  if (!wrap(first, rank) || !wrap(second, rank)) return {};
  std::swap(dims[static_cast<std::size_t>(first)], dims[static_cast<std::size_t>(second)]);
  return dims;
}

}  // namespace

std::optional<Permuted> read_permute(const Rewriter& rewriter, ValueId value) {
  const NodeId producer = rewriter.producer(value);
  if (producer == kNoNode) return {};
  const Node& node = rewriter.node(producer);
  const auto self = tensor(node, "self");
  if (!self || rank(rewriter, *self) == SIZE_MAX) return {};
  auto dims = dims_of(node, rank(rewriter, *self));
  if (!dims) return {};
  return Permuted{*self, std::move(*dims)};
}

Permutation compose(const Permutation& first, const Permutation& second) {
  Permutation both;
  for (const std::int64_t dim : second) both.push_back(first[static_cast<std::size_t>(dim)]);
  return both;
}

Permutation inverse(const Permutation& dims) {
  Permutation result(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i)
    result[static_cast<std::size_t>(dims[i])] = static_cast<std::int64_t>(i);
  return result;
}

bool is_identity(const Permutation& dims) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

std::vector<Argument> permute_arguments(ValueId input, const Permutation& dims) {
  IntListArg list;
  for (const std::int64_t dim : dims) list.items.push_back(IntArg{dim, kNoValue});
  return {{"self", TensorRef{input}, false}, {"dims", std::move(list), false}};
}

TensorMeta permuted(const TensorMeta& meta, const Permutation& dims) {
  TensorMeta result = meta;
  result.dim_order.clear();
  for (std::size_t i = 0; i < dims.size(); ++i)
    result.sizes[i] = meta.sizes[static_cast<std::size_t>(dims[i])];
  return result;
}

}  // namespace plumb::passes
