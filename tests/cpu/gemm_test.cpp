// The packed matrix product against a double loop, on every instruction set that the machine has: edge sizes,
// all ways to give A and B, epilogues, and the same bits for any number of threads.
#include "engines/cpu/gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "engines/cpu/gemm_parallel.h"
#include "engines/cpu/isa.h"
#include "plumb/error.h"

namespace plumb::cpu {
namespace {

std::vector<float> random_floats(std::int64_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = uniform(generator);
  return values;
}

double activate_exactly(const Epilogue& e, double x) {
  switch (e.activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
      return std::max(0.0, x);
    case Activation::kClamp:
      return std::clamp(x, double{e.min}, double{e.max});
    case Activation::kSilu:
      return x / (1 + std::exp(-x));
    case Activation::kGelu:
      return x * 0.5 * std::erfc(-x / std::numbers::sqrt2);
    case Activation::kGeluTanh:
      return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    case Activation::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case Activation::kHardswish:
      return x * std::clamp(x + 3, 0.0, 6.0) / 6;
    case Activation::kTanh:
      return std::tanh(x);
  }
  return 0;
}

struct Size {
  std::int64_t m, n, k;
  std::int64_t taps = 1;
};

// One product with its operands; `guard` floats behind C show whether anything was written past its end.
class Product {
 public:
  Product(const GemmKernels& gemm, const Size& size, bool b_transposed) : gemm_(gemm), size_(size) {
    const std::int64_t depth = size.k * size.taps;
    a_ = random_floats(size.m * depth, 1);
    b_ = random_floats(depth * size.n, 2);
    bias_ = random_floats(size.n, 3);
    residual_ = random_floats(size.m * size.n, 4);
    b_k_stride_ = b_transposed ? 1 : size.n;
    b_n_stride_ = b_transposed ? depth : 1;
    packed_.resize(static_cast<std::size_t>(gemm.packed_size(depth, size.n)));
    for (std::int64_t tap = 0; tap < size.taps; ++tap) {
      for (std::int64_t m = 0; m < size.m; ++m) rows_.push_back(a_.data() + m * depth + tap * size.k);
    }
  }

  Epilogue full_epilogue(Activation activation) const {
    return {.bias = bias_.data(),
            .residual = residual_.data(),
            .residual_stride = size_.n,
            .activation = activation,
            .min = -0.5F,
            .max = 0.75F};
  }

  std::vector<float> run(int threads, const Epilogue& epilogue, bool indirect) {
    ThreadPool pool(threads);
    const UnpackedB b{.b = b_.data(),
                      .k_stride = b_k_stride_,
                      .n_stride = b_n_stride_,
                      .taps = size_.taps,
                      .tap_stride = size_.k * b_k_stride_};
    pack_parallel(gemm_, pool, b, size_.k, size_.n, packed_.data());

    std::vector<float> c(static_cast<std::size_t>(size_.m * size_.n) + kGuard, kUntouched);
    GemmArgs args;
    if (indirect) {
      args.a_rows = rows_.data();
      args.a_rows_stride = size_.m;
      args.taps = size_.taps;
    } else {
      args.a = a_.data();
      args.a_stride = size_.k;
    }
    args.k = size_.k;
    args.b = packed_.data();
    args.n = size_.n;
    args.c = c.data();
    args.c_stride = size_.n;
    args.epilogue = epilogue;
    gemm_parallel(gemm_, pool, args, size_.m);
    for (std::size_t i = c.size() - kGuard; i < c.size(); ++i) EXPECT_EQ(c[i], kUntouched) << "wrote past C";
    c.resize(c.size() - kGuard);
    return c;
  }

  void expect_right(const std::vector<float>& c, const Epilogue& epilogue) const {
    const std::int64_t depth = size_.k * size_.taps;
    // Rounding errors of a sum in order: a random walk, and the growth of the sum itself.
    const auto length = static_cast<double>(depth);
    const double tolerance = 2e-6 * (1 + std::sqrt(length)) + 4e-8 * length;
    for (std::int64_t m = 0; m < size_.m; ++m) {
      for (std::int64_t n = 0; n < size_.n; ++n) {
        double sum = epilogue.bias != nullptr ? double{at(bias_, n)} : 0.0;
        for (std::int64_t k = 0; k < depth; ++k) {
          sum += double{at(a_, m * depth + k)} * double{at(b_, k * b_k_stride_ + n * b_n_stride_)};
        }
        if (epilogue.residual != nullptr) sum += double{at(residual_, m * size_.n + n)};
        ASSERT_NEAR(activate_exactly(epilogue, sum), double{at(c, m * size_.n + n)}, tolerance)
            << "m " << m << " of " << size_.m << ", n " << n << " of " << size_.n << ", k " << depth;
      }
    }
  }

 private:
  static constexpr std::size_t kGuard = 32;
  static constexpr float kUntouched = 12345.0F;

  static float at(const std::vector<float>& values, std::int64_t i) {
    return values[static_cast<std::size_t>(i)];
  }

  const GemmKernels& gemm_;
  Size size_;
  std::vector<float> a_, b_, bias_, residual_, packed_;
  std::int64_t b_k_stride_, b_n_stride_;
  std::vector<const float*> rows_;
};

class Gemm : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    for (const Isa& isa : available_isas()) {
      if (isa.name == GetParam()) gemm_ = isa.kernels->gemm;
    }
    if (gemm_ == nullptr) GTEST_SKIP() << "this machine or build lacks " << GetParam();
  }

  const GemmKernels& gemm() const { return *gemm_; }

 private:
  const GemmKernels* gemm_ = nullptr;
};

const std::vector<std::int64_t> kRows{1, 2, 5, 6, 7, 8, 9, 12, 13, 25};
const std::vector<std::int64_t> kColumns{1, 3, 4, 5, 8, 9, 15, 16, 17, 24, 40, 56, 63, 64, 65, 72, 130};

TEST_P(Gemm, is_right_at_every_edge_of_tiles_and_panels) {
  for (const std::int64_t m : kRows) {
    for (const std::int64_t n : kColumns) {
      for (const bool b_transposed : {false, true}) {
        for (const bool indirect : {false, true}) {
          Product product(gemm(), {.m = m, .n = n, .k = 19}, b_transposed);
          const Epilogue epilogue = product.full_epilogue(Activation::kNone);
          product.expect_right(product.run(1, epilogue, indirect), epilogue);
        }
      }
    }
  }
}

TEST_P(Gemm, is_right_without_bias_and_residual) {
  Product product(gemm(), {.m = 13, .n = 41, .k = 7}, true);
  product.expect_right(product.run(1, {}, false), {});
}

TEST_P(Gemm, sums_over_taps_through_row_pointers) {
  for (const bool b_transposed : {false, true}) {
    Product product(gemm(), {.m = 31, .n = 70, .k = 5, .taps = 9}, b_transposed);
    const Epilogue epilogue = product.full_epilogue(Activation::kRelu);
    product.expect_right(product.run(2, epilogue, true), epilogue);
  }
}

TEST_P(Gemm, goes_on_from_partial_sums_when_k_is_too_long_for_one_pass) {
  for (const bool indirect : {false, true}) {
    Product product(gemm(), {.m = 7, .n = 25, .k = 40000}, true);
    const Epilogue epilogue = product.full_epilogue(Activation::kClamp);
    product.expect_right(product.run(1, epilogue, indirect), epilogue);
  }
  Product taps(gemm(), {.m = 7, .n = 25, .k = 9000, .taps = 4}, true);
  const Epilogue epilogue = taps.full_epilogue(Activation::kNone);
  taps.expect_right(taps.run(1, epilogue, true), epilogue);
}

TEST_P(Gemm, gives_the_epilogue_alone_when_k_is_zero) {
  Product product(gemm(), {.m = 9, .n = 37, .k = 0}, false);
  const Epilogue epilogue = product.full_epilogue(Activation::kNone);
  product.expect_right(product.run(1, epilogue, false), epilogue);
}

TEST_P(Gemm, writes_nothing_when_there_are_no_rows_or_columns) {
  EXPECT_TRUE(Product(gemm(), {.m = 0, .n = 37, .k = 3}, false).run(2, {}, false).empty());
  EXPECT_TRUE(Product(gemm(), {.m = 9, .n = 0, .k = 3}, false).run(2, {}, false).empty());
}

TEST_P(Gemm, applies_every_activation) {
  for (int i = 0; i <= static_cast<int>(Activation::kTanh); ++i) {
    Product product(gemm(), {.m = 11, .n = 43, .k = 6}, true);
    const Epilogue epilogue = product.full_epilogue(static_cast<Activation>(i));
    product.expect_right(product.run(1, epilogue, false), epilogue);
  }
}

TEST_P(Gemm, keeps_nan_through_relu_and_clamp) {
  for (const Activation activation : {Activation::kRelu, Activation::kClamp, Activation::kGelu,
                                      Activation::kSilu, Activation::kTanh, Activation::kHardswish}) {
    std::vector<float> values(37, std::nanf(""));
    gemm().activate({.activation = activation, .min = 0, .max = 6}, values.data(), 37, 1, 37);
    EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](float x) { return std::isnan(x); }))
        << static_cast<int>(activation);
  }
}

TEST_P(Gemm, has_the_same_bits_for_any_number_of_threads) {
  for (const Size& size : {Size{1, 1000, 64}, Size{49, 320, 96}, Size{197, 197, 64}, Size{784, 40, 32, 3}}) {
    const bool indirect = size.taps > 1;
    Product product(gemm(), size, true);
    const Epilogue epilogue = product.full_epilogue(Activation::kGelu);
    const std::vector<float> one = product.run(1, epilogue, indirect);
    for (const int threads : {2, 3}) {
      const std::vector<float> many = product.run(threads, epilogue, indirect);
      EXPECT_EQ(std::memcmp(one.data(), many.data(), one.size() * sizeof(float)), 0)
          << threads << " threads, m " << size.m << ", n " << size.n;
    }
  }
}

TEST_P(Gemm, multiplies_few_rows_without_packing) {
  for (const std::int64_t n : kColumns) {
    for (const bool b_transposed : {false, true}) {
      const std::int64_t m = 3;
      const std::int64_t k = 21;
      const std::vector<float> a = random_floats(m * k, 1);
      const std::vector<float> b = random_floats(k * n, 2);
      const std::vector<float> bias = random_floats(n, 3);
      std::vector<float> c(static_cast<std::size_t>(m * n));
      const SmallGemmArgs args{
          .a = a.data(),
          .a_stride = k,
          .b = {.b = b.data(), .k_stride = b_transposed ? 1 : n, .n_stride = b_transposed ? k : 1},
          .rows = m,
          .k = k,
          .c = c.data(),
          .c_stride = n,
          .epilogue = {.bias = bias.data()}};
      gemm().run_small(args, 0, n);
      for (std::int64_t row = 0; row < m; ++row) {
        for (std::int64_t column = 0; column < n; ++column) {
          double sum = double{bias[static_cast<std::size_t>(column)]};
          for (std::int64_t i = 0; i < k; ++i) {
            sum += double{a[static_cast<std::size_t>(row * k + i)]} *
                   double{args.b.b[i * args.b.k_stride + column * args.b.n_stride]};
          }
          ASSERT_NEAR(sum, double{c[static_cast<std::size_t>(row * n + column)]}, 1e-5) << n << " columns";
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, Gemm, testing::Values("avx512", "avx2", "portable"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Isa, refuses_a_name_that_is_unknown) {
  try {
    find_isa("mmx");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("portable"), std::string::npos) << error.what();
  }
}

TEST(Isa, takes_the_best_when_none_is_named) {
  EXPECT_EQ(find_isa("").name, available_isas().front().name);
}

}  // namespace
}  // namespace plumb::cpu
