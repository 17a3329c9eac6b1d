// Filled once a session.
#include "plan/kernel_table.h"

#include <algorithm>

namespace plumb {

KernelTable::KernelTable(std::string_view engine, const EngineOptions& options,
                         const std::vector<std::string>& disable)
    : engine_(make_engine(engine, options)) {
  add(*engine_, disable);
  if (engine_->falls_back_to_reference()) {
    fallback_ = make_engine("reference", options);
    add(*fallback_, {});
  }
}

void KernelTable::add(const Engine& engine, const std::vector<std::string>& disable) {
  for (const Kernel& kernel : engine.kernels()) {
    if (std::find(disable.begin(), disable.end(), kernel.name) != disable.end()) continue;
    by_op_[kernel.op].push_back({&engine, &kernel});
  }
}

const std::vector<KernelTable::Candidate>& KernelTable::candidates(std::string_view op) const {
  static const std::vector<Candidate> kNone;
  const auto it = by_op_.find(op);
  return it == by_op_.end() ? kNone : it->second;
}

bool KernelTable::has_kernel_named(std::string_view name) const {
  const auto kernels = engine_->kernels();
  return std::any_of(kernels.begin(), kernels.end(), [&](const Kernel& k) { return k.name == name; });
}

}  // namespace plumb
