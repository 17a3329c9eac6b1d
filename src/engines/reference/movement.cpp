// Copies between strided views.
#include "engines/reference/movement.h"

#include <cstddef>
#include <numeric>

#include "base/layout.h"
#include "engines/reference/element.h"
#include "engines/reference/visit.h"

namespace plumb::reference {

Tensor view_at(const Tensor& tensor, std::int64_t offset, std::span<const std::int64_t> sizes,
               std::span<const std::int64_t> strides) {
  const auto bytes = offset * static_cast<std::int64_t>(dtype_size(tensor.dtype()));
  return {static_cast<std::byte*>(tensor.raw()) + bytes, tensor.dtype(), sizes, strides};
}

Tensor slice_of(const Tensor& tensor, int dim, std::int64_t start, std::int64_t count, std::int64_t step) {
  Sizes sizes(tensor.sizes().begin(), tensor.sizes().end());
  Sizes strides(tensor.strides().begin(), tensor.strides().end());
  const auto d = static_cast<std::size_t>(dim);
  const std::int64_t offset = count > 0 ? start * strides[d] : 0;
  sizes[d] = count;
  strides[d] = count > 1 ? strides[d] * step : 0;
  return view_at(tensor, offset, sizes, strides);
}

Tensor select_of(const Tensor& tensor, int dim, std::int64_t index) {
  Sizes sizes(tensor.sizes().begin(), tensor.sizes().end());
  Sizes strides(tensor.strides().begin(), tensor.strides().end());
  const std::int64_t offset = index * strides[static_cast<std::size_t>(dim)];
  sizes.erase(sizes.begin() + dim);
  strides.erase(strides.begin() + dim);
  return view_at(tensor, offset, sizes, strides);
}

void copy_elements(const Tensor& target, const Tensor& source) {
  const std::array<SpaceStrides, 2> strides{broadcast_strides(target, target.sizes()),
                                            broadcast_strides(source, target.sizes())};
  const auto copy = [&]<typename To, typename From>() {
    To* to = target.data<To>();
    const From* from = source.data<const From>();
    for_each_row(target.sizes(), strides, [&](const auto& offsets, std::int64_t count, const auto& steps) {
      for (std::int64_t i = 0; i < count; ++i) {
        to[offsets[0] + i * steps[0]] = convert<To>(from[offsets[1] + i * steps[1]]);
      }
    });
  };
  if (target.dtype() == source.dtype()) {
    visit_size(target.dtype(), [&]<typename T>() { copy.template operator()<T, T>(); });
  } else {
    visit_dtype(target.dtype(), [&]<typename To>() {
      visit_dtype(source.dtype(), [&]<typename From>() { copy.template operator()<To, From>(); });
    });
  }
}

void copy_mapped(const Tensor& target, const Tensor& source, std::span<const PositionMap> maps, double fill) {
  double fill_memory = 0;  // holds one element of any dtype
  const Tensor fill_element(&fill_memory, target.dtype(), {});
  write(fill_element, 0, fill);
  const std::size_t rank = maps.size();
  visit_size(target.dtype(), [&]<typename T>() {
    T* to = target.data<T>();
    const T* from = source.data<const T>();
    const T constant = *fill_element.data<const T>();
    // Depth-first over the dimensions; `inside` turns false once a map points to the constant.
    const auto walk = [&](const auto& self, std::size_t dim, std::int64_t t, std::int64_t s,
                          bool inside) -> void {
      if (dim == rank) {
        to[t] = inside ? from[s] : constant;
        return;
      }
      const PositionMap& map = maps[dim];
      for (std::size_t o = 0; o < map.size(); ++o) {
        self(self, dim + 1, t + static_cast<std::int64_t>(o) * target.strides()[dim],
             map[o] < 0 ? 0 : s + map[o] * source.strides()[dim], inside && map[o] >= 0);
      }
    };
    walk(walk, 0, 0, 0, true);
  });
}

PositionMap identity_map(std::int64_t size) {
  PositionMap map(static_cast<std::size_t>(size));
  std::iota(map.begin(), map.end(), std::int64_t{0});
  return map;
}

}  // namespace plumb::reference
