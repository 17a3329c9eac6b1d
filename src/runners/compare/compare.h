// Judging values against a reference: |actual - expected| <= atol + rtol * |expected|, in double. A value
// that is not finite fails on either side, equal or not. The formulas of the other numbers are in
// docs/validation.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "plumb/tensor.h"

namespace plumb {

struct Tolerance {
  double rtol = 1e-3;
  double atol = 1e-3;
};

// Throws ArgumentError unless both are finite and not negative.
void check_tolerance(const Tolerance& tolerance);
// The tolerances that torch.testing.assert_close takes for a dtype.
Tolerance default_tolerance(DType dtype);

// A value at a flat index.
struct Place {
  std::int64_t index = 0;
  double value = 0;
};

struct Failure {
  std::int64_t index = 0;
  double actual = 0;
  double expected = 0;
};

// What has no value (the worst error among no finite pairs, the cosine of values that are not finite) is
// absent.
struct Comparison {
  std::int64_t count = 0;
  std::int64_t failures = 0;
  std::optional<Failure> first_failure;
  std::optional<Place> worst_absolute;  // among pairs that are finite
  std::optional<Place> worst_relative;  // among those whose expected value is not 0
  std::optional<std::uint64_t> max_ulp;
  std::optional<double> cosine;
  std::optional<bool> top1_agrees;
  std::optional<int> top5_common;

  bool passed() const { return failures == 0; }
};

// Logits, with ranks. Both have the same length.
Comparison compare(std::span<const float> actual, std::span<const float> expected,
                   const Tolerance& tolerance);
// Tensors of any dtype, without ranks. Both are row-major and have the same dtype and sizes.
Comparison compare(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance);

}  // namespace plumb
