// Cutting work into tasks that are worth waking a thread for; no result may depend on the cut.
#pragma once

#include <cstdint>

#include "base/thread_pool.h"

namespace plumb::cpu {

// How many pieces of about `grain` units `total` should be cut into for this pool; 1 means: stay on the
// caller.
std::int64_t task_count(const ThreadPool* pool, std::int64_t total, std::int64_t grain);

// body(begin, end) over [0, total), in parallel when there are more than `grain` units.
template <typename Body>
void parallel_ranges(ThreadPool* pool, std::int64_t total, std::int64_t grain, const Body& body) {
  const std::int64_t tasks = task_count(pool, total, grain);
  if (tasks <= 1) {
    if (total > 0) body(std::int64_t{0}, total);
    return;
  }
  pool->parallel_for(tasks, [&](std::int64_t i, int) {
    const std::int64_t begin = total * i / tasks;
    const std::int64_t end = total * (i + 1) / tasks;
    if (begin < end) body(begin, end);
  });
}

// body(i, worker) for i in [0, count), on the caller alone when all tasks together are no more than `grain`
// units.
template <typename Body>
void parallel_tasks(ThreadPool* pool, std::int64_t count, std::int64_t units_per_task, std::int64_t grain,
                    const Body& body) {
  if (task_count(pool, count * units_per_task, grain) > 1) {
    pool->parallel_for(count, body);
  } else {
    for (std::int64_t i = 0; i < count; ++i) body(i, 0);
  }
}

}  // namespace plumb::cpu
