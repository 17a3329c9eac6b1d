// Container bytes around the header, and the turn from Fortran order.
#include "runners/io/npy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "base/layout.h"
#include "base/mapped_file.h"
#include "base/new_file.h"
#include "plumb/error.h"
#include "runners/io/npy_header.h"

namespace plumb {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader = 1 << 16;
constexpr std::size_t kAlignment = 64;

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw Error(ErrorKind::kFile, "cannot read " + name + ": " + why);
}

std::size_t little_endian(std::span<const std::byte> bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | std::to_integer<std::size_t>(bytes[i]);
  return value;
}

// Copies elements stored first-dimension-fastest into row-major order.
void from_fortran_order(std::span<const std::byte> from, Array& array) {
  const std::size_t item = dtype_size(array.dtype);
  std::vector<std::int64_t> index(array.sizes.size(), 0);
  std::vector<std::int64_t> strides(array.sizes.size());
  std::int64_t step = 1;
  for (std::size_t d = 0; d < strides.size(); ++d) {
    strides[d] = step;
    step *= array.sizes[d];
  }
  std::int64_t offset = 0;
  for (std::size_t to = 0; to < array.bytes.size(); to += item) {
    std::memcpy(array.bytes.data() + to, from.data() + static_cast<std::size_t>(offset) * item, item);
    for (std::size_t d = index.size(); d-- > 0;) {
      offset += strides[d];
      if (++index[d] < array.sizes[d]) break;
      offset -= strides[d] * array.sizes[d];
      index[d] = 0;
    }
  }
}

}  // namespace

Array parse_npy(std::span<const std::byte> file, const std::string& name, bool bfloat16) {
  if (file.size() < 10 || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0) {
    fail(name, "it is not a .npy file");
  }
  const auto major = std::to_integer<int>(file[6]);
  if (major < 1 || major > 3)
    fail(name, ".npy format version " + std::to_string(major) + " is not supported");
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t start = 8 + length_bytes;
  if (file.size() < start) fail(name, "it ends inside the header");
  const std::size_t length = little_endian(file.subspan(8, length_bytes));
  if (length > kMaxHeader) {
    fail(name, "its header claims " + std::to_string(length) + " bytes; at most " +
                   std::to_string(kMaxHeader) + " are taken");
  }
  if (length > file.size() - start) fail(name, "it ends inside the header");
  const NpyHeader header =
      parse_npy_header({reinterpret_cast<const char*>(file.data()) + start, length}, name);

  Array array{header.dtype, header.sizes, {}};
  if (bfloat16) {
    if (header.dtype != DType::kUInt16) {
      fail(name, "a .bf16.npy file holds uint16, this one " + std::string(dtype_name(header.dtype)));
    }
    array.dtype = DType::kBFloat16;
  }
  std::int64_t expected = 0;
  try {
    expected = checked_byte_count(array.sizes, dtype_size(array.dtype), "its header");
    // Strides of an empty array must not overflow either.
    std::vector<std::int64_t> at_least_one = array.sizes;
    for (std::int64_t& size : at_least_one) size = std::max<std::int64_t>(size, 1);
    checked_byte_count(at_least_one, dtype_size(array.dtype), "its header");
  } catch (const Error& error) {
    fail(name, error.what());
  }
  const std::span<const std::byte> data = file.subspan(start + length);
  if (data.size() != static_cast<std::size_t>(expected)) {
    fail(name, shape_text(array) + " takes " + std::to_string(expected) + " bytes, but " +
                   std::to_string(data.size()) + " follow the header");
  }
  array.bytes.resize(data.size());
  if (header.fortran_order && array.sizes.size() > 1 && !data.empty()) {
    from_fortran_order(data, array);
  } else if (!data.empty()) {
    std::memcpy(array.bytes.data(), data.data(), data.size());
  }
  if (array.dtype == DType::kBool) {
    // Any other byte would not be a bool for C++.
    for (std::byte& value : array.bytes) value = value != std::byte{0} ? std::byte{1} : std::byte{0};
  }
  return array;
}

Array read_npy(const std::string& path) {
  return parse_npy(MappedFile::open(path)->bytes(), path, names_bfloat16(path));
}

bool names_bfloat16(const std::string& path) {
  return path.ends_with(".bf16.npy");
}

std::string npy_extension(DType dtype) {
  return dtype == DType::kBFloat16 ? ".bf16.npy" : ".npy";
}

void write_npy(const std::string& path, const Tensor& tensor) {
  if (!tensor.is_contiguous())
    throw Error(ErrorKind::kInvalidArgument, path + ": only row-major tensors are written");
  std::string text = npy_header_text({tensor.dtype(), false, {tensor.sizes().begin(), tensor.sizes().end()}});
  const std::size_t unpadded = 10 + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string head(kMagic);
  head += {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  head += text;
  const std::array<std::span<const std::byte>, 2> parts{
      std::as_bytes(std::span(head)),
      std::span(tensor.data<const std::byte>(), tensor.numel() > 0 ? tensor.nbytes() : 0)};
  write_new_file(path, parts);
}

}  // namespace plumb
