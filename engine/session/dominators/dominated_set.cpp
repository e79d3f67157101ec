// SPDX-License-Identifier: MIT
#include "session/dominators/dominated_set.h"

#include <algorithm>
#include <limits>

#include "graph/retained/retained_parts.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

Outcome<DominatedSet> dominatedSet(const Contents& contents, std::span<const std::uint32_t> objects,
                                   ProgressSink* progress, std::stop_token stop) {
  const Retention& retention = *contents.retention;
  std::vector<std::uint32_t> roots;
  for (const RootRow& root : retention.roots.roots) {
    if (const ObjectId id = contents.heap->index.idOf(root.object); !id.isNone()) roots.push_back(id.value);
  }
  StageProgress following(progress, "following what would still be held", 0, 1);
  RetainedPartsFinder finder(*contents.graph, retention.tree, retention.sizes, roots,
                             std::numeric_limits<std::uint64_t>::max());
  const auto parts = finder.without({.members = objects, .progress = &following}, stop);
  if (!parts) return tl::unexpected(Unfinished::cancelled());
  DominatedSet set{.retainedObjects = parts->objects, .retainedBytes = parts->bytes};
  for (const std::uint32_t object : objects) {
    if (!retention.tree.numberOf(object)) continue;
    ++set.objects;
    set.bytes += contents.graph->bytesOf(object);
  }
  for (const std::uint32_t top : parts->tops) set.numbers.push_back(retention.tree.numberOf(top));
  std::ranges::stable_sort(set.numbers, std::ranges::greater(),
                           [&](std::uint32_t number) { return retention.sizes.bytes[number]; });
  return set;
}

}  // namespace heapscape::engine
