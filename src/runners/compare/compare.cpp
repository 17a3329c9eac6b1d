// One pass over the pairs; ranks afterwards for logits.
#include "runners/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "plumb/error.h"
#include "runners/compare/element.h"
#include "runners/compare/rank.h"
#include "runners/exit_code.h"
#include "runners/text.h"

namespace plumb {
namespace {

constexpr std::size_t kTop = 5;

void keep_larger(std::optional<Place>& worst, std::int64_t index, double value) {
  if (!worst || value > worst->value) worst = Place{index, value};
}

class CosineSum {
 public:
  void add(double a, double e) {
    dot_ += a * e;
    actual_ += a * a;
    expected_ += e * e;
    actual_is_zero_ = actual_is_zero_ && a == 0.0;
    expected_is_zero_ = expected_is_zero_ && e == 0.0;
  }
  // Two zero vectors point the same way; one alone points nowhere.
  double value() const {
    const double norms = std::sqrt(actual_) * std::sqrt(expected_);
    if (norms == 0.0) return actual_is_zero_ && expected_is_zero_ ? 1.0 : 0.0;
    return dot_ / norms;
  }

 private:
  double dot_ = 0;
  double actual_ = 0;
  double expected_ = 0;
  bool actual_is_zero_ = true;
  bool expected_is_zero_ = true;
};

template <typename T>
Comparison compare_elements(const T* actual, const T* expected, std::int64_t count,
                            const Tolerance& tolerance) {
  Comparison result;
  result.count = count;
  CosineSum cosine;
  bool all_finite = true;
  for (std::int64_t i = 0; i < count; ++i) {
    const double a = as_double(actual[i]);
    const double e = as_double(expected[i]);
    const bool finite = std::isfinite(a) && std::isfinite(e);
    const double error = finite ? distance(actual[i], expected[i]) : 0.0;
    if (!finite || !(error <= tolerance.atol + tolerance.rtol * std::fabs(e))) {
      if (result.failures++ == 0) result.first_failure = Failure{i, a, e};
    }
    if (!finite) {
      all_finite = false;
      continue;
    }
    keep_larger(result.worst_absolute, i, error);
    if (e != 0.0) keep_larger(result.worst_relative, i, error / std::fabs(e));
    if constexpr (kIsFloat<T>) {
      result.max_ulp = std::max(result.max_ulp.value_or(0), ulp_distance(actual[i], expected[i]));
    }
    cosine.add(a, e);
  }
  if (count > 0 && all_finite) result.cosine = cosine.value();
  return result;
}

}  // namespace

void check_tolerance(const Tolerance& tolerance) {
  for (const auto& [name, value] :
       {std::pair{"--rtol", tolerance.rtol}, std::pair{"--atol", tolerance.atol}}) {
    if (!std::isfinite(value) || value < 0) {
      throw ArgumentError(format("%s is %g; expected a finite number, 0 or more", name, value));
    }
  }
}

Tolerance default_tolerance(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
      return {1e-3, 1e-5};
    case DType::kBFloat16:
      return {1.6e-2, 1e-5};
    case DType::kFloat32:
      return {1.3e-6, 1e-5};
    case DType::kFloat64:
      return {1e-7, 1e-7};
    default:
      return {0.0, 0.0};
  }
}

Comparison compare(std::span<const float> actual, std::span<const float> expected,
                   const Tolerance& tolerance) {
  Comparison result =
      compare_elements(actual.data(), expected.data(), static_cast<std::int64_t>(actual.size()), tolerance);
  if (actual.empty()) return result;
  const std::vector<std::int64_t> top_actual = top_indices(actual, kTop);
  const std::vector<std::int64_t> top_expected = top_indices(expected, kTop);
  result.top1_agrees = top_actual[0] == top_expected[0];
  result.top5_common =
      static_cast<int>(std::count_if(top_actual.begin(), top_actual.end(), [&](std::int64_t index) {
        return std::find(top_expected.begin(), top_expected.end(), index) != top_expected.end();
      }));
  return result;
}

Comparison compare(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance) {
  const auto elements = [&]<typename T>(T) {
    return compare_elements(actual.data<const T>(), expected.data<const T>(), actual.numel(), tolerance);
  };
  switch (actual.dtype()) {
    case DType::kUInt8:
      return elements(std::uint8_t{});
    case DType::kInt8:
      return elements(std::int8_t{});
    case DType::kInt16:
      return elements(std::int16_t{});
    case DType::kInt32:
      return elements(std::int32_t{});
    case DType::kInt64:
      return elements(std::int64_t{});
    case DType::kUInt16:
      return elements(std::uint16_t{});
    case DType::kUInt32:
      return elements(std::uint32_t{});
    case DType::kUInt64:
      return elements(std::uint64_t{});
    case DType::kBool:
      return elements(bool{});
    case DType::kFloat16:
      return elements(Float16{});
    case DType::kBFloat16:
      return elements(BFloat16{});
    case DType::kFloat32:
      return elements(float{});
    case DType::kFloat64:
      return elements(double{});
  }
  throw Error(ErrorKind::kUnsupported,
              "cannot compare values of dtype " + std::string(dtype_name(actual.dtype())));
}

}  // namespace plumb
