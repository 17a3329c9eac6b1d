// Sums of integers and bools in int64, and whether any or all elements are true. Not here: floats' sums
// (reductions.cpp).
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/reduced_view.h"
#include "engines/cpu/ops/strided_loop.h"

namespace plumb::cpu {
namespace {

constexpr std::int64_t kGrain = 32 << 10;  // elements read

// out = fold(... fold(fold(start, x0), x1) ...); `fold` must be associative, as the compiler's vectors are.
template <typename In, typename Out, typename Fold>
void reduce(const Call& call, Out start, const Fold& fold) {
  const Tensor& self = call.tensor("self");
  const std::vector<bool> flags = reduced_flags(call.ints("dim"), self.rank());
  const ReducedDims reduced = reduced_dims(self, flags);
  const Tensor in = kept_view(self, flags);
  const Tensor out = call.output().rank() == self.rank() ? kept_view(call.output(), flags) : call.output();
  const Tensor* inputs[] = {&in};
  const std::int64_t grain = std::max<std::int64_t>(kGrain / std::max<std::int64_t>(reduced.count, 1), 1);
  const std::int64_t n = reduced.sizes[0];
  const std::int64_t step = reduced.steps[0];
  const auto fold_all = [&](const In* data) {
    Out result = start;
    reduced.for_each_run(data, [&](const In* run) {
      if (step == 1) {
        for (std::int64_t i = 0; i < n; ++i) result = fold(result, run[i]);
      } else {
        for (std::int64_t i = 0; i < n; ++i) result = fold(result, run[i * step]);
      }
    });
    return result;
  };
  StridedLoop(out, inputs).for_each_tile(call.pool, grain, [&](const StridedTile& tile) {
    for (std::int64_t r = 0; r < tile.rows; ++r) {
      for (std::int64_t c = 0; c < tile.cols; ++c) {
        std::byte* target = tile.data[0] + r * tile.row_step[0] + c * tile.col_step[0];
        const std::byte* source = tile.data[1] + r * tile.row_step[1] + c * tile.col_step[1];
        *reinterpret_cast<Out*>(target) = fold_all(reinterpret_cast<const In*>(source));
      }
    }
  });
}

// body(T{}) for the element type T of a dtype that accept_dtype takes.
template <typename Body>
void with_type(DType dtype, const Body& body) {
  switch (dtype) {
    case DType::kBool:
      return body(bool{});
    case DType::kUInt8:
      return body(std::uint8_t{});
    case DType::kInt32:
      return body(std::int32_t{});
    case DType::kInt64:
      return body(std::int64_t{});
    default:
      return body(float{});
  }
}

Verdict accept_dtype(const Call& call, DType result, bool floats) {
  const DType dtype = call.tensor("self").dtype();
  const bool known = dtype == DType::kBool || dtype == DType::kUInt8 || dtype == DType::kInt32 ||
                     dtype == DType::kInt64 || (floats && dtype == DType::kFloat32);
  if (!known) return Verdict::no("self is " + std::string(dtype_name(dtype)));
  if (call.output().dtype() != result)
    return Verdict::no("the result is not " + std::string(dtype_name(result)));
  return Verdict::yes();
}

Verdict accept_sum(const Call& call) {
  return accept_dtype(call, DType::kInt64, false);
}

Verdict accept_truth(const Call& call) {
  if (call.has("dim") && call.ints("dim").empty()) return Verdict::no("dim is an empty list");
  return accept_dtype(call, DType::kBool, true);
}

// Unsigned, so that sums wrap.
void run_sum(const Call& call) {
  with_type(call.tensor("self").dtype(), [&]<typename T>(T) {
    reduce<T>(call, std::uint64_t{0},
              [](std::uint64_t sum, T x) { return sum + static_cast<std::uint64_t>(x); });
  });
}

void run_any(const Call& call) {
  with_type(call.tensor("self").dtype(), [&]<typename T>(T) {
    reduce<T>(call, false, [](bool found, T x) { return found | (x != T{}); });
  });
}

void run_all(const Call& call) {
  with_type(call.tensor("self").dtype(), [&]<typename T>(T) {
    reduce<T>(call, true, [](bool still, T x) { return still & (x != T{}); });
  });
}

}  // namespace

const KernelImpl integer_sum{.accepts = accept_sum, .run = run_sum};
const KernelImpl truth_any{.accepts = accept_truth, .run = run_any};
const KernelImpl truth_all{.accepts = accept_truth, .run = run_all};

}  // namespace plumb::cpu
