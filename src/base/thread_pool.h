// A small own thread pool: workers spin briefly after work, then sleep, so that short operators do not pay a
// wake-up and an idle process costs nothing. Not here: any notion of operators.
#pragma once

#include <cstdint>
#include <memory>

namespace plumb {

class ThreadPool {
 public:
  // `threads` counts the calling thread; 0 means one per available core (affinity respected). Throws
  // Error(kExecution) when the system does not give that many.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const noexcept { return threads_; }

  // Calls body(i, worker) once for each i in [0, count), from any of the pool's threads, `worker` in [0,
  // threads()) being distinct for calls that run at the same time. Returns when all calls have. Tasks are
  // handed out dynamically, so a body's result must depend on i alone. The first exception of a body is
  // rethrown here. One caller at a time; a body must not call parallel_for of the same pool.
  template <typename Body>
  void parallel_for(std::int64_t count, const Body& body) {
    run(
        count,
        [](const void* context, std::int64_t i, int worker) {
          (*static_cast<const Body*>(context))(i, worker);
        },
        &body);
  }

 private:
  using Task = void (*)(const void* context, std::int64_t index, int worker);
  void run(std::int64_t count, Task task, const void* context);

  struct Shared;
  int threads_;
  std::unique_ptr<Shared> shared_;
};

}  // namespace plumb
