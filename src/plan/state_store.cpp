// Creation and reset of buffers.
#include "plan/state_store.h"

#include <cstring>

#include "base/layout.h"
#include "plumb/error.h"

namespace plumb {

void StateStore::add_buffers_of(const Method& method) {
  for (const ConstantBinding& binding : method.constants) {
    if (!binding.mutated) continue;
    const Constant& constant = *binding.constant;
    add(method, constant.key, constant.dtype, constant.sizes, binding.constant);
  }
  for (const BufferBinding& binding : method.buffers) {
    const TensorMeta& meta = *method.graph.value(binding.value).meta;
    add(method, binding.fqn, meta.dtype, meta.static_sizes(), nullptr);
  }
}

void StateStore::add(const Method& method, const std::string& fqn, DType dtype,
                     std::vector<std::int64_t> sizes, std::shared_ptr<const Constant> initial) {
  const auto known = buffers_.find(fqn);
  if (known != buffers_.end()) {
    if (known->second.dtype == dtype && known->second.sizes == sizes) return;
    throw Error(ErrorKind::kPackage, "method '" + method.name + "': buffer '" + fqn +
                                         "' has another dtype or shape in another method");
  }
  const std::int64_t bytes = checked_byte_count(sizes, dtype_size(dtype), fqn.c_str());
  Buffer buffer{dtype, std::move(sizes), std::move(initial),
                AlignedBuffer::zeros(static_cast<std::size_t>(bytes))};
  if (buffer.initial != nullptr) buffer.reset();
  buffers_.emplace(fqn, std::move(buffer));
}

void StateStore::Buffer::reset() {
  if (memory.size() == 0) return;
  if (initial == nullptr) {
    std::memset(memory.data(), 0, memory.size());
  } else {
    std::memcpy(memory.data(), initial->data.data(), memory.size());
  }
}

void StateStore::reset() {
  for (auto& [fqn, buffer] : buffers_) buffer.reset();
}

}  // namespace plumb
