// The safetensors layout: u64 header size, JSON header, data.
#include "package/safetensors.h"

#include <algorithm>
#include <utility>

#include "package/json.h"
#include "package/limits.h"
#include "plumb/tensor.h"

namespace plumb {
namespace {

constexpr std::size_t kSizeBytes = 8;

constexpr std::pair<std::string_view, DType> kDTypes[] = {
    {"U8", DType::kUInt8},   {"I8", DType::kInt8},       {"I16", DType::kInt16},   {"I32", DType::kInt32},
    {"I64", DType::kInt64},  {"F16", DType::kFloat16},   {"F32", DType::kFloat32}, {"F64", DType::kFloat64},
    {"BOOL", DType::kBool},  {"BF16", DType::kBFloat16}, {"U16", DType::kUInt16},  {"U32", DType::kUInt32},
    {"U64", DType::kUInt64},
};

DType dtype_from_code(const std::string& code, const Place& tensor) {
  const auto* const it = std::find_if(std::begin(kDTypes), std::end(kDTypes),
                                      [&](const auto& row) { return row.first == code; });
  if (it == std::end(kDTypes)) {
    std::string known;
    for (const auto& [name, dtype] : kDTypes) known += (known.empty() ? "" : ", ") + std::string(name);
    Place(tensor, "field", "dtype").fail("is " + in_quotes(code) + "; expected one of " + known);
  }
  return it->second;
}

const nlohmann::json& field(const nlohmann::json& entry, const char* name, const Place& tensor) {
  const auto it = entry.find(name);
  if (it == entry.end()) Place(tensor, "field", name).fail("is missing");
  return *it;
}

// Checks the count before anything is allocated for it.
std::vector<std::int64_t> numbers(const nlohmann::json& list, std::size_t min, std::size_t max,
                                  const Place& place) {
  if (!list.is_array() || list.size() < min || list.size() > max) {
    place.fail("is no list of " + std::to_string(min) + (min == max ? "" : " to " + std::to_string(max)) +
               " numbers");
  }
  std::vector<std::int64_t> values;
  for (const auto& item : list) {
    if (!item.is_number_unsigned() || item.get<std::uint64_t>() > INT64_MAX) {
      place.fail("holds " + in_quotes(item.dump()) + "; expected an integer of 0 or more");
    }
    values.push_back(item.get<std::int64_t>());
  }
  return values;
}

// The bytes that the shape needs. An empty tensor may not have sizes that overflow when they are multiplied
// either.
std::uint64_t bytes_of(const std::vector<std::int64_t>& sizes, DType dtype, const Place& tensor) {
  auto volume = static_cast<std::int64_t>(dtype_size(dtype));
  bool empty = false;
  for (const std::int64_t size : sizes) {
    empty = empty || size == 0;
    if (__builtin_mul_overflow(volume, std::max<std::int64_t>(size, 1), &volume) ||
        volume > limits::kMaxTensorBytes) {
      Place(tensor, "field", "shape")
          .fail("is " + shape_string(sizes) +
                "; expected at most kMaxTensorBytes = " + std::to_string(limits::kMaxTensorBytes));
    }
  }
  return empty ? 0 : static_cast<std::uint64_t>(volume);
}

StoredTensor read_tensor(const std::string& key, const nlohmann::json& entry, std::span<const std::byte> data,
                         const Place& member) {
  check_name(key, "key of a tensor", member);
  const Place tensor(member, "tensor", key);
  if (!entry.is_object()) tensor.fail("is no JSON object; expected dtype, shape and data_offsets");
  const auto& code = field(entry, "dtype", tensor);
  if (!code.is_string()) Place(tensor, "field", "dtype").fail("is no string");

  StoredTensor result{
      .key = key,
      .dtype = dtype_from_code(code.get_ref<const std::string&>(), tensor),
      .sizes = numbers(field(entry, "shape", tensor), 0, kMaxRank, Place(tensor, "field", "shape")),
      .data = {}};
  const Place offsets_place(tensor, "field", "data_offsets");
  const auto offsets = numbers(field(entry, "data_offsets", tensor), 2, 2, offsets_place);
  const auto begin = static_cast<std::uint64_t>(offsets[0]);
  const auto end = static_cast<std::uint64_t>(offsets[1]);
  if (begin > end || end > data.size()) {
    offsets_place.fail("is " + std::to_string(begin) + " to " + std::to_string(end) +
                       "; expected a range within the " + std::to_string(data.size()) + " bytes of data");
  }
  const std::uint64_t needed = bytes_of(result.sizes, result.dtype, tensor);
  if (needed != end - begin) {
    offsets_place.fail("spans " + std::to_string(end - begin) + " bytes; expected " + std::to_string(needed) +
                       " for " + std::string(dtype_name(result.dtype)) + shape_string(result.sizes));
  }
  result.data = data.subspan(begin, end - begin);
  return result;
}

// Without gaps: the format's own rule, by which no byte of the file belongs to nothing.
void check_dense(const std::vector<StoredTensor>& tensors, std::span<const std::byte> data,
                 const Place& member) {
  const std::byte* next = data.data();
  for (const StoredTensor& tensor : tensors) {
    if (tensor.data.data() != next) {
      Place(Place(member, "tensor", tensor.key), "field", "data_offsets")
          .fail("begins at " + std::to_string(tensor.data.data() - data.data()) + "; expected " +
                std::to_string(next - data.data()) + ", where the tensor before it ends");
    }
    next += tensor.data.size();
  }
  const auto used = static_cast<std::size_t>(next - data.data());
  if (used != data.size()) {
    member.fail("has " + std::to_string(data.size() - used) + " bytes after its last tensor; expected none");
  }
}

}  // namespace

std::vector<StoredTensor> read_safetensors(std::span<const std::byte> bytes, const Place& member) {
  if (bytes.size() < kSizeBytes) {
    member.fail("has " + std::to_string(bytes.size()) + " bytes; expected at least " +
                std::to_string(kSizeBytes));
  }
  std::uint64_t header_size = 0;
  for (std::size_t i = kSizeBytes; i-- > 0;)
    header_size = header_size << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  const std::uint64_t limit = std::min<std::uint64_t>(limits::kMaxHeaderBytes, bytes.size() - kSizeBytes);
  if (header_size > limit) {
    Place(member, "field", "header size")
        .fail("is " + std::to_string(header_size) + "; expected at most " + std::to_string(limit) +
              " (kMaxHeaderBytes = " + std::to_string(limits::kMaxHeaderBytes) +
              ", and what the member holds)");
  }
  const Place header_place(member, "header");
  const auto header = parse_json_object(bytes.subspan(kSizeBytes, header_size), header_place);
  const auto data = bytes.subspan(kSizeBytes + header_size);
  std::vector<StoredTensor> tensors;
  for (const auto& [key, entry] : header.items()) {
    if (key == "__metadata__") {
      if (!entry.is_object()) header_place.fail("has a '__metadata__' that is no JSON object");
      continue;
    }
    tensors.push_back(read_tensor(key, entry, data, member));
  }
  // Where several begin at one place all but the last are empty.
  std::sort(tensors.begin(), tensors.end(), [](const StoredTensor& a, const StoredTensor& b) {
    return std::pair(a.data.data(), a.data.size()) < std::pair(b.data.data(), b.data.size());
  });
  check_dense(tensors, data, member);
  return tensors;
}

}  // namespace plumb
