// Scaled dot product attention: blocks of queries against all keys, by packed matrix products; single queries
// by plain dot products, where packing keys and values would cost more than using them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engines/cpu/isa.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/ops/attention_mask.h"
#include "engines/cpu/ops/common_arguments.h"
#include "engines/cpu/ops/copy_strided.h"
#include "engines/cpu/ops/parallel.h"

namespace plumb::cpu {
namespace {

// Up to this many queries are answered one by one.
constexpr std::int64_t kFewQueries = 4;
// Queries of a block: their scores should stay in the second-level cache.
constexpr std::int64_t kBlockScores = 96 << 10;

// Work that is not worth waking a thread for: floats packed, multiplications in products, floats read.
constexpr std::int64_t kPackGrain = 32 << 10;
constexpr std::int64_t kProductGrain = 512 << 10;
constexpr std::int64_t kReadGrain = 32 << 10;

std::int64_t query_block(std::int64_t keys) {
  return std::clamp<std::int64_t>(kBlockScores / std::max<std::int64_t>(keys, 1) / 8 * 8, 8, 64);
}

std::int64_t round_up(std::int64_t n, std::int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

// A query, key, value or output as [batch, heads, positions, features].
Tensor four_dims(const Tensor& tensor) {
  std::vector<std::int64_t> sizes(tensor.sizes().begin(), tensor.sizes().end());
  std::vector<std::int64_t> strides(tensor.strides().begin(), tensor.strides().end());
  while (sizes.size() < 4) {
    sizes.insert(sizes.begin(), 1);
    strides.insert(strides.begin(), 0);
  }
  return Tensor(tensor.raw(), tensor.dtype(), sizes, strides);
}

Verdict accept_attention(const Call& call) {
  const Tensor& query = call.tensor("query");
  for (const char* name : {"query", "key", "value"}) {
    const Tensor& tensor = call.tensor(name);
    if (tensor.dtype() != DType::kFloat32) return Verdict::no("'" + std::string(name) + "' is not float32");
    if (tensor.rank() != query.rank()) return Verdict::no("query, key and value differ in rank");
  }
  if (query.rank() < 2 || query.rank() > 4) return Verdict::no("the rank is not 2, 3 or 4");
  if (call.number("dropout_p", 0.0) != 0.0) return Verdict::no("dropout");
  if (const Tensor* mask = call.optional_tensor("attn_mask")) {
    if (mask->dtype() != DType::kBool && mask->dtype() != DType::kFloat32) {
      return Verdict::no("the mask is neither bool nor float32");
    }
    if (mask->rank() > 4) return Verdict::no("the mask has more than 4 dimensions");
  }
  const Tensor q = four_dims(query);
  const Tensor k = four_dims(call.tensor("key"));
  const Tensor v = four_dims(call.tensor("value"));
  if (k.size(1) == 0 || v.size(1) != k.size(1) || q.size(1) % k.size(1) != 0) {
    return Verdict::no("the heads of key and value do not divide those of query");
  }
  if (k.size(0) != q.size(0) || v.size(0) != q.size(0)) return Verdict::no("the batches differ");
  return Verdict::yes();
}

struct Sizes4 {
  std::int64_t batch, heads, kv_heads, queries, keys, features, value_features;
};
Sizes4 sizes_of(const Call& call) {
  const Tensor q = four_dims(call.tensor("query"));
  const Tensor k = four_dims(call.tensor("key"));
  const Tensor v = four_dims(call.tensor("value"));
  return {q.size(0), q.size(1), k.size(1), q.size(2), k.size(2), q.size(3), v.size(3)};
}

// Where things lie in the scratch memory, in floats.
struct ScratchPlan {
  std::int64_t packed_key, packed_value;  // of one key-value head
  std::int64_t score_rows;                // of one worker
  std::int64_t row;                       // floats of a row of scores
  bool packs;

  std::int64_t per_head() const { return packed_key + packed_value; }
  std::int64_t per_worker() const { return (score_rows + 1) * row; }
};
ScratchPlan plan_scratch(const GemmKernels& gemm, const Sizes4& s) {
  ScratchPlan plan{};
  plan.packs = s.queries > kFewQueries;
  plan.row = round_up(std::max<std::int64_t>(s.keys, 1), 16);
  plan.score_rows = plan.packs ? std::min(query_block(s.keys), s.queries) : 1;
  if (plan.packs) {
    plan.packed_key = round_up(gemm.packed_size(s.features, s.keys), 16);
    plan.packed_value = round_up(gemm.packed_size(s.keys, s.value_features), 16);
  }
  return plan;
}

std::size_t attention_scratch(const Call& call, int threads) {
  const Sizes4 s = sizes_of(call);
  const ScratchPlan plan = plan_scratch(*isa_kernels(call).gemm, s);
  return sizeof(float) *
         static_cast<std::size_t>(s.batch * s.kv_heads * plan.per_head() + threads * plan.per_worker());
}

// The argument, or a copy of it in `storage` when its features are not neighbours in memory.
Tensor with_dense_features(const Call& call, std::string_view name, std::vector<float>& storage) {
  const Tensor tensor = four_dims(call.tensor(name));
  if (tensor.size(3) <= 1 || tensor.stride(3) == 1) return tensor;
  storage.resize(static_cast<std::size_t>(tensor.numel()));
  const Tensor copy(storage.data(), tensor.dtype(), tensor.sizes());
  copy_strided(call, copy, tensor);
  return copy;
}

struct Attention {
  const Call& call;
  Sizes4 sizes;
  ScratchPlan scratch;
  Tensor query, key, value, out;
  AttentionMask mask;
  std::int64_t keys;  // that any query sees
  bool causal;
  float scale;

  float* head_scratch(std::int64_t kv) const {
    return reinterpret_cast<float*>(call.scratch.data()) + kv * scratch.per_head();
  }
  float* worker_scratch(int worker) const {
    return head_scratch(sizes.batch * sizes.kv_heads) + worker * scratch.per_worker();
  }
  std::int64_t kv_head(std::int64_t head) const { return head / (sizes.heads / sizes.kv_heads); }
  static float* at(const Tensor& t, std::int64_t b, std::int64_t h, std::int64_t position) {
    return t.data<float>() + b * t.stride(0) + h * t.stride(1) + position * t.stride(2);
  }

  // Keys that query t sees.
  std::int64_t visible(std::int64_t t) const { return causal ? std::min(t + 1, keys) : keys; }

  void pack_heads() const {
    const GemmKernels& gemm = *isa_kernels(call).gemm;
    const std::int64_t heads = sizes.batch * sizes.kv_heads;
    parallel_tasks(call.pool, heads * 2, keys * sizes.features, kPackGrain, [&](std::int64_t i, int) {
      const std::int64_t kv = i / 2;
      const std::int64_t b = kv / sizes.kv_heads;
      const std::int64_t h = kv % sizes.kv_heads;
      if (i % 2 == 0) {
        const UnpackedB k{.b = at(key, b, h, 0), .k_stride = key.stride(3), .n_stride = key.stride(2)};
        gemm.pack(k, sizes.features, 0, keys, head_scratch(kv));
      } else {
        const UnpackedB v{.b = at(value, b, h, 0), .k_stride = value.stride(2), .n_stride = value.stride(3)};
        gemm.pack(v, keys, 0, sizes.value_features, head_scratch(kv) + scratch.packed_key);
      }
    });
  }

  void run_block(std::int64_t b, std::int64_t h, std::int64_t first, std::int64_t count,
                 float* memory) const {
    const GemmKernels& gemm = *isa_kernels(call).gemm;
    const RowKernels& rows = *isa_kernels(call).rows;
    const std::int64_t kv = b * sizes.kv_heads + kv_head(h);
    float* scores = memory + scratch.row;
    const std::int64_t seen = visible(first + count - 1);

    GemmArgs products;
    products.a = at(query, b, h, first);
    products.a_stride = query.stride(2);
    products.k = sizes.features;
    products.b = head_scratch(kv);
    products.n = keys;
    products.c = scores;
    products.c_stride = scratch.row;
    gemm.run(products, 0, count, 0, std::min(round_up(seen, gemm.panel_columns), keys));

    AttentionMask::Row mask_row{memory, nullptr};
    for (std::int64_t m = 0; m < count; ++m) {
      float* row = scores + m * scratch.row;
      const std::int64_t n = visible(first + m);
      rows.attention_softmax(row, n, scale, mask.row(b, h, first + m, keys, mask_row));
      std::fill(row + n, row + keys, 0.0F);
    }

    GemmArgs sums;
    sums.a = scores;
    sums.a_stride = scratch.row;
    sums.k = keys;
    sums.b = head_scratch(kv) + scratch.packed_key;
    sums.n = sizes.value_features;
    sums.c = at(out, b, h, first);
    sums.c_stride = out.stride(2);
    gemm.run(sums, 0, count, 0, sizes.value_features);
  }

  void run_blocks() const {
    pack_heads();
    const std::int64_t block = scratch.score_rows;
    const std::int64_t blocks = (sizes.queries + block - 1) / block;
    const std::int64_t products = block * keys * (sizes.features + sizes.value_features);
    parallel_tasks(call.pool, sizes.batch * sizes.heads * blocks, products, kProductGrain,
                   [&](std::int64_t i, int worker) {
                     const std::int64_t head = i / blocks;
                     const std::int64_t first = i % blocks * block;
                     run_block(head / sizes.heads, head % sizes.heads, first,
                               std::min(block, sizes.queries - first), worker_scratch(worker));
                   });
  }

  void run_query(std::int64_t b, std::int64_t h, std::int64_t t, float* memory) const {
    const RowKernels& rows = *isa_kernels(call).rows;
    const std::int64_t kv = kv_head(h);
    const std::int64_t n = visible(t);
    float* scores = memory + scratch.row;
    AttentionMask::Row mask_row{memory, nullptr};
    rows.dots(scores, at(query, b, h, t), at(key, b, kv, 0), key.stride(2), n, sizes.features);
    rows.attention_softmax(scores, n, scale, mask.row(b, h, t, n, mask_row));
    rows.weighted_rows(at(out, b, h, t), scores, at(value, b, kv, 0), value.stride(2), n,
                       sizes.value_features);
  }

  void run_few() const {
    const std::int64_t tasks = sizes.batch * sizes.heads * sizes.queries;
    parallel_tasks(call.pool, tasks, keys * sizes.features, kReadGrain, [&](std::int64_t i, int worker) {
      const std::int64_t head = i / sizes.queries;
      run_query(head / sizes.heads, head % sizes.heads, i % sizes.queries, worker_scratch(worker));
    });
  }
};

void run_attention(const Call& call) {
  const Sizes4 sizes = sizes_of(call);
  const Tensor result = four_dims(call.output());
  if (result.numel() == 0) return;
  std::vector<float> query_storage;
  std::vector<float> key_storage;
  std::vector<float> value_storage;
  std::vector<float> out_storage;
  const bool direct = sizes.value_features == 1 || result.stride(3) == 1;
  if (!direct) out_storage.resize(static_cast<std::size_t>(result.numel()));
  const AttentionMask mask(call.optional_tensor("attn_mask"), sizes.keys);
  const double scale = call.number("scale", 1.0 / std::sqrt(static_cast<double>(sizes.features)));
  const Attention attention{
      .call = call,
      .sizes = sizes,
      .scratch = plan_scratch(*isa_kernels(call).gemm, sizes),
      .query = with_dense_features(call, "query", query_storage),
      .key = with_dense_features(call, "key", key_storage),
      .value = with_dense_features(call, "value", value_storage),
      .out = direct ? result : Tensor(out_storage.data(), result.dtype(), result.sizes()),
      .mask = mask,
      .keys = mask.used_keys(),
      .causal = call.boolean("is_causal", false),
      .scale = static_cast<float>(scale),
  };
  if (attention.keys == 0) {
    // Nothing to attend to.
    const float nothing = 0;
    return fill_strided(result, &nothing, call.pool);
  }
  if (attention.scratch.packs) {
    attention.run_blocks();
  } else {
    attention.run_few();
  }
  if (!direct) copy_strided(call, result, attention.out);
}

}  // namespace

const KernelImpl attention_blocks{.accepts = accept_attention,
                                  .output_layout = any_layout,
                                  .scratch_bytes = attention_scratch,
                                  .run = run_attention};

}  // namespace plumb::cpu
