// A plan as a table for people.
#include <algorithm>
#include <cstdio>

#include "plan/plan.h"

namespace plumb {
namespace {

std::string layout_name(const Tensor& tensor) {
  if (tensor.is_contiguous()) return "";
  return tensor.is_channels_last() ? " channels_last" : " strided";
}

std::string describe(const Tensor& tensor) {
  return std::string(dtype_name(tensor.dtype())) + shape_string(tensor.sizes()) + layout_name(tensor);
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

}  // namespace

std::string kernel_label(const Step& step) {
  const std::string_view engine = step.engine == nullptr ? "plan" : step.engine->name();
  return std::string(engine) + "/" + std::string(step.kernel->name);
}

std::string explain(const Plan& plan) {
  constexpr std::size_t kMaxColumn = 48;
  std::size_t node_width = 4;
  std::size_t op_width = 2;
  std::size_t kernel_width = 6;
  for (const Step& step : plan.steps) {
    node_width = std::clamp(step.node.size(), node_width, kMaxColumn);
    op_width = std::clamp(step.op.size(), op_width, kMaxColumn);
    kernel_width = std::clamp(kernel_label(step).size(), kernel_width, kMaxColumn);
  }
  char size[32];
  std::snprintf(size, sizeof size, "%.2f", static_cast<double>(plan.arena_bytes) / (1024.0 * 1024.0));
  std::string text =
      std::to_string(plan.steps.size()) + " steps, " + size + " MiB of activations in one arena\n";
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const Step& step = plan.steps[i];
    text += padded(std::to_string(i), 5) + padded(step.node, node_width) + "  " + padded(step.op, op_width) +
            "  " + padded(kernel_label(step), kernel_width) + "  ";
    for (std::size_t o = 0; o < step.outputs.size(); ++o)
      text += (o > 0 ? ", " : "") + describe(step.outputs[o]);
    if (!step.output_slots.empty()) {
      const Storage& storage = plan.storages[plan.slots[step.output_slots[0]].storage];
      if (storage.kind == Storage::Kind::kArena) text += " @" + std::to_string(storage.offset);
      if (storage.kind == Storage::Kind::kState) text += " -> " + storage.state;
    }
    text += "\n";
    for (const Refusal& refusal : step.refusals) {
      text += std::string(7, ' ') + "not " + refusal.kernel + ": " + refusal.reason + "\n";
    }
  }
  return text;
}

}  // namespace plumb
