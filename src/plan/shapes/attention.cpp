// Shapes of scaled dot-product attention.
#include "plan/shapes/functions.h"

namespace plumb::shapes {
namespace {

Sizes leading(const Tensor& tensor, int count) {
  return {tensor.sizes().begin(), tensor.sizes().begin() + count};
}

// The output: [batch…, L, Ev] for query [batch…, L, E], key [batch…, S, E] and value [batch…, S, Ev].
Sizes attention_sizes(const Call& call) {
  const Tensor& query = call.tensor("query");
  const Tensor& key = call.tensor("key");
  const Tensor& value = call.tensor("value");
  for (const Tensor* t : {&query, &key, &value}) {
    if (t->rank() < 2)
      call.fail("an operand has shape " + shape_string(t->sizes()) + "; expected 2 dimensions or more");
  }
  if (query.size(-1) != key.size(-1) || key.size(-2) != value.size(-2)) {
    call.fail("query " + shape_string(query.sizes()) + ", key " + shape_string(key.sizes()) + " and value " +
              shape_string(value.sizes()) + " do not fit together");
  }
  const bool grouped = call.boolean("enable_gqa", false);
  const int heads = grouped ? 1 : 0;  // with grouped heads dimension -3 need not broadcast
  if (query.rank() < 2 + heads || key.rank() < 2 + heads || value.rank() < 2 + heads) {
    call.fail("enable_gqa expects operands with a dimension of heads");
  }
  Sizes sizes = leading(query, query.rank() - 2 - heads);
  sizes = broadcast_sizes(call, sizes, leading(key, key.rank() - 2 - heads));
  sizes = broadcast_sizes(call, sizes, leading(value, value.rank() - 2 - heads));
  if (grouped) {
    const std::int64_t query_heads = query.size(-3);
    for (const Tensor* t : {&key, &value}) {
      if (t->size(-3) < 1 || query_heads % t->size(-3) != 0) {
        call.fail(std::to_string(query_heads) + " query heads do not divide among " +
                  std::to_string(t->size(-3)));
      }
    }
    sizes.push_back(query_heads);
  }
  if (const Tensor* mask = call.optional_tensor("attn_mask")) {
    Sizes scores = sizes;
    scores.push_back(query.size(-2));
    scores.push_back(key.size(-2));
    if (broadcast_sizes(call, scores, sizes_of(*mask)) != scores) {
      call.fail("attn_mask of shape " + shape_string(mask->sizes()) + " does not expand to " +
                shape_string(scores));
    }
  }
  sizes.push_back(query.size(-2));
  sizes.push_back(value.size(-1));
  return sizes;
}

}  // namespace

std::vector<TensorSpec> attention(const Call& call) {
  return {{call.tensor("query").dtype(), attention_sizes(call)}};
}

std::vector<TensorSpec> flash_attention(const Call& call) {
  const DType dtype = call.tensor("query").dtype();
  const Sizes sizes = attention_sizes(call);
  const DType lse_dtype = dtype == DType::kFloat64 ? dtype : DType::kFloat32;
  return {{dtype, sizes}, {lse_dtype, {sizes.begin(), sizes.end() - 1}}};
}

}  // namespace plumb::shapes
