// One arena for all activations. Storages are placed largest first, each at the lowest offset where no
// storage that lives at the same time stands (the "greedy by size" strategy of Pisarchyk and Lee, "Efficient
// Memory Management for Deep Neural Net Inference", 2020).
#include <algorithm>

#include "plan/plan.h"
#include "plumb/error.h"

namespace plumb {
namespace {

constexpr std::size_t kMaxArenaBytes = std::size_t{1} << 46;  // more than any machine has

}  // namespace

void plan_memory(Plan& plan) {
  std::vector<Storage*> pending;
  for (Storage& storage : plan.storages) {
    if (storage.kind == Storage::Kind::kArena) pending.push_back(&storage);
  }
  std::stable_sort(pending.begin(), pending.end(),
                   [](const Storage* a, const Storage* b) { return a->bytes > b->bytes; });

  std::vector<const Storage*> placed;  // ordered by offset
  plan.arena_bytes = 0;
  for (Storage* storage : pending) {
    const std::size_t size = align_up(std::max<std::size_t>(storage->bytes, 1));
    std::size_t offset = 0;
    for (const Storage* other : placed) {
      const bool together =
          other->first_step <= storage->last_step && storage->first_step <= other->last_step;
      if (!together) continue;
      if (offset + size <= other->offset) break;
      offset = std::max(offset, align_up(other->offset + std::max<std::size_t>(other->bytes, 1)));
    }
    if (size > kMaxArenaBytes || offset > kMaxArenaBytes - size) {
      throw Error(ErrorKind::kExecution, "the activations need more than " +
                                             std::to_string(kMaxArenaBytes >> 40) + " TiB of memory");
    }
    storage->offset = offset;
    plan.arena_bytes = std::max(plan.arena_bytes, offset + size);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), storage,
                                   [](const Storage* a, const Storage* b) { return a->offset < b->offset; }),
                  storage);
  }
}

}  // namespace plumb
