// SPDX-License-Identifier: MIT
#include "session/references/outermost_query.h"

#include <algorithm>

#include "base/progress.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

Outcome<std::vector<OutermostType>> outermostTypes(const Snapshot& snapshot, std::stop_token stop) {
  std::vector<OutermostType> types;
  if (!snapshot.has(Stage::Retained)) return types;
  const Contents& contents = snapshot.contents();
  const DominatorTree& tree = contents.retention->tree;
  const RetainedSizes& sizes = contents.retention->sizes;
  types.resize(snapshot.types().size());
  std::uint32_t steps = 0;
  for (std::uint32_t number = 1; number <= tree.reachedCount();) {
    if (++steps % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    const std::uint32_t vertex = tree.vertexOf(number);
    if (!tree.isObject(vertex)) {
      ++number;
      continue;
    }
    std::uint64_t word = 0;
    const TypeIndex::Slot* slot = nullptr;
    if (contents.memory->tryRead(contents.heap->index.addressOf({vertex}), word))
      slot = contents.heap->types.find(word & kMethodTableMask);
    if (slot && slot->type < types.size()) {
      ++types[slot->type].objects;
      types[slot->type].retainedBytes += sizes.bytes[number];
    }
    // All that it retains has the numbers behind its own.
    number += std::max<std::uint32_t>(1, sizes.objects[number]);
  }
  for (std::uint32_t type = 0; type < types.size(); ++type) types[type].type = TypeId{type};
  std::erase_if(types, [](const OutermostType& type) { return type.objects == 0; });
  std::ranges::stable_sort(types, std::ranges::greater{}, &OutermostType::retainedBytes);
  return types;
}

}  // namespace heapscape::engine
