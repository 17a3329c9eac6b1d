// Shapes of operators that read or write at positions held in tensors.
#include "engines/index_list.h"
#include "engines/slice.h"
#include "plan/shapes/functions.h"

namespace plumb::shapes {
namespace {

int dim_of_self(const Call& call) {
  return normalize_dim(call, call.integer("dim"), call.tensor("self").rank());
}

std::int64_t length(const Tensor& tensor, int dim) {
  return tensor.rank() == 0 ? 1 : tensor.size(dim);
}

void expect_index_dtype(const Call& call, const Tensor& index) {
  if (index.dtype() != DType::kInt64 && index.dtype() != DType::kInt32) {
    call.fail("index has dtype " + std::string(dtype_name(index.dtype())) + "; expected int64 or int32");
  }
}

// gather and scatter: index has self's rank and, except along dim, at most the sizes of `bounds`.
void expect_within(const Call& call, const Tensor& index, const Tensor& bounds, int dim, bool bound_dim) {
  if (std::max(index.rank(), 1) != std::max(bounds.rank(), 1)) {
    call.fail("index of shape " + shape_string(index.sizes()) + " with a tensor of shape " +
              shape_string(bounds.sizes()) + "; expected the same number of dimensions");
  }
  for (int d = 0; d < std::min(index.rank(), bounds.rank()); ++d) {
    if ((d != dim || bound_dim) && index.size(d) > bounds.size(d)) {
      call.fail("index of shape " + shape_string(index.sizes()) + " exceeds the tensor's shape " +
                shape_string(bounds.sizes()) + " in dimension " + std::to_string(d));
    }
  }
}

// A 0-d tensor counts as one of a single element.
Sizes at_least_1d(const Tensor& tensor) {
  return tensor.rank() == 0 ? Sizes{1} : sizes_of(tensor);
}

void expect_dtype_of_self(const Call& call, const char* name) {
  const DType expected = call.tensor("self").dtype();
  if (const DType dtype = call.tensor(name).dtype(); dtype != expected) {
    call.fail("argument '" + std::string(name) + "' is " + std::string(dtype_name(dtype)) +
              "; expected self's " + std::string(dtype_name(expected)));
  }
}

// index_copy and index_add: source has self's shape, with as many entries along dim as index.
void expect_slices(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& index = call.tensor("index");
  const Tensor& source = call.tensor("source");
  const int dim = dim_of_self(call);
  expect_index_dtype(call, index);
  expect_dtype_of_self(call, "source");
  Sizes expected = at_least_1d(self);
  expected[static_cast<std::size_t>(dim)] = index.numel();
  if (index.rank() > 1 || at_least_1d(source) != expected) {
    call.fail("source of shape " + shape_string(source.sizes()) + " with an index of shape " +
              shape_string(index.sizes()) + "; expected " + shape_string(expected));
  }
}

}  // namespace

std::vector<TensorSpec> embedding(const Call& call) {
  const Tensor& weight = call.tensor("weight");
  const Tensor& indices = call.tensor("indices");
  if (weight.rank() != 2)
    call.fail("weight has shape " + shape_string(weight.sizes()) + "; expected 2 dimensions");
  expect_index_dtype(call, indices);
  Sizes sizes = sizes_of(indices);
  sizes.push_back(weight.size(1));
  return {{weight.dtype(), sizes}};
}

std::vector<TensorSpec> index(const Call& call) {
  return {{call.tensor("self").dtype(), read_index_list(call).result}};
}

std::vector<TensorSpec> index_put(const Call& call) {
  expect_dtype_of_self(call, "values");
  return same_as_self(call);
}

std::vector<TensorSpec> index_select(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& index = call.tensor("index");
  const int dim = dim_of_self(call);
  expect_index_dtype(call, index);
  if (index.rank() > 1)
    call.fail("index has shape " + shape_string(index.sizes()) + "; expected 1 dimension");
  Sizes sizes = sizes_of(self);
  if (!sizes.empty()) sizes[static_cast<std::size_t>(dim)] = index.numel();
  return {{self.dtype(), sizes}};
}

std::vector<TensorSpec> gather(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& index = call.tensor("index");
  const int dim = dim_of_self(call);
  expect_index_dtype(call, index);
  if (index.numel() > 0) expect_within(call, index, self, dim, false);
  return {{self.dtype(), sizes_of(index)}};
}

std::vector<TensorSpec> scatter(const Call& call) {
  const Tensor& self = call.tensor("self");
  const Tensor& index = call.tensor("index");
  const int dim = dim_of_self(call);
  if (index.numel() > 0) {
    expect_index_dtype(call, index);
    expect_within(call, index, self, dim, false);
    if (const Tensor* src = call.optional_tensor("src")) {
      expect_dtype_of_self(call, "src");
      expect_within(call, index, *src, dim, true);
    }
  }
  return same_as_self(call);
}

std::vector<TensorSpec> index_copy(const Call& call) {
  expect_slices(call);
  return same_as_self(call);
}

std::vector<TensorSpec> index_add(const Call& call) {
  expect_slices(call);
  return same_as_self(call);
}

std::vector<TensorSpec> select_scatter(const Call& call) {
  const Tensor& self = call.tensor("self");
  const int dim = dim_of_self(call);
  const std::int64_t at = call.integer("index");
  const std::int64_t size = length(self, dim);
  if (at < -size || at >= size)
    call.fail("index " + std::to_string(at) + " is out of range for " + std::to_string(size));
  Sizes expected = sizes_of(self);
  if (expected.empty()) call.fail("self is a scalar; expected at least 1 dimension");
  expected.erase(expected.begin() + dim);
  if (sizes_of(call.tensor("src")) != expected) {
    call.fail("src has shape " + shape_string(call.tensor("src").sizes()) + "; expected " +
              shape_string(expected));
  }
  return same_as_self(call);
}

std::vector<TensorSpec> slice_scatter(const Call& call) {
  const Tensor& self = call.tensor("self");
  if (self.rank() == 0) call.fail("self is a scalar; expected at least 1 dimension");
  const Slice slice = read_slice(call);
  Sizes expected = sizes_of(self);
  expected[static_cast<std::size_t>(slice.dim)] = slice.count;
  if (sizes_of(call.tensor("src")) != expected) {
    call.fail("src has shape " + shape_string(call.tensor("src").sizes()) + "; expected " +
              shape_string(expected));
  }
  return same_as_self(call);
}

}  // namespace plumb::shapes
