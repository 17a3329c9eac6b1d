// Runs by memcpy, transpositions by small blocks, everything else element by element.
#include "engines/cpu/ops/copy_strided.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "engines/cpu/ops/convert_elements.h"
#include "engines/cpu/ops/strided_loop.h"

namespace plumb::cpu {
namespace {

constexpr std::int64_t kGrainBytes = 128 << 10;
// Rows and columns of a transposed block: both sides of it stay in the first-level cache.
constexpr std::int64_t kBlock = 32;

template <typename Item>
void copy_items(const StridedTile& tile) {
  constexpr auto kItem = static_cast<std::int64_t>(sizeof(Item));
  for (std::int64_t row0 = 0; row0 < tile.rows; row0 += kBlock) {
    const std::int64_t row1 = std::min(row0 + kBlock, tile.rows);
    for (std::int64_t col0 = 0; col0 < tile.cols; col0 += kBlock) {
      const std::int64_t col1 = std::min(col0 + kBlock, tile.cols);
      for (std::int64_t row = row0; row < row1; ++row) {
        std::byte* out = tile.data[0] + row * tile.row_step[0];
        const std::byte* in = tile.data[1] + row * tile.row_step[1];
        if (tile.col_step[0] == kItem) {
          for (std::int64_t col = col0; col < col1; ++col) {
            reinterpret_cast<Item*>(out)[col] = *reinterpret_cast<const Item*>(in + col * tile.col_step[1]);
          }
        } else {
          for (std::int64_t col = col0; col < col1; ++col) {
            *reinterpret_cast<Item*>(out + col * tile.col_step[0]) =
                *reinterpret_cast<const Item*>(in + col * tile.col_step[1]);
          }
        }
      }
    }
  }
}

void copy_tile(const StridedTile& tile, std::size_t item) {
  const auto step = static_cast<std::int64_t>(item);
  if (tile.col_step[0] == step && tile.col_step[1] == step) {
    const auto bytes = static_cast<std::size_t>(tile.cols) * item;
    for (std::int64_t row = 0; row < tile.rows; ++row) {
      std::memcpy(tile.data[0] + row * tile.row_step[0], tile.data[1] + row * tile.row_step[1], bytes);
    }
    return;
  }
  switch (item) {
    case 1:
      return copy_items<std::uint8_t>(tile);
    case 2:
      return copy_items<std::uint16_t>(tile);
    case 4:
      return copy_items<std::uint32_t>(tile);
    default:
      return copy_items<std::uint64_t>(tile);
  }
}

template <typename Item>
void fill_run(std::byte* target, const void* value, std::int64_t count) {
  Item item;
  std::memcpy(&item, value, sizeof item);
  std::fill_n(reinterpret_cast<Item*>(target), count, item);
}

}  // namespace

void copy_strided(const Call& call, const Tensor& out, const Tensor& in) {
  const Tensor* inputs[] = {&in};
  const StridedLoop loop(out, inputs);
  const std::size_t item = dtype_size(out.dtype());
  const std::int64_t grain = kGrainBytes / static_cast<std::int64_t>(item);
  if (in.dtype() == out.dtype()) {
    loop.for_each_tile(call.pool, grain, [&](const StridedTile& tile) { copy_tile(tile, item); });
    return;
  }
  const ConvertRun convert = find_conversion(call, in.dtype(), out.dtype());
  loop.for_each_tile(call.pool, grain, [&](const StridedTile& tile) {
    for (std::int64_t row = 0; row < tile.rows; ++row) {
      convert(tile.data[0] + row * tile.row_step[0], tile.col_step[0], tile.data[1] + row * tile.row_step[1],
              tile.col_step[1], tile.cols);
    }
  });
}

void fill_strided(const Tensor& out, const void* value, ThreadPool* pool) {
  const std::size_t item = dtype_size(out.dtype());
  const StridedLoop loop(out, {});
  loop.for_each_tile(pool, kGrainBytes / static_cast<std::int64_t>(item), [&](const StridedTile& tile) {
    for (std::int64_t row = 0; row < tile.rows; ++row) {
      std::byte* target = tile.data[0] + row * tile.row_step[0];
      if (tile.col_step[0] != static_cast<std::int64_t>(item)) {
        for (std::int64_t col = 0; col < tile.cols; ++col)
          std::memcpy(target + col * tile.col_step[0], value, item);
        continue;
      }
      switch (item) {
        case 1:
          fill_run<std::uint8_t>(target, value, tile.cols);
          break;
        case 2:
          fill_run<std::uint16_t>(target, value, tile.cols);
          break;
        case 4:
          fill_run<std::uint32_t>(target, value, tile.cols);
          break;
        default:
          fill_run<std::uint64_t>(target, value, tile.cols);
          break;
      }
    }
  });
}

Tensor narrow(const Tensor& tensor, int dim, std::int64_t begin, std::int64_t size) {
  std::vector<std::int64_t> sizes(tensor.sizes().begin(), tensor.sizes().end());
  sizes[static_cast<std::size_t>(dim)] = size;
  std::byte* data = static_cast<std::byte*>(tensor.raw());
  const std::int64_t offset =
      begin * tensor.stride(dim) * static_cast<std::int64_t>(dtype_size(tensor.dtype()));
  return Tensor(data == nullptr ? nullptr : data + offset, tensor.dtype(), sizes, tensor.strides());
}

}  // namespace plumb::cpu
