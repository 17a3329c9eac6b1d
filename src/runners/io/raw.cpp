// Raw float32, whole files only.
#include "runners/io/raw.h"

#include "base/mapped_file.h"
#include "plumb/error.h"
#include "runners/io/npy.h"
#include "runners/io/path.h"

namespace plumb {
namespace {

constexpr std::size_t kMaxRawBytes = std::size_t{8} << 30;  // of one file: it is held in memory whole

}  // namespace

Array read_raw_float32(const std::string& path) {
  const auto file = MappedFile::open(path);
  const std::span<const std::byte> bytes = file->bytes();
  if (bytes.size() > kMaxRawBytes) {
    throw Error(ErrorKind::kFile, "cannot read " + path + ": it has " + std::to_string(bytes.size()) +
                                      " bytes; a raw file has at most " + std::to_string(kMaxRawBytes));
  }
  if (bytes.size() % sizeof(float) != 0) {
    throw Error(ErrorKind::kFile, "cannot read " + path + ": " + std::to_string(bytes.size()) +
                                      " bytes are not a whole number of float32 values");
  }
  return {DType::kFloat32,
          {static_cast<std::int64_t>(bytes.size() / sizeof(float))},
          {bytes.begin(), bytes.end()}};
}

Array read_float32(const std::string& path) {
  if (extension_of(path) != ".npy") return read_raw_float32(path);
  Array array = read_npy(path);
  if (array.dtype != DType::kFloat32) {
    throw Error(ErrorKind::kFile,
                path + " holds " + std::string(dtype_name(array.dtype)) + "; expected float32");
  }
  return array;
}

}  // namespace plumb
