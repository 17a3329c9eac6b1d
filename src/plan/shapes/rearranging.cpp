// Shapes of operators that join, repeat, reorder and pad elements without computing with them.
#include "engines/padding.h"
#include "plan/shapes/functions.h"

namespace plumb::shapes {
namespace {

// PyTorch lets 1-d tensors without elements take part in a cat of any shape.
bool is_skipped(const Tensor& tensor) {
  return tensor.rank() == 1 && tensor.size(0) == 0;
}

DType joined_dtype(std::span<const Tensor* const> tensors) {
  std::vector<PromotionOperand> operands;
  for (const Tensor* t : tensors) {
    operands.push_back({t->dtype(), t->rank() == 0 ? OperandWeight::kZeroDim : OperandWeight::kDimensioned});
  }
  return result_type(operands);
}

// The list "tensors", in which None may stand only by a mistake of the package.
std::span<const Tensor* const> present_tensors(const Call& call) {
  const auto tensors = call.tensors("tensors");
  for (const Tensor* tensor : tensors) {
    if (tensor == nullptr) call.fail("argument 'tensors' holds None; expected tensors only");
  }
  return tensors;
}

[[noreturn]] void fail_shapes(const Call& call, const Tensor& first, const Tensor& other) {
  call.fail("tensors of shapes " + shape_string(first.sizes()) + " and " + shape_string(other.sizes()) +
            " cannot be joined");
}

std::int64_t upscale_product(const Call& call, std::int64_t factor) {
  if (factor < 1 || factor > 1 << 15) call.fail("factor " + std::to_string(factor) + "; expected 1 to 32768");
  return factor * factor;
}

}  // namespace

std::vector<TensorSpec> cat(const Call& call) {
  const auto tensors = present_tensors(call);
  if (tensors.empty()) call.fail("no tensors to join");
  const Tensor* first = nullptr;
  for (const Tensor* t : tensors) {
    if (first == nullptr && !is_skipped(*t)) first = t;
  }
  if (first == nullptr) return {{joined_dtype(tensors), {0}}};
  if (first->rank() == 0) call.fail("a 0-d tensor cannot be joined");
  const int dim = normalize_dim(call, call.integer("dim", 0), first->rank());
  Sizes sizes = sizes_of(*first);
  sizes[static_cast<std::size_t>(dim)] = 0;
  for (const Tensor* t : tensors) {
    if (is_skipped(*t)) continue;
    if (t->rank() != first->rank()) fail_shapes(call, *first, *t);
    for (int d = 0; d < t->rank(); ++d) {
      if (d != dim && t->size(d) != first->size(d)) fail_shapes(call, *first, *t);
    }
    sizes[static_cast<std::size_t>(dim)] += t->size(dim);
  }
  return {{joined_dtype(tensors), sizes}};
}

std::vector<TensorSpec> stack(const Call& call) {
  const auto tensors = present_tensors(call);
  if (tensors.empty()) call.fail("no tensors to stack");
  for (const Tensor* t : tensors) {
    if (sizes_of(*t) != sizes_of(*tensors[0])) fail_shapes(call, *tensors[0], *t);
  }
  const int dim = normalize_dim(call, call.integer("dim", 0), tensors[0]->rank() + 1);
  Sizes sizes = sizes_of(*tensors[0]);
  sizes.insert(sizes.begin() + dim, std::ssize(tensors));
  return {{joined_dtype(tensors), sizes}};
}

std::vector<TensorSpec> repeat(const Call& call) {
  const Tensor& self = call.tensor("self");
  Sizes sizes = call.ints("repeats");
  if (sizes.size() < self.sizes().size()) {
    call.fail("repeats " + shape_string(sizes) + " has fewer entries than the shape " +
              shape_string(self.sizes()));
  }
  const std::size_t lead = sizes.size() - self.sizes().size();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t own = i < lead ? 1 : self.sizes()[i - lead];
    if (sizes[i] < 0 || __builtin_mul_overflow(sizes[i], own, &sizes[i])) {
      call.fail("repeats " + shape_string(call.ints("repeats")) + " of " + shape_string(self.sizes()));
    }
  }
  return {{self.dtype(), sizes}};
}

std::vector<TensorSpec> pad(const Call& call) {
  return {{call.tensor("self").dtype(), read_padding(call).output}};
}

std::vector<TensorSpec> pixel_shuffle(const Call& call) {
  const Tensor& self = call.tensor("self");
  const std::int64_t factor = call.integer("upscale_factor");
  const std::int64_t square = upscale_product(call, factor);
  if (self.rank() < 3 || self.size(-3) % square != 0) {
    call.fail("shape " + shape_string(self.sizes()) + "; expected channels that divide by " +
              std::to_string(square));
  }
  Sizes sizes = sizes_of(self);
  const std::size_t c = sizes.size() - 3;
  sizes[c] /= square;
  sizes[c + 1] *= factor;
  sizes[c + 2] *= factor;
  return {{self.dtype(), sizes}};
}

std::vector<TensorSpec> pixel_unshuffle(const Call& call) {
  const Tensor& self = call.tensor("self");
  const std::int64_t factor = call.integer("downscale_factor");
  const std::int64_t square = upscale_product(call, factor);
  if (self.rank() < 3 || self.size(-1) % factor != 0 || self.size(-2) % factor != 0) {
    call.fail("shape " + shape_string(self.sizes()) + "; expected height and width that divide by " +
              std::to_string(factor));
  }
  Sizes sizes = sizes_of(self);
  const std::size_t c = sizes.size() - 3;
  sizes[c] *= square;
  sizes[c + 1] /= factor;
  sizes[c + 2] /= factor;
  return {{self.dtype(), sizes}};
}

std::vector<TensorSpec> native_dropout(const Call& call) {
  const Tensor& input = call.tensor("input");
  return {{input.dtype(), sizes_of(input)}, {DType::kBool, sizes_of(input)}};
}

}  // namespace plumb::shapes
