// Operators that put elements in another order or repeat them: flip, roll, repeat, pixel_shuffle and
// pixel_unshuffle.
#include <algorithm>

#include "base/layout.h"
#include "engines/arguments.h"
#include "engines/reference/kernels.h"
#include "engines/reference/movement.h"

namespace plumb::reference {
namespace {

std::vector<PositionMap> identity_maps(const Tensor& tensor) {
  std::vector<PositionMap> maps;
  for (const std::int64_t size : tensor.sizes()) maps.push_back(identity_map(size));
  return maps;
}

void run_flip(const Call& call) {
  const Tensor& self = call.tensor("self");
  std::vector<PositionMap> maps = identity_maps(self);
  // Unlike in reductions no dimension named means none.
  for (const std::int64_t dim : call.ints("dims")) {
    if (self.rank() == 0) break;
    PositionMap& map = maps[static_cast<std::size_t>(normalize_dim(call, dim, self.rank()))];
    std::reverse(map.begin(), map.end());
  }
  copy_mapped(call.output(), self, maps);
}

// Elements that leave a dimension at its end come back at its start.
PositionMap rolled(const PositionMap& map, std::int64_t shift) {
  const std::int64_t size = std::ssize(map);
  PositionMap result(map.size());
  for (std::int64_t i = 0; i < size; ++i) {
    const std::int64_t source = ((i - shift % size) % size + size) % size;
    result[static_cast<std::size_t>(i)] = map[static_cast<std::size_t>(source)];
  }
  return result;
}

void run_roll(const Call& call) {
  const Tensor& self = call.tensor("self");
  const std::vector<std::int64_t> shifts = call.ints("shifts");
  const std::vector<std::int64_t> dims = call.ints("dims");
  if (self.numel() == 0) return;
  if (dims.empty()) {  // the tensor is rolled as if it were flat
    if (shifts.size() != 1) call.fail("without dims there must be one shift");
    const std::int64_t count = self.numel();
    const PositionMap order = rolled(identity_map(count), shifts[0]);
    const Sizes contiguous = contiguous_strides(self.sizes());
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t from = 0;
      std::int64_t to = 0;
      for (std::size_t d = 0; d < contiguous.size(); ++d) {
        from += order[static_cast<std::size_t>(i)] / contiguous[d] % self.sizes()[d] * self.strides()[d];
        to += i / contiguous[d] % self.sizes()[d] * call.output().strides()[d];
      }
      copy_elements(view_at(call.output(), to, {}, {}), view_at(self, from, {}, {}));
    }
    return;
  }
  if (shifts.size() != dims.size()) call.fail("shifts and dims differ in length");
  std::vector<PositionMap> maps = identity_maps(self);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    PositionMap& map = maps[static_cast<std::size_t>(normalize_dim(call, dims[i], self.rank()))];
    map = rolled(map, shifts[i]);
  }
  copy_mapped(call.output(), self, maps);
}

void run_repeat(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& output = call.output();
  // Dimensions that self lacks are broadcast ones of size 1.
  const std::size_t lead = output.sizes().size() - self.sizes().size();
  Sizes sizes(output.sizes().size(), 1);
  Sizes strides(output.sizes().size(), 0);
  std::copy(self.sizes().begin(), self.sizes().end(), sizes.begin() + static_cast<std::ptrdiff_t>(lead));
  std::copy(self.strides().begin(), self.strides().end(),
            strides.begin() + static_cast<std::ptrdiff_t>(lead));
  if (self.numel() == 0) return;
  std::vector<PositionMap> maps;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    PositionMap map = identity_map(output.sizes()[d]);
    for (std::int64_t& position : map) position %= sizes[d];
    maps.push_back(std::move(map));
  }
  copy_mapped(output, view_at(self, 0, sizes, strides), maps);
}

// [batch…, C, H·r, W·r] seen as [batch…, C, r, r, H, W], the order in which [batch…, C·r·r, H, W] has its
// elements.
Tensor shuffled_view(const Tensor& large, std::int64_t r) {
  Sizes sizes(large.sizes().begin(), large.sizes().end() - 2);
  Sizes strides(large.strides().begin(), large.strides().end() - 2);
  sizes.insert(sizes.end(), {r, r, large.size(-2) / r, large.size(-1) / r});
  strides.insert(strides.end(),
                 {large.stride(-2), large.stride(-1), large.stride(-2) * r, large.stride(-1) * r});
  return view_at(large, 0, sizes, strides);
}

// [batch…, C·r·r, H, W] seen as [batch…, C, r, r, H, W].
Tensor split_channels(const Tensor& small, std::int64_t r) {
  Sizes sizes(small.sizes().begin(), small.sizes().end() - 3);
  Sizes strides(small.strides().begin(), small.strides().end() - 3);
  const std::int64_t step = small.stride(-3);
  sizes.insert(sizes.end(), {small.size(-3) / (r * r), r, r, small.size(-2), small.size(-1)});
  strides.insert(strides.end(), {step * r * r, step * r, step, small.stride(-2), small.stride(-1)});
  return view_at(small, 0, sizes, strides);
}

void run_pixel_shuffle(const Call& call) {
  const std::int64_t r = call.integer("upscale_factor");
  copy_elements(shuffled_view(call.output(), r), split_channels(call.tensor("self"), r));
}

void run_pixel_unshuffle(const Call& call) {
  const std::int64_t r = call.integer("downscale_factor");
  copy_elements(split_channels(call.output(), r), shuffled_view(call.tensor("self"), r));
}

}  // namespace

const KernelImpl flip{.run = run_flip};
const KernelImpl roll{.run = run_roll};
const KernelImpl repeat{.run = run_repeat};
const KernelImpl pixel_shuffle{.run = run_pixel_shuffle};
const KernelImpl pixel_unshuffle{.run = run_pixel_unshuffle};

}  // namespace plumb::reference
