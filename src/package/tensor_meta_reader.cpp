// Checks and converts tensor metadata.
#include "package/tensor_meta_reader.h"

#include <algorithm>

#include "package/limits.h"
#include "plumb/tensor.h"

namespace plumb {
namespace {

Dim read_dim(const fbs::Dim& source, const Place& place) {
  const Dim dim{.min = source.min(), .max = source.max() < 0 ? -1 : source.max()};
  if (dim.min < 0 || dim.min > limits::kMaxDimension || dim.max > limits::kMaxDimension) {
    place.fail("ranges from " + std::to_string(dim.min) + " to " + std::to_string(dim.max) +
               "; expected sizes from 0 to kMaxDimension = " + std::to_string(limits::kMaxDimension));
  }
  if (dim.max >= 0 && dim.max < dim.min) {
    place.fail("ranges from " + std::to_string(dim.min) + " to " + std::to_string(dim.max) +
               "; expected a maximum that is not below the minimum");
  }
  return dim;
}

std::vector<std::int32_t> read_dim_order(const fbs::TensorMeta& source, std::size_t rank,
                                         const Place& owner) {
  std::vector<std::int32_t> order;
  if (source.dim_order() == nullptr || source.dim_order()->size() == 0) return order;
  const Place field(owner, "field", "dim_order");
  if (source.dim_order()->size() != rank) {
    field.fail("has " + std::to_string(source.dim_order()->size()) + " entries; expected the rank, " +
               std::to_string(rank));
  }
  std::vector<bool> seen(rank, false);
  for (const std::int32_t dim : *source.dim_order()) {
    if (dim < 0 || static_cast<std::size_t>(dim) >= rank || seen[static_cast<std::size_t>(dim)]) {
      field.fail("is no permutation of the " + std::to_string(rank) + " dimensions");
    }
    seen[static_cast<std::size_t>(dim)] = true;
    order.push_back(dim);
  }
  if (std::is_sorted(order.begin(), order.end())) order.clear();
  return order;
}

QuantScheme read_quant(const fbs::QuantSpec& spec, const Place& owner) {
  const Place place(owner, "field", "quant");
  if (const fbs::AffineGroup* affine = spec.scheme_as_AffineGroup()) {
    AffineGroup group{.scale_key = std::string(text_of(affine->scale_data_key())),
                      .scale_dtype = dtype_of(affine->scale_dtype()),
                      .quant_min = affine->quant_min(),
                      .quant_max = affine->quant_max(),
                      .group_size = affine->group_size(),
                      .zero_point_key = std::string(text_of(affine->zero_point_data_key())),
                      .zero_point_dtype = dtype_of(affine->zero_point_dtype())};
    check_name(group.scale_key, "scale_data_key", place);
    if (!group.zero_point_key.empty()) check_name(group.zero_point_key, "zero_point_data_key", place);
    if (group.quant_min >= group.quant_max) {
      place.fail("quantises to " + std::to_string(group.quant_min) + " to " +
                 std::to_string(group.quant_max) + "; expected a minimum below the maximum");
    }
    if (group.group_size < 0) {
      place.fail("has group_size " + std::to_string(group.group_size) + "; expected 0 or more");
    }
    return group;
  }
  if (const fbs::PackedQuant* packed = spec.scheme_as_PackedQuant()) {
    check_name(text_of(packed->codec()), "codec", place);
    return PackedQuant{.codec = std::string(text_of(packed->codec()))};
  }
  return {};
}

void check_volume(const TensorMeta& meta, const Place& owner) {
  auto bytes = static_cast<std::int64_t>(dtype_size(meta.dtype));
  for (const Dim& dim : meta.sizes) {
    const std::int64_t size = std::max<std::int64_t>(dim.min, 1);
    if (__builtin_mul_overflow(bytes, size, &bytes) || bytes > limits::kMaxTensorBytes) {
      Place(owner, "field", "sizes")
          .fail("multiply to more than kMaxTensorBytes = " + std::to_string(limits::kMaxTensorBytes));
    }
  }
}

}  // namespace

std::string_view text_of(const flatbuffers::String* string) {
  return string == nullptr ? std::string_view() : std::string_view(string->c_str(), string->size());
}

DType dtype_of(fbs::ScalarType type) {
  return static_cast<DType>(type);
}

TensorMeta read_tensor_meta(const fbs::TensorMeta& source, const Place& owner) {
  TensorMeta meta;
  meta.dtype = dtype_of(source.dtype());
  const std::size_t rank = source.sizes() == nullptr ? 0 : source.sizes()->size();
  const Place sizes(owner, "field", "sizes");
  if (rank > kMaxRank) {
    sizes.fail("has " + std::to_string(rank) +
               " dimensions; expected at most kMaxRank = " + std::to_string(kMaxRank));
  }
  for (std::size_t i = 0; i < rank; ++i) {
    const Place dimension(sizes, "dimension", i);
    meta.sizes.push_back(read_dim(*source.sizes()->Get(static_cast<flatbuffers::uoffset_t>(i)), dimension));
  }
  check_volume(meta, owner);
  meta.dim_order = read_dim_order(source, rank, owner);
  if (source.quant() != nullptr) meta.quant = read_quant(*source.quant(), owner);
  return meta;
}

}  // namespace plumb
