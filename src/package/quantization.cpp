// Arithmetic on sizes of quantised tensors.
#include "package/quantization.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "base/layout.h"
#include "plumb/tensor.h"

namespace plumb {
namespace {

struct BlockCodec {
  std::string_view name;
  std::int64_t elements;
  std::int64_t bytes;
};

constexpr BlockCodec kBlockCodecs[] = {
    {"gguf:q4_0", 32, 18},   {"gguf:q4_1", 32, 20},   {"gguf:q5_0", 32, 22},   {"gguf:q8_0", 32, 34},
    {"gguf:q4_k", 256, 144}, {"gguf:q5_k", 256, 176}, {"gguf:q6_k", 256, 210},
};

struct Rows {
  std::int64_t count = 0;   // of the last axis
  std::int64_t length = 0;  // of each
};

Rows rows_of(const TensorMeta& meta, const Place& constant) {
  if (meta.dtype != DType::kUInt8) {
    Place(constant, "field", "dtype")
        .fail("is " + std::string(dtype_name(meta.dtype)) + "; expected uint8 for quantised data");
  }
  const auto sizes = meta.static_sizes();
  if (sizes.empty())
    Place(constant, "field", "sizes").fail("has no dimension; expected one to quantise along");
  const auto leading = std::span(sizes).first(sizes.size() - 1);
  return {.count = element_count(leading), .length = sizes.back()};
}

void check_bytes(const Constant& stored, std::int64_t expected, const Place& constant) {
  if (static_cast<std::int64_t>(stored.data.size()) != expected) {
    constant.fail("is stored in " + std::to_string(stored.data.size()) + " bytes; expected " +
                  std::to_string(expected) + " by its sizes and quantisation");
  }
}

// Scales or zero points: one a group, of the declared dtype.
void check_parameters(const std::string& key, DType dtype, std::int64_t count, const ConstantStore& store,
                      const Place& constant) {
  const Constant* found = store.find(key);
  if (found == nullptr) {
    constant.fail("refers to data " + in_quotes(key) + ", which the package does not store");
  }
  if (found->dtype != dtype || element_count(found->sizes) != count) {
    constant.fail("has " + std::string(dtype_name(found->dtype)) + shape_string(found->sizes) + " in " +
                  in_quotes(key) + "; expected " + std::to_string(count) + " elements of " +
                  std::string(dtype_name(dtype)));
  }
}

void check_affine(const AffineGroup& scheme, const Rows& rows, const Constant& stored,
                  const ConstantStore& store, const Place& constant) {
  const std::int64_t levels = std::int64_t{scheme.quant_max} - scheme.quant_min;
  const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(levels)));
  if (bits > 8 || 8 % bits != 0 || rows.length % (8 / bits) != 0) {
    constant.fail("has " + std::to_string(bits) + "-bit elements in rows of " + std::to_string(rows.length) +
                  "; expected 1, 2, 4 or 8 bits and rows of whole bytes");
  }
  if (scheme.group_size > 0 && rows.length % scheme.group_size != 0) {
    constant.fail("has groups of " + std::to_string(scheme.group_size) + " in rows of " +
                  std::to_string(rows.length) + "; expected a divisor of the row");
  }
  check_bytes(stored, rows.count * (rows.length / (8 / bits)), constant);
  const std::int64_t groups = rows.count * (scheme.group_size == 0 ? 1 : rows.length / scheme.group_size);
  check_parameters(scheme.scale_key, scheme.scale_dtype, groups, store, constant);
  if (!is_floating_point(scheme.scale_dtype)) constant.fail("has integer scales; expected floating point");
  if (!scheme.zero_point_key.empty()) {
    check_parameters(scheme.zero_point_key, scheme.zero_point_dtype, groups, store, constant);
  }
}

}  // namespace

void check_quantized(const TensorMeta& meta, const Constant& stored, const ConstantStore& store,
                     const Place& constant) {
  const Rows rows = rows_of(meta, constant);
  if (stored.dtype != DType::kUInt8) {
    constant.fail("is stored as " + std::string(dtype_name(stored.dtype)) +
                  "; expected uint8 for quantised data");
  }
  if (const auto* affine = std::get_if<AffineGroup>(&meta.quant)) {
    check_affine(*affine, rows, stored, store, constant);
  } else if (const auto* packed = std::get_if<PackedQuant>(&meta.quant)) {
    const auto* const codec = std::find_if(std::begin(kBlockCodecs), std::end(kBlockCodecs),
                                           [&](const BlockCodec& row) { return row.name == packed->codec; });
    if (codec == std::end(kBlockCodecs)) return;
    if (rows.length % codec->elements != 0) {
      constant.fail("has rows of " + std::to_string(rows.length) + " elements; expected a multiple of " +
                    std::to_string(codec->elements) + " for codec " + in_quotes(codec->name));
    }
    check_bytes(stored, rows.count * (rows.length / codec->elements) * codec->bytes, constant);
  }
}

}  // namespace plumb
