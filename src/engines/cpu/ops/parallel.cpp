// The number of tasks.
#include "engines/cpu/ops/parallel.h"

#include <algorithm>

namespace plumb::cpu {

std::int64_t task_count(const ThreadPool* pool, std::int64_t total, std::int64_t grain) {
  if (pool == nullptr || pool->threads() == 1 || total <= grain) return 1;
  // A few tasks a thread even out threads that start late.
  const std::int64_t most = static_cast<std::int64_t>(pool->threads()) * 4;
  return std::clamp<std::int64_t>(total / std::max<std::int64_t>(grain, 1), 1, most);
}

}  // namespace plumb::cpu
