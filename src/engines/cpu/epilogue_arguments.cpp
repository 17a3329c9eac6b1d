// Parsing of the fused arguments.
#include "engines/cpu/epilogue_arguments.h"

#include <array>
#include <string>
#include <utility>

namespace plumb::cpu {
namespace {

constexpr auto kActivations = std::to_array<std::pair<std::string_view, Activation>>({
    {"none", Activation::kNone},
    {"relu", Activation::kRelu},
    {"clamp", Activation::kClamp},
    {"silu", Activation::kSilu},
    {"gelu", Activation::kGelu},
    {"gelu_tanh", Activation::kGeluTanh},
    {"sigmoid", Activation::kSigmoid},
    {"hardswish", Activation::kHardswish},
    {"tanh", Activation::kTanh},
});

}  // namespace

std::optional<Activation> activation_of(std::string_view name) {
  for (const auto& [known, activation] : kActivations) {
    if (known == name) return activation;
  }
  return std::nullopt;
}

Verdict accept_epilogue(const Call& call) {
  for (const std::string_view name : {"bias", "residual"}) {
    const Tensor* tensor = call.optional_tensor(name);
    if (tensor != nullptr && tensor->dtype() != DType::kFloat32) {
      return Verdict::no(std::string(name) + " is " + std::string(dtype_name(tensor->dtype())) +
                         ", not float32");
    }
  }
  // aten.linear broadcasts its bias; the kernels here read one value a channel.
  if (const Tensor* bias = call.optional_tensor("bias")) {
    const Tensor& weight = call.tensor("weight");
    const bool is_transposed = call.boolean("transposed", false);
    const std::int64_t channels = is_transposed ? weight.size(1) * call.integer("groups", 1) : weight.size(0);
    if (bias->rank() != 1 || bias->size(0) != channels) {
      return Verdict::no("bias has shape " + shape_string(bias->sizes()) + ", not one value a channel");
    }
  }
  const std::string activation = call.text("activation", "none");
  if (!activation_of(activation)) return Verdict::no("activation '" + activation + "' is unknown");
  return Verdict::yes();
}

Epilogue epilogue_of(const Call& call, std::int64_t residual_stride) {
  Epilogue e;
  if (const Tensor* bias = call.optional_tensor("bias")) e.bias = bias->data<float>();
  if (const Tensor* residual = call.optional_tensor("residual")) {
    e.residual = residual->data<float>();
    e.residual_stride = residual_stride;
  }
  e.activation = activation_of(call.text("activation", "none")).value();
  if (e.activation == Activation::kClamp) {
    e.min = static_cast<float>(call.number("min"));
    e.max = static_cast<float>(call.number("max"));
  }
  return e;
}

}  // namespace plumb::cpu
