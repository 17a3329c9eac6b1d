// Products of two computed matrices, batched or not. B is packed at run time into scratch, unless A has so
// few rows that this would not pay.
#include <algorithm>

#include "base/aligned_buffer.h"
#include "engines/cpu/gemm_parallel.h"
#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/matmul_arguments.h"

namespace plumb::cpu {
namespace {

// Up to here B is read fewer times unpacked than packing would touch it.
constexpr std::int64_t kSmallRows = 4;
// Rows of an A without contiguous rows that are copied at a time.
constexpr std::int64_t kCopyRows = 48;

Layout input_layout(const Call& call, std::string_view argument) {
  const MatmulNames names = matmul_names(call);
  return argument == names.a || argument == names.b ? Layout::kAny : Layout::kContiguous;
}

std::int64_t batch_of(const Tensor& output) {
  std::int64_t batch = 1;
  for (int dim = 0; dim + 2 < output.rank(); ++dim) batch *= output.size(dim);
  return batch;
}

bool is_batched(const Tensor& operand) {
  return batch_of(operand) != 1;
}

// Scratch of one worker: a packed B, then copied rows of A.
struct Scratch {
  std::size_t b_bytes, a_bytes;

  Scratch(const GemmKernels& gemm, const Matmul& product)
      : b_bytes(align_up(static_cast<std::size_t>(gemm.packed_size(product.k, product.n)) * sizeof(float))),
        a_bytes(align_up(static_cast<std::size_t>(kCopyRows * product.k) * sizeof(float))) {}

  std::size_t bytes() const { return b_bytes + a_bytes; }
  float* b(const Call& call, int worker) const {
    return reinterpret_cast<float*>(call.scratch.data() + bytes() * static_cast<std::size_t>(worker));
  }
  float* a(const Call& call, int worker) const {
    return reinterpret_cast<float*>(call.scratch.data() + bytes() * static_cast<std::size_t>(worker) +
                                    b_bytes);
  }
};

std::size_t scratch_bytes(const Call& call, int threads) {
  return Scratch(*isa_kernels(call).gemm, matmul_of(call)).bytes() * static_cast<std::size_t>(threads);
}

// Everything that one run() needs to know about the operands.
class Runner {
 public:
  explicit Runner(const Call& call)
      : call_(call),
        gemm_(*isa_kernels(call).gemm),
        product_(matmul_of(call)),
        epilogue_(matmul_epilogue(call, product_)),
        scratch_(gemm_, product_),
        batch_(batch_of(call.output())),
        direct_a_(product_.a_k == 1 || product_.k <= 1) {}

  void run() const {
    if (product_.m == 0 || product_.n == 0 || batch_ == 0) return;
    const bool row_order = product_.b_n == 1 || product_.b_k == 1;
    if (product_.m <= kSmallRows && direct_a_ && row_order) return run_small();
    if (is_batched(*product_.b) && batch_ >= 2 * call_.pool->threads()) return run_by_batch();
    run_one_by_one();
  }

 private:
  const float* a_of(std::int64_t i) const {
    return product_.a->data<float>() + batch_offset(*product_.a, call_.output(), i);
  }
  UnpackedB b_of(std::int64_t i) const {
    return product_.unpacked_b(batch_offset(*product_.b, call_.output(), i));
  }
  float* c_of(std::int64_t i) const { return call_.output().data<float>() + i * product_.m * product_.n; }
  Epilogue epilogue_of_batch(std::int64_t i) const {
    Epilogue e = epilogue_;
    if (e.residual != nullptr) e.residual += i * product_.m * product_.n;
    return e;
  }

  void run_small() const {
    const GemmSplit split = split_gemm(gemm_, product_.m, product_.n, call_.pool->threads(), batch_);
    call_.pool->parallel_for(batch_ * split.column_tasks, [&](std::int64_t index, int) {
      const std::int64_t i = index / split.column_tasks;
      const std::int64_t task = index % split.column_tasks;
      const SmallGemmArgs args{.a = a_of(i),
                               .a_stride = product_.a_row,
                               .b = b_of(i),
                               .rows = product_.m,
                               .k = product_.k,
                               .c = c_of(i),
                               .c_stride = product_.n,
                               .epilogue = epilogue_of_batch(i)};
      gemm_.run_small(args, split.column_begin(task), split.column_end(task));
    });
  }

  // Each worker packs a B for itself.
  void run_by_batch() const {
    call_.pool->parallel_for(batch_, [&](std::int64_t i, int worker) {
      float* packed = scratch_.b(call_, worker);
      gemm_.pack(b_of(i), product_.k, 0, product_.n, packed);
      run_part(i, packed, worker, 0, product_.m, 0, product_.n);
    });
  }

  // All workers share each packed B.
  void run_one_by_one() const {
    const GemmSplit split = split_gemm(gemm_, product_.m, product_.n, call_.pool->threads());
    float* packed = scratch_.b(call_, 0);
    for (std::int64_t i = 0; i < batch_; ++i) {
      if (i == 0 || is_batched(*product_.b))
        pack_parallel(gemm_, *call_.pool, b_of(i), product_.k, product_.n, packed);
      call_.pool->parallel_for(split.tasks(), [&](std::int64_t task, int worker) {
        run_part(i, packed, worker, split.row_begin(task), split.row_end(task), split.column_begin(task),
                 split.column_end(task));
      });
    }
  }

  void run_part(std::int64_t i, const float* packed, int worker, std::int64_t m_begin, std::int64_t m_end,
                std::int64_t n_begin, std::int64_t n_end) const {
    GemmArgs args;
    args.a = a_of(i);
    args.a_stride = product_.a_row;
    args.k = product_.k;
    args.b = packed;
    args.n = product_.n;
    args.c = c_of(i);
    args.c_stride = product_.n;
    args.epilogue = epilogue_of_batch(i);
    if (direct_a_) return gemm_.run(args, m_begin, m_end, n_begin, n_end);

    float* copy = scratch_.a(call_, worker);
    for (std::int64_t m = m_begin; m < m_end; m += kCopyRows) {
      const std::int64_t count = std::min(kCopyRows, m_end - m);
      for (std::int64_t row = 0; row < count; ++row) {
        const float* from = args.a + (m + row) * product_.a_row;
        for (std::int64_t k = 0; k < product_.k; ++k) copy[row * product_.k + k] = from[k * product_.a_k];
      }
      GemmArgs block = args;
      block.a = copy;
      block.a_stride = product_.k;
      block.c += m * product_.n;
      if (block.epilogue.residual != nullptr) block.epilogue.residual += m * product_.n;
      gemm_.run(block, 0, count, n_begin, n_end);
    }
  }

  const Call& call_;
  const GemmKernels& gemm_;
  Matmul product_;
  Epilogue epilogue_;
  Scratch scratch_;
  std::int64_t batch_;
  bool direct_a_;  // rows of A are contiguous
};

}  // namespace

const KernelImpl matmul_dynamic{
    .accepts = accept_matmul,
    .input_layout = input_layout,
    .scratch_bytes = scratch_bytes,
    .run = [](const Call& call) { Runner(call).run(); },
};

}  // namespace plumb::cpu
