// Work sharing by one atomic ticket.
#include "base/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "plumb/error.h"

namespace plumb {
namespace {

constexpr int kSpinRounds = 2000;  // about 20 µs of pause instructions
constexpr int kYieldRounds = 50;

int available_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    const int count = CPU_COUNT(&set);
    if (count > 0) return count;
  }
  return 1;
}

void pause_briefly(int round) {
  if (round < kSpinRounds) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
  } else {
    std::this_thread::yield();
  }
}

}  // namespace

// A job is published as one 64-bit ticket: its number in the upper half, the next task in the lower half. A
// thread takes a task by advancing the ticket it has read, which fails when the job is over; so the caller
// waits for tasks that are running, never for workers that are still asleep.
struct ThreadPool::Shared {
  static constexpr std::uint64_t kClosed =
      UINT32_MAX;  // as next task: none left, and the job's fields may change
  static constexpr std::uint64_t job_of(std::uint64_t ticket) { return ticket >> 32; }
  static constexpr std::uint64_t task_of(std::uint64_t ticket) { return ticket & UINT32_MAX; }

  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake;
  std::atomic<std::uint64_t> ticket{kClosed};
  std::atomic<bool> stop{false};

  // The job; written while the ticket is closed.
  std::atomic<Task> task{nullptr};
  std::atomic<const void*> context{nullptr};
  std::atomic<std::int64_t> first{0};
  std::atomic<std::uint64_t> count{0};
  std::atomic<std::uint64_t> finished{0};
  std::mutex error_mutex;
  std::exception_ptr error;

  // Runs tasks of the job numbered `job` until none is left.
  void work(std::uint64_t job, int worker) {
    std::uint64_t seen = ticket.load(std::memory_order_acquire);
    while (job_of(seen) == job && task_of(seen) < count.load(std::memory_order_relaxed)) {
      if (!ticket.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel)) continue;
      try {
        const auto index = first.load(std::memory_order_relaxed) + static_cast<std::int64_t>(task_of(seen));
        task.load(std::memory_order_relaxed)(context.load(std::memory_order_relaxed), index, worker);
      } catch (...) {
        const std::scoped_lock lock(error_mutex);
        if (!error) error = std::current_exception();
      }
      finished.fetch_add(1, std::memory_order_release);
      seen = ticket.load(std::memory_order_acquire);
    }
  }

  bool new_job(std::uint64_t last) const {
    return job_of(ticket.load(std::memory_order_acquire)) != last || stop;
  }

  void loop(int worker) {
    std::uint64_t last = 0;
    while (true) {
      for (int round = 0; !new_job(last) && round < kSpinRounds + kYieldRounds; ++round) pause_briefly(round);
      if (!new_job(last)) {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return new_job(last); });
      }
      if (stop) return;
      last = job_of(ticket.load(std::memory_order_acquire));
      work(last, worker);
    }
  }

  void join() {
    {
      const std::scoped_lock lock(mutex);
      stop = true;
    }
    wake.notify_all();
    for (std::thread& worker : workers) worker.join();
  }

  void run(std::int64_t from, std::uint64_t tasks, Task function, const void* argument) {
    const std::uint64_t job = (job_of(ticket.load(std::memory_order_relaxed)) + 1) & UINT32_MAX;
    ticket.fetch_or(kClosed, std::memory_order_acq_rel);
    task.store(function, std::memory_order_relaxed);
    context.store(argument, std::memory_order_relaxed);
    first.store(from, std::memory_order_relaxed);
    count.store(tasks, std::memory_order_relaxed);
    finished.store(0, std::memory_order_relaxed);
    {
      const std::scoped_lock lock(mutex);
      ticket.store(job << 32, std::memory_order_release);
    }
    wake.notify_all();
    work(job, 0);
    for (int round = 0; finished.load(std::memory_order_acquire) != tasks; ++round) pause_briefly(round);
  }
};

ThreadPool::ThreadPool(int threads)
    : threads_(threads > 0 ? threads : available_cores()), shared_(std::make_unique<Shared>()) {
  try {
    for (int worker = 1; worker < threads_; ++worker) {
      shared_->workers.emplace_back([shared = shared_.get(), worker] { shared->loop(worker); });
    }
  } catch (const std::system_error& error) {
    shared_->join();
    throw Error(ErrorKind::kExecution,
                "cannot start " + std::to_string(threads_) + " threads: " + error.what());
  }
}

ThreadPool::~ThreadPool() {
  shared_->join();
}

void ThreadPool::run(std::int64_t count, Task task, const void* context) {
  constexpr std::int64_t kMostTasks = std::int64_t{1} << 30;  // of one job: task numbers have 32 bits
  if (threads_ == 1 || count <= 1) {
    for (std::int64_t i = 0; i < count; ++i) task(context, i, 0);
    return;
  }
  for (std::int64_t from = 0; from < count; from += kMostTasks) {
    shared_->run(from, static_cast<std::uint64_t>(std::min(kMostTasks, count - from)), task, context);
  }
  if (shared_->error) std::rethrow_exception(std::exchange(shared_->error, nullptr));
}

}  // namespace plumb
