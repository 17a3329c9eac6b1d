// Binds keys to bytes.
#include "package/constants.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

#include "package/quantization.h"
#include "plumb/tensor.h"

namespace plumb {
namespace {

constexpr std::align_val_t kCopyAlignment{64};

struct AlignedDelete {
  void operator()(std::byte* bytes) const { ::operator delete(bytes, kCopyAlignment); }
};

bool is_aligned(std::span<const std::byte> data, DType dtype) {
  return reinterpret_cast<std::uintptr_t>(data.data()) % dtype_size(dtype) == 0;
}

// Kernels read bool data as C++ bools, for which another byte than 0 or 1 is undefined behaviour.
void check_bools(const StoredTensor& tensor, const Place& member) {
  const auto bad =
      std::find_if(tensor.data.begin(), tensor.data.end(), [](std::byte b) { return b > std::byte{1}; });
  if (bad != tensor.data.end()) {
    Place(member, "tensor", tensor.key)
        .fail("has the bool " + std::to_string(std::to_integer<int>(*bad)) + "; expected 0 or 1");
  }
}

std::shared_ptr<Constant> bind(const StoredTensor& tensor, const std::shared_ptr<const void>& owner) {
  auto constant = std::make_shared<Constant>();
  constant->key = tensor.key;
  constant->dtype = tensor.dtype;
  constant->sizes = tensor.sizes;
  constant->data = tensor.data;
  constant->owner = owner;
  if (!is_aligned(tensor.data, tensor.dtype)) {
    const std::size_t size = tensor.data.size();
    std::shared_ptr<std::byte> copy(
        static_cast<std::byte*>(::operator new(std::max<std::size_t>(size, 1), kCopyAlignment)),
        AlignedDelete());
    if (size != 0) std::memcpy(copy.get(), tensor.data.data(), size);
    constant->data = {copy.get(), size};
    constant->owner = copy;
  }
  return constant;
}

// Stored data are row-major; an order that only moves dimensions of size 1 says the same.
bool is_row_major(const TensorMeta& meta) {
  std::int32_t last = -1;
  for (const std::int32_t dim : meta.dim_order) {
    if (meta.sizes[static_cast<std::size_t>(dim)].min == 1) continue;
    if (dim < last) return false;
    last = dim;
  }
  return true;
}

}  // namespace

ConstantStore::ConstantStore(std::span<const StoredTensor> tensors,
                             std::vector<std::pair<std::string, std::string>> aliases,
                             const std::shared_ptr<const void>& owner, const Place& member)
    : declared_(tensors.size(), false), aliases_(std::move(aliases)) {
  for (const StoredTensor& tensor : tensors) {
    if (tensor.dtype == DType::kBool) check_bools(tensor, member);
    index_.emplace(tensor.key, constants_.size());
    constants_.push_back(bind(tensor, owner));
  }
  for (const auto& [duplicate, key] : aliases_) index_.emplace(duplicate, index_.at(key));
}

Constant* ConstantStore::find_mutable(std::string_view key) const {
  const auto it = index_.find(std::string(key));
  return it == index_.end() ? nullptr : constants_[it->second].get();
}

const Constant* ConstantStore::find(std::string_view key) const {
  return find_mutable(key);
}

std::shared_ptr<const Constant> ConstantStore::share(std::string_view key) const {
  return constants_[index_.at(std::string(key))];
}

bool ConstantStore::is_shared(std::string_view key) const {
  return std::any_of(aliases_.begin(), aliases_.end(),
                     [&](const auto& alias) { return alias.first == key || alias.second == key; });
}

void ConstantStore::declare(std::string_view key, const TensorMeta& meta, const Place& constant) {
  Constant* stored = find_mutable(key);
  if (stored == nullptr) {
    constant.fail("refers to data " + in_quotes(key) +
                  ", which neither program.safetensors nor aliases.json has");
  }
  if (!meta.is_static())
    Place(constant, "field", "sizes").fail("are dynamic; expected those of the stored data");
  if (!is_row_major(meta)) Place(constant, "field", "dim_order").fail("is not row-major, as stored data are");

  const std::size_t index = index_.at(std::string(key));
  if (declared_[index] && stored->quant != meta.quant) {
    constant.fail("has another quantisation than an earlier constant with the same data");
  }
  if (!std::holds_alternative<std::monostate>(meta.quant)) {
    check_quantized(meta, *stored, *this, constant);
  } else if (meta.dtype != stored->dtype || meta.static_sizes() != stored->sizes) {
    constant.fail("is declared " + std::string(dtype_name(meta.dtype)) + shape_string(meta.static_sizes()) +
                  "; expected " + std::string(dtype_name(stored->dtype)) + shape_string(stored->sizes) +
                  ", as data " + in_quotes(key) + " are stored");
  }
  stored->quant = meta.quant;
  declared_[index] = true;
}

std::vector<std::shared_ptr<const Constant>> ConstantStore::in_file_order() const {
  return {constants_.begin(), constants_.end()};
}

}  // namespace plumb
