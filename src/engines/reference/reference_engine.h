// The reference engine: the definition of every operator, as plain loops over strided views with double
// accumulation.
#pragma once

#include "engines/engine.h"

namespace plumb {

class ReferenceEngine final : public Engine {
 public:
  std::string_view name() const override { return "reference"; }
  std::span<const Kernel> kernels() const override;
  bool optimize() const override { return false; }
  bool falls_back_to_reference() const override { return false; }
  std::string description() const override { return "reference"; }
};

}  // namespace plumb
