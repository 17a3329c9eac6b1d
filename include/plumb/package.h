// A `.ptn` package: opening one, and what can be asked of it without running anything.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plumb/dtype.h"

namespace plumb {

struct Program;

// min == max: fixed; max < 0: unbounded.
struct DimRange {
  std::int64_t min = 0;
  std::int64_t max = -1;
};

struct TensorInfo {
  std::string name;
  DType dtype = DType::kFloat32;
  std::vector<DimRange> sizes;
};

// "float32[1, 3, 224, 224]"; ranges as "1..8", unbounded ones as "1..".
std::string to_string(const TensorInfo& info);

struct ConstantInfo {
  std::string key;
  DType dtype = DType::kFloat32;
  std::vector<std::int64_t> sizes;
  std::size_t bytes = 0;
  std::vector<std::string> aliases;  // other keys of the same data
};

struct OpCount {
  std::string op;
  std::int64_t count = 0;
};

struct MethodInfo {
  std::string name;
  std::vector<TensorInfo> inputs;
  std::vector<TensorInfo> outputs;     // what a caller gets; state written back is not listed
  std::vector<std::string> state;      // fqns of buffers that live on between executions
  std::vector<std::string> constants;  // keys this method uses
  std::vector<OpCount> ops;            // most frequent first, ties by name
};

// How to turn an image into the input: the shorter side is resized to `resize` (0: not), the centre cropped
// to `crop` (0: not), and each channel c of a pixel p in 0…255 becomes (p * scale - mean[c]) / std[c].
struct PreprocessingInfo {
  std::int64_t resize = 0;
  std::int64_t crop = 0;
  std::string interpolation = "bilinear";  // nearest, bilinear, bicubic or lanczos, as Pillow defines them
  double scale = 1.0;
  std::vector<double> mean;
  std::vector<double> std;
  std::string channels = "RGB";  // order in the input: RGB or BGR; mean and std are in that order
  std::string layout = "NCHW";   // of the input: NCHW or NHWC
};

// Immutable and safe to share between threads. The file stays mapped while the package or a session of it
// lives.
class Package {
 public:
  // Maps and checks the file. Throws Error(kFile) when it cannot be read, Error(kPackage) when it breaks the
  // format. Constants are used in place; the cost is that of parsing the graph.
  static std::shared_ptr<const Package> open(const std::string& path);
  ~Package();

  const std::string& path() const;
  const std::string& version() const;
  std::vector<std::string> methods() const;
  // Throws Error(kInvalidArgument) that lists the methods when `name` is none of them.
  MethodInfo method(std::string_view name) const;
  std::vector<ConstantInfo> constants() const;
  const std::vector<std::string>& labels() const;  // empty: none
  std::optional<PreprocessingInfo> preprocessing() const;

  // What no kernel of `engine` runs, as "op at 'node'" lines; empty when all runs. Throws like
  // Session's constructor when the engine does not exist.
  std::vector<std::string> blockers(std::string_view method, const std::string& engine) const;
  // Graphviz text of one method.
  std::string dot(std::string_view method) const;

  const Program& program() const;  // for the library's own stages

 private:
  explicit Package(std::shared_ptr<const Program> program);
  std::shared_ptr<const Program> program_;
};

}  // namespace plumb
