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
  // Memory is read in order where references lead onwards: what lies ahead is only marked, and met again.
  std::vector<bool> isSeen = isMember;
  std::vector<std::uint32_t> waiting;
  std::uint32_t reached = 0;
  const auto visit = [&](std::uint32_t object) {
    if (isSeen[object]) return;
    isSeen[object] = true;
    if (object < reached) waiting.push_back(object);
  };
  for (const std::uint32_t root : roots) visit(root);
  std::uint64_t keptObjects = 0;
  std::uint64_t keptBytes = 0;
  const auto keep = [&](std::uint32_t object) {
    ++keptObjects;
    keptBytes += graph.bytesOf(object);
    for (const std::uint32_t target : graph.targetsOf(object)) visit(target);
  };
  std::uint64_t told = 0;
  for (reached = 0; reached < graph.objectCount();) {
    const std::uint32_t object = reached++;
    if (isSeen[object] && !isMember[object]) keep(object);
    while (!waiting.empty()) {
      const std::uint32_t behind = waiting.back();
      waiting.pop_back();
      if (waiting.size() >= kObjectsAhead) graph.rows.starts().prefetch(waiting[waiting.size() - kObjectsAhead]);
      keep(behind);
      if (keptObjects % kStopInterval == 0 && stop.stop_requested()) return std::nullopt;
    }
    if (keptObjects - told < kStopInterval) continue;
    told = keptObjects;
    if (stop.stop_requested()) return std::nullopt;
    progress.report(static_cast<double>(keptObjects) / static_cast<double>(tree.reachedObjects()));
  }
  totals.retainedObjects = tree.reachedObjects() - keptObjects;
  totals.retainedBytes = sizes.bytes[0] - keptBytes;
  return totals;
}

}  // namespace heapscape::engine
