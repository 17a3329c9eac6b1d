// The kernels of an engine by op, with what the user switched off left out.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engines/engine.h"

namespace plumb {

// The engine a session runs on and, where that engine falls back, the reference engine.
class KernelTable {
 public:
  // `disable` holds kernel names; names that are no kernel's are ignored here (they may be passes).
  KernelTable(std::string_view engine, const EngineOptions& options, const std::vector<std::string>& disable);

  const Engine& engine() const { return *engine_; }

  struct Candidate {
    const Engine* engine;
    const Kernel* kernel;
  };
  // Best first; the fallback's kernels come last. Empty when nothing runs the op.
  const std::vector<Candidate>& candidates(std::string_view op) const;
  bool has_kernel_named(std::string_view name) const;

 private:
  void add(const Engine& engine, const std::vector<std::string>& disable);

  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Engine> fallback_;
  std::unordered_map<std::string_view, std::vector<Candidate>> by_op_;
};

}  // namespace plumb
