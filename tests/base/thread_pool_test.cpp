// The pool runs every task once, on distinct workers, over many jobs in a row; exceptions reach the caller.
#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace plumb {
namespace {

TEST(ThreadPool, every_task_runs_exactly_once_in_each_of_many_short_jobs) {
  ThreadPool pool(4);
  for (std::int64_t count = 0; count < 2000; ++count) {
    std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count % 37));
    pool.parallel_for(static_cast<std::int64_t>(calls.size()),
                      [&](std::int64_t i, int) { ++calls[static_cast<std::size_t>(i)]; });
    for (const auto& c : calls) ASSERT_EQ(c.load(), 1);
  }
}

TEST(ThreadPool, calls_at_the_same_time_have_distinct_workers) {
  ThreadPool pool(4);
  std::vector<std::atomic<int>> inside(4);
  std::atomic<bool> clash{false};
  pool.parallel_for(1000, [&](std::int64_t, int worker) {
    auto& mine = inside[static_cast<std::size_t>(worker)];
    if (++mine != 1) clash = true;
    --mine;
  });
  EXPECT_FALSE(clash);
}

TEST(ThreadPool, an_exception_of_a_task_reaches_the_caller_and_the_pool_works_on) {
  ThreadPool pool(3);
  const auto failing = [](std::int64_t i, int) {
    if (i == 5) throw std::runtime_error("five");
  };
  EXPECT_THROW(pool.parallel_for(10, failing), std::runtime_error);
  std::atomic<int> sum{0};
  pool.parallel_for(10, [&](std::int64_t i, int) { sum += static_cast<int>(i); });
  EXPECT_EQ(sum, 45);
}

TEST(ThreadPool, zero_threads_means_as_many_as_there_are_cores) {
  EXPECT_GE(ThreadPool(0).threads(), 1);
}

}  // namespace
}  // namespace plumb
