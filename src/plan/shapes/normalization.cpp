// Shapes of normalisations.
#include "plan/shapes/functions.h"

namespace plumb::shapes {
namespace {

// A per-channel (or per-element) parameter, if given, has `count` elements.
void expect_parameter(const Call& call, const char* name, std::int64_t count) {
  const Tensor* parameter = call.optional_tensor(name);
  if (parameter != nullptr && parameter->numel() != count) {
    call.fail("argument '" + std::string(name) + "' has shape " + shape_string(parameter->sizes()) +
              "; expected " + std::to_string(count) + " elements");
  }
}

// Statistics are kept in the dtype of the parameters, which may be wider than the input's.
DType statistics_dtype(const Call& call) {
  for (const char* name : {"weight", "bias"}) {
    if (const Tensor* parameter = call.optional_tensor(name)) return parameter->dtype();
  }
  return call.tensor("input").dtype();
}

std::int64_t channels(const Call& call) {
  const Tensor& input = call.tensor("input");
  if (input.rank() < 2) {
    call.fail("input has shape " + shape_string(input.sizes()) + "; expected at least 2 dimensions");
  }
  return input.size(1);
}

void check_batch_norm(const Call& call) {
  for (const char* name : {"weight", "bias", "running_mean", "running_var"}) {
    expect_parameter(call, name, channels(call));
  }
}

void check_group_norm(const Call& call, std::int64_t groups) {
  if (groups < 1 || channels(call) % groups != 0) {
    call.fail(std::to_string(channels(call)) + " channels do not divide into " + std::to_string(groups) +
              " groups");
  }
  expect_parameter(call, "weight", channels(call));
  expect_parameter(call, "bias", channels(call));
}

// Checks normalized_shape against the end of the input; how many dimensions are not normalised.
std::size_t outer_dims(const Call& call) {
  const Tensor& input = call.tensor("input");
  const Sizes normalized = call.ints("normalized_shape");
  const auto rank = input.sizes().size();
  if (normalized.empty() || normalized.size() > rank ||
      !std::equal(normalized.begin(), normalized.end(), input.sizes().end() - std::ssize(normalized))) {
    call.fail("normalized_shape " + shape_string(normalized) + " is not the end of the input's shape " +
              shape_string(input.sizes()));
  }
  expect_parameter(call, "weight", element_count(normalized));
  expect_parameter(call, "bias", element_count(normalized));
  return rank - normalized.size();
}

// One statistic for each normalised part.
Sizes layer_statistics(const Call& call) {
  Sizes sizes = sizes_of(call.tensor("input"));
  for (std::size_t i = outer_dims(call); i < sizes.size(); ++i) sizes[i] = 1;
  return sizes;
}

}  // namespace

std::vector<TensorSpec> batch_norm(const Call& call) {
  check_batch_norm(call);
  return same_as_input(call);
}

// In inference PyTorch returns empty batch statistics.
std::vector<TensorSpec> native_batch_norm(const Call& call) {
  auto specs = batch_norm(call);
  const bool training = call.boolean("training", false);
  const Sizes statistics{training ? channels(call) : 0};
  specs.resize(3, {statistics_dtype(call), statistics});
  return specs;
}

std::vector<TensorSpec> layer_norm(const Call& call) {
  outer_dims(call);
  return same_as_input(call);
}

std::vector<TensorSpec> native_layer_norm(const Call& call) {
  auto specs = same_as_input(call);
  specs.resize(3, {statistics_dtype(call), layer_statistics(call)});
  return specs;
}

std::vector<TensorSpec> fused_rms_norm(const Call& call) {
  const DType dtype = call.tensor("input").dtype();
  auto specs = same_as_input(call);
  specs.push_back({dtype == DType::kFloat64 ? dtype : DType::kFloat32, layer_statistics(call)});
  return specs;
}

std::vector<TensorSpec> group_norm(const Call& call) {
  check_group_norm(call, call.integer("num_groups"));
  return same_as_input(call);
}

std::vector<TensorSpec> native_group_norm(const Call& call) {
  const std::int64_t groups = call.integer("group");
  check_group_norm(call, groups);
  auto specs = same_as_input(call);
  specs.resize(3, {statistics_dtype(call), {call.tensor("input").size(0), groups}});
  return specs;
}

}  // namespace plumb::shapes
