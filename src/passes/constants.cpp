// Constants made by passes own their memory.
#include "passes/constants.h"

#include <algorithm>
#include <cstring>

#include "base/aligned_buffer.h"
#include "base/layout.h"

namespace plumb::passes {

std::size_t element_count(const Constant& constant) {
  return constant.data.size() / dtype_size(constant.dtype);
}

std::vector<float> read_floats(const Constant& constant) {
  std::vector<float> values(element_count(constant));
  if (!values.empty()) std::memcpy(values.data(), constant.data.data(), values.size() * sizeof(float));
  return values;
}

std::shared_ptr<const Constant> make_floats(std::string key, std::vector<std::int64_t> sizes,
                                            const std::function<void(std::span<float>)>& fill) {
  const auto bytes = static_cast<std::size_t>(plumb::element_count(sizes)) * sizeof(float);
  const auto owner = std::make_shared<AlignedBuffer>(bytes);
  fill({reinterpret_cast<float*>(owner->data()), bytes / sizeof(float)});
  auto constant = std::make_shared<Constant>();
  constant->key = std::move(key);
  constant->dtype = DType::kFloat32;
  constant->sizes = std::move(sizes);
  constant->data = owner->bytes();
  constant->owner = owner;
  return constant;
}

std::shared_ptr<const Constant> transposed(const Constant& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.sizes[0]);
  const auto columns = static_cast<std::size_t>(matrix.sizes[1]);
  const std::vector<float> source = read_floats(matrix);
  const auto fill = [&](std::span<float> values) {
    // In tiles: whole columns of a large matrix would miss the cache at every element.
    constexpr std::size_t kTile = 32;
    for (std::size_t row = 0; row < rows; row += kTile) {
      for (std::size_t column = 0; column < columns; column += kTile) {
        for (std::size_t i = row; i < std::min(rows, row + kTile); ++i) {
          for (std::size_t j = column; j < std::min(columns, column + kTile); ++j) {
            values[j * rows + i] = source[i * columns + j];
          }
        }
      }
    }
  };
  return make_floats(matrix.key + ".transposed", {matrix.sizes[1], matrix.sizes[0]}, fill);
}

}  // namespace plumb::passes
