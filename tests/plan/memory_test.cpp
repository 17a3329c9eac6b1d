// The arena: storages in use at the same time never overlap, memory is reused, and the size is what it
// claims.
#include <gtest/gtest.h>

#include <random>

#include "plan/plan.h"

namespace plumb {
namespace {

Storage arena_storage(std::size_t bytes, std::int32_t first, std::int32_t last) {
  Storage storage;
  storage.bytes = bytes;
  storage.first_step = first;
  storage.last_step = last;
  return storage;
}

bool live_together(const Storage& a, const Storage& b) {
  return a.first_step <= b.last_step && b.first_step <= a.last_step;
}

TEST(PlanMemory, storages_in_use_at_the_same_time_never_overlap) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    Plan plan;
    for (int i = 0; i < 60; ++i) {
      const auto first = static_cast<std::int32_t>(random() % 40);
      plan.storages.push_back(
          arena_storage(random() % 5000, first, first + static_cast<std::int32_t>(random() % 6)));
    }
    plan_memory(plan);
    for (std::size_t i = 0; i < plan.storages.size(); ++i) {
      const Storage& a = plan.storages[i];
      EXPECT_EQ(a.offset % kAlignment, 0u);
      EXPECT_LE(a.offset + a.bytes, plan.arena_bytes);
      for (std::size_t j = 0; j < i; ++j) {
        const Storage& b = plan.storages[j];
        if (!live_together(a, b)) continue;
        EXPECT_TRUE(a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset);
      }
    }
  }
}

TEST(PlanMemory, a_chain_of_steps_needs_room_for_two_values_only) {
  Plan plan;
  for (std::int32_t i = 0; i < 20; ++i) plan.storages.push_back(arena_storage(1024, i, i + 1));
  plan_memory(plan);
  EXPECT_EQ(plan.arena_bytes, 2048u);
}

TEST(PlanMemory, constants_and_inputs_take_no_room) {
  Plan plan;
  plan.storages.push_back(arena_storage(1 << 20, 0, 1));
  plan.storages.back().kind = Storage::Kind::kInput;
  plan_memory(plan);
  EXPECT_EQ(plan.arena_bytes, 0u);
}

}  // namespace
}  // namespace plumb
