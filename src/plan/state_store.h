// Mutable buffers of a session by fully qualified name: one memory each, whatever methods use it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/aligned_buffer.h"
#include "graph/graph.h"

namespace plumb {

class StateStore {
 public:
  // Makes the buffers of `method` that do not exist yet and sets them to their initial values. Throws
  // Error(kPackage) when two methods disagree about dtype or sizes of one.
  void add_buffers_of(const Method& method);
  std::byte* data(const std::string& fqn) const { return buffers_.at(fqn).memory.data(); }
  void reset();

 private:
  struct Buffer {
    DType dtype;
    std::vector<std::int64_t> sizes;
    std::shared_ptr<const Constant> initial;  // null: zeros
    AlignedBuffer memory;

    void reset();
  };
  void add(const Method& method, const std::string& fqn, DType dtype, std::vector<std::int64_t> sizes,
           std::shared_ptr<const Constant> initial);

  std::map<std::string, Buffer> buffers_;
};

}  // namespace plumb
