// The engine contract, whole: what a kernel sees of a call, what a kernel is, what an engine is.
// The plan calls engines through this page only; engines include nothing of the plan and nothing of each
// other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/thread_pool.h"
#include "plumb/dtype.h"
#include "plumb/tensor.h"

namespace plumb {

// A resolved argument: sizes are known and symbolic scalars have their values. `None` is std::monostate; an
// optional tensor that is absent from a list is a null pointer.
using CallArgument =
    std::variant<std::monostate, const Tensor*, std::vector<const Tensor*>, std::int64_t, double, bool,
                 std::string, DType, std::vector<std::int64_t>, std::vector<double>, std::vector<bool>>;

struct NamedCallArgument {
  std::string_view name;
  CallArgument value;
  bool is_constant = false;  // a tensor whose data are known now and never change
};

// Memory that a kernel made of constants (packed weights). Built once, shared by sessions, then only read.
struct KernelState {
  virtual ~KernelState() = default;
};

// What an engine shares with all its kernels (the active instruction set, a device). Each engine derives its
// own.
struct EngineContext {
  virtual ~EngineContext() = default;
};

// One call of an operator. While a kernel is chosen (`accepts`, layouts) and prepared only constant tensors
// have data; in `run` all do. Getters throw Error(kUnsupported) naming node, op and argument when the
// argument is missing without default or of another kind.
class Call {
 public:
  std::string_view op;
  std::string_view node;
  std::span<const NamedCallArgument> arguments;
  std::span<const Tensor> outputs;         // list returns are flattened
  const KernelState* state = nullptr;      // what prepare() returned
  const EngineContext* context = nullptr;  // Engine::context() of the kernel's engine, set at all times
  ThreadPool* pool = nullptr;              // set in prepare() and run()
  std::span<std::byte> scratch;            // in run(): scratch_bytes() bytes, 64-byte aligned

  bool has(std::string_view name) const;  // given and not None
  bool is_constant(std::string_view name) const;
  const Tensor& tensor(std::string_view name) const;
  const Tensor* optional_tensor(std::string_view name) const;  // null when absent or None
  std::span<const Tensor* const> tensors(std::string_view name) const;
  // An int, or a bool taken as 0 or 1.
  std::int64_t integer(std::string_view name, std::optional<std::int64_t> fallback = {}) const;
  // A float, int or bool.
  double number(std::string_view name, std::optional<double> fallback = {}) const;
  bool boolean(std::string_view name, std::optional<bool> fallback = {}) const;
  std::string text(std::string_view name, std::optional<std::string> fallback = {}) const;
  // A ScalarType, or the int that stands for one.
  std::optional<DType> dtype(std::string_view name) const;
  // A list of ints; a lone int is a list of one. Empty when absent or None.
  std::vector<std::int64_t> ints(std::string_view name) const;
  std::vector<double> numbers(std::string_view name) const;
  std::vector<bool> booleans(std::string_view name) const;
  const CallArgument* find(std::string_view name) const;  // null when absent

  const Tensor& output(std::size_t i = 0) const { return outputs[i]; }
  // Throws Error(kExecution): "op at node: message".
  [[noreturn]] void fail(const std::string& message) const;
};

// Yes, or no with the reason that `--explain` prints.
struct Verdict {
  std::string reason;  // empty: accepted
  bool accepted() const { return reason.empty(); }
  static Verdict yes() { return {}; }
  static Verdict no(std::string why) { return {std::move(why)}; }
};

enum class Layout {
  kAny,  // strided as it comes; for an output: dense, dimensions ordered like the first tensor argument of
         // that shape
  kContiguous,    // row-major
  kChannelsLast,  // dense, channel dimension 1 innermost (rank 3 to 5)
};

// How far a kernel may be from the reference: nothing, or rounding of another summation order.
enum class Numerics { kExact, kRounding };

// The functions of a kernel; a null pointer means the stated default.
struct KernelImpl {
  Verdict (*accepts)(const Call&) = nullptr;                                 // always
  Layout (*input_layout)(const Call&, std::string_view argument) = nullptr;  // kAny
  Layout (*output_layout)(const Call&) = nullptr;                            // kContiguous
  std::unique_ptr<KernelState> (*prepare)(const Call&) = nullptr;            // no state
  std::size_t (*scratch_bytes)(const Call&, int threads) = nullptr;          // 0
  void (*run)(const Call&) = nullptr;                                        // required
};

// A row of an engine's kernels.inc.
struct Kernel {
  std::string_view op;    // "aten.convolution.default"
  std::string_view name;  // "conv_nhwc_1x1"; unique within its engine and op
  Numerics numerics;
  const KernelImpl* impl;
};

struct EngineOptions {
  int threads = 0;  // 0: one per available core
  std::string isa;  // cpu: "avx512", "avx2", "portable"; empty: the best that the machine has
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;
  // All kernels; for one op the best come first.
  virtual std::span<const Kernel> kernels() const = 0;
  // Whether the optimising passes run for this engine. The reference engine takes programs as they are.
  virtual bool optimize() const = 0;
  // Ops without a kernel of this engine run the reference engine's kernel.
  virtual bool falls_back_to_reference() const = 0;
  // One line for people: instruction set, device.
  virtual std::string description() const = 0;
  // What kernels find in Call::context; null when the engine shares nothing. Lives as long as the engine.
  virtual const EngineContext* context() const { return nullptr; }
};

// Throws Error(kInvalidArgument) for an unknown name (lists the names) or instruction set,
// Error(kUnsupported) when the engine's library or device is missing.
std::unique_ptr<Engine> make_engine(std::string_view name, const EngineOptions& options);

// A free-standing note for authors: `run` reads and writes exactly the views it is given, honours their
// strides unless it asked for a layout, and splits work over `pool` so that no result depends on the number
// of threads.

}  // namespace plumb
