// What plumb.convolution and plumb.linear do to each element before storing it: activation(value + residual).
#pragma once

#include <string>

#include "engines/engine.h"

namespace plumb::reference {

class Epilogue {
 public:
  // No residual and no activation.
  Epilogue() = default;
  // From the arguments "residual", "activation", "min" and "max".
  explicit Epilogue(const Call& call);

  const Tensor* residual() const { return residual_; }
  // For a sum to which bias and residual have been added.
  double activate(double value) const { return function_ == nullptr ? value : function_(value, min_, max_); }

 private:
  using Function = double (*)(double value, double min, double max);
  static Function find(const Call& call, const std::string& activation);

  const Tensor* residual_ = nullptr;
  Function function_ = nullptr;
  double min_ = 0;
  double max_ = 0;
};

// Whether the fused operator can run here.
Verdict accepts_epilogue(const Call& call);

}  // namespace plumb::reference
