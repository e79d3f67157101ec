// SPDX-License-Identifier: MIT
#include "graph/retained/held_by_groups.h"

#include <algorithm>

#include "base/stop_interval.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kNobody = 0;  // memory is zeroed: groups count from 1
constexpr std::uint32_t kSeveral = 0xffffffff;
constexpr std::size_t kGroupedObjectsAhead = 4;

}  // namespace

std::optional<std::vector<HeldByGroup>> heldByGroups(const ReferenceGraph& graph, std::span<const GroupedRoot> roots,
                                                     std::uint32_t groups, std::uint64_t reachable,
                                                     StageProgress& progress, const std::stop_token& stop) {
  LargeArray<std::uint32_t> holderOf(graph.objectCount());
  std::vector<std::uint32_t> waiting;
  const auto reach = [&](std::uint32_t object, std::uint32_t holder) {
    std::uint32_t& known = holderOf[object];
    if (known == holder || known == kSeveral) return;
    known = known == kNobody ? holder : kSeveral;
    waiting.push_back(object);
  };
  for (const GroupedRoot& root : roots) reach(root.object, root.group + 1);
  std::uint64_t steps = 0;
  while (!waiting.empty()) {
    const std::uint32_t object = waiting.back();
    waiting.pop_back();
    if (waiting.size() >= kGroupedObjectsAhead)
      graph.rows.starts().prefetch(waiting[waiting.size() - kGroupedObjectsAhead]);
    if (++steps % kStopInterval == 0) {
      if (stop.stop_requested()) return std::nullopt;
      progress.report(std::min(1.0, static_cast<double>(steps) / static_cast<double>(2 * reachable + 1)));
    }
    const std::uint32_t holder = holderOf[object];
    for (const std::uint32_t target : graph.targetsOf(object)) reach(target, holder);
  }
  std::vector<HeldByGroup> held(groups);
  for (std::uint32_t object = 0; object < graph.objectCount(); ++object) {
    const std::uint32_t holder = holderOf[object];
    if (holder == kNobody || holder == kSeveral) continue;
    ++held[holder - 1].objects;
    held[holder - 1].bytes += graph.bytesOf(object);
  }
  return held;
}

}  // namespace heapscape::engine
