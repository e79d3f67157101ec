// SPDX-License-Identifier: MIT
#include "graph/retained/retained_set.h"

#include "base/stop_interval.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kObjectsAhead = 4;

}  // namespace

std::optional<RetainedSetTotals> addUpRetainedSet(const ReferenceGraph& graph, const DominatorTree& tree,
                                                  const RetainedSizes& sizes, std::span<const std::uint32_t> roots,
                                                  const std::vector<bool>& isMember, StageProgress& progress,
                                                  std::stop_token stop) {
  RetainedSetTotals totals;
  for (std::uint32_t object = 0; object < graph.objectCount(); ++object) {
    if (!isMember[object] || !tree.numberOf(object)) continue;
    ++totals.memberObjects;
    totals.memberBytes += graph.bytesOf(object);
  }
  std::vector<bool> isSeen = isMember;
  std::vector<std::uint32_t> waiting;
  const auto visit = [&](std::uint32_t object) {
    if (isSeen[object]) return;
    isSeen[object] = true;
    waiting.push_back(object);
  };
  for (const std::uint32_t root : roots) visit(root);
  std::uint64_t keptObjects = 0;
  std::uint64_t keptBytes = 0;
  while (!waiting.empty()) {
    const std::uint32_t object = waiting.back();
    waiting.pop_back();
    if (waiting.size() >= kObjectsAhead) __builtin_prefetch(&graph.rows[waiting[waiting.size() - kObjectsAhead]]);
    if (++keptObjects % kStopInterval == 0) {
      if (stop.stop_requested()) return std::nullopt;
      progress.report(static_cast<double>(keptObjects) / static_cast<double>(tree.reachedObjects()));
    }
    keptBytes += graph.bytesOf(object);
    for (std::uint32_t edge = graph.rows[object]; edge < graph.rows[object + 1]; ++edge) visit(graph.targets[edge]);
  }
  totals.retainedObjects = tree.reachedObjects() - keptObjects;
  totals.retainedBytes = sizes.bytes[0] - keptBytes;
  return totals;
}

}  // namespace heapscape::engine
