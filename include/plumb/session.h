// Running the methods of a package: inputs, execution, outputs and state.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plumb/package.h"
#include "plumb/tensor.h"

namespace plumb {

struct SessionOptions {
  std::string engine = "cpu";  // see engine_names()
  int threads = 0;             // 0: one per available core
  std::string isa;             // cpu: "avx512", "avx2", "portable"; empty: the best that this machine has
  std::vector<std::string> disable;  // kernels or passes switched off, by name
  bool allow_zero_buffers = false;   // run programs whose zero-initialised buffers nothing writes
};

// The engines this build has.
std::vector<std::string> engine_names();
// The instruction sets of an engine in this build, best first, whether or not this machine has them; empty
// where there is none to choose. Throws Error(kInvalidArgument) for an unknown engine.
std::vector<std::string> engine_isas(const std::string& engine);
// One line about the engine on this machine, with this instruction set (empty: its best). Throws like
// Session's constructor.
std::string describe_engine(const std::string& name, const std::string& isa = "");

struct StepTime {
  std::string node;
  std::string op;
  std::string kernel;
  double milliseconds = 0;
};

class MethodRunner;

// State and memory of one user of a package. A session is used by one thread at a time; several sessions of
// one package run in parallel and share nothing that changes.
class Session {
 public:
  // Throws Error(kInvalidArgument) for an unknown engine, instruction set, kernel or pass name,
  // Error(kUnsupported) when the engine cannot work on this machine.
  explicit Session(std::shared_ptr<const Package> package, const SessionOptions& options = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  const Package& package() const;
  // "cpu (avx512, 2 threads)"
  std::string engine_description() const;
  int threads() const;

  // The method compiled for the engine: passes run, kernels chosen, weights packed. Done at the first call,
  // kept afterwards; the reference stays valid while the session lives. Throws Error(kUnsupported) naming op,
  // node and engine when a node cannot run, Error(kInvalidArgument) for an unknown method.
  MethodRunner& method(std::string_view name);

  // Buffers return to their saved (or zero) values.
  void reset_state();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class MethodRunner {
 public:
  virtual ~MethodRunner() = default;

  virtual std::size_t input_count() const = 0;
  virtual const TensorInfo& input_info(std::size_t i) const = 0;
  virtual std::size_t output_count() const = 0;

  // Sizes for the next executions; throws Error(kInvalidArgument) naming the input, the declared range and
  // the sizes. Inputs of fixed shape need no call.
  virtual void resize_input(std::size_t i, std::span<const std::int64_t> sizes) = 0;
  // Copies `value` (any strides). dtype and sizes must be those of the input: Error(kInvalidArgument)
  // otherwise.
  virtual void set_input(std::size_t i, const Tensor& value) = 0;
  // Shapes of the outputs for the sizes set so far, before running; throws when an input has no size yet.
  virtual std::vector<TensorInfo> output_infos() = 0;
  // Runs the method on the inputs set. Throws Error(kInvalidArgument) when one was never set.
  virtual void execute() = 0;
  // Row-major; valid until the next execute, resize_input or the session's end. Scalar results are 0-d
  // tensors.
  virtual Tensor output(std::size_t i) const = 0;
  // The value of input i after execution, for methods that write to their inputs.
  virtual Tensor input(std::size_t i) const = 0;

  // One line a step: op, kernel, why better ones were refused, layouts, memory. Plans for the sizes set so
  // far.
  virtual std::string explain() = 0;
  // Like execute, timing each step.
  virtual std::vector<StepTime> profile() = 0;
  // Bytes of the activation arena of the current plan.
  virtual std::size_t arena_bytes() const = 0;
};

}  // namespace plumb
