// Mean and variance of the elements of a view, for normalisations.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "engines/reference/element.h"
#include "engines/reference/strided.h"

namespace plumb::reference {

struct Moments {
  double mean = 0;
  double variance = 0;  // biased: divided by the number of elements
};

// In two passes, so that a large mean costs no precision.
template <typename T>
Moments moments_of(const Tensor& part) {
  const std::array<SpaceStrides, 1> strides{broadcast_strides(part, part.sizes())};
  const double count = static_cast<double>(part.numel());
  Moments moments;
  double sum = 0;
  for_each_offset(part.sizes(), strides,
                  [&](const auto& at) { sum += convert<double>(part.data<const T>()[at[0]]); });
  moments.mean = sum / count;
  double squares = 0;
  for_each_offset(part.sizes(), strides, [&](const auto& at) {
    const double distance = convert<double>(part.data<const T>()[at[0]]) - moments.mean;
    squares += distance * distance;
  });
  moments.variance = squares / count;
  return moments;
}

template <typename T>
double mean_square_of(const Tensor& part) {
  const std::array<SpaceStrides, 1> strides{broadcast_strides(part, part.sizes())};
  double sum = 0;
  for_each_offset(part.sizes(), strides, [&](const auto& at) {
    const double value = convert<double>(part.data<const T>()[at[0]]);
    sum += value * value;
  });
  return sum / static_cast<double>(part.numel());
}

}  // namespace plumb::reference
