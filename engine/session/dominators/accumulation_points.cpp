// SPDX-License-Identifier: MIT
#include "session/dominators/accumulation_points.h"

#include <algorithm>
#include <queue>
#include <unordered_set>
#include <utility>

#include "base/progress.h"
#include "session/objects/folded_collections.h"
#include "session/references/adjacents.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kSpare = 4;  // times as many are looked at, since several may be parts of one collection

/// A vertex by how much more it retains than its largest child.
using Drop = std::pair<std::uint64_t, std::uint32_t>;

// A thread's stack by its thread, statics by their type.
std::string nameOfGroup(const RootList& roots, const RootGroup& group) {
  if (group.parent == RootGroup::kNone) return group.name;
  const RootGroup& above = roots.groups[group.parent];
  if (above.owner) return above.name;
  return above.name == "Statics" && group.owner ? "statics of " + group.name : group.name;
}

std::vector<std::string> wayTo(const Contents& contents, std::uint32_t number) {
  const Retention& retention = *contents.retention;
  std::vector<std::string> way;
  for (std::uint32_t at = number; at; at = retention.tree.dominatorOf(at)) {
    const std::uint32_t vertex = retention.tree.vertexOf(at);
    if (retention.tree.isObject(vertex)) {
      const TypeId type = typeOfObject(contents, vertex);
      way.push_back(type.isNone() ? std::string() : (*contents.types)[type.value].name);
      continue;
    }
    const bool isGroup = retention.isGroup(vertex);
    way.push_back(isGroup ? nameOfGroup(retention.roots, retention.roots.groups[retention.groupOf(vertex)])
                          : retention.roots.roots[retention.rootOf(vertex)].name);
    std::ranges::reverse(way);
    return way;
  }
  way.emplace_back("several roots");
  std::ranges::reverse(way);
  return way;
}

}  // namespace

Outcome<std::vector<AccumulationPoint>> accumulationPoints(const Snapshot& snapshot, std::size_t count,
                                                           std::stop_token stop) {
  std::vector<AccumulationPoint> points;
  if (!snapshot.has(Stage::Retained)) return points;
  const Contents& contents = snapshot.contents();
  const Retention& retention = *contents.retention;
  std::priority_queue<Drop, std::vector<Drop>, std::greater<>> largest;
  const std::uint32_t reached = retention.tree.reachedCount();
  for (std::uint32_t number = 1; number <= reached; ++number) {
    if (number % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    const std::uint64_t retained = retention.sizes.bytes[number];
    const bool isFull = largest.size() == count * kSpare;
    if (!retention.tree.isObject(retention.tree.vertexOf(number)) || (isFull && retained <= largest.top().first))
      continue;
    std::uint64_t child = 0;
    const std::uint32_t end = number + retention.sizes.objects[number];
    for (std::uint32_t below = number + 1; below < end; below += retention.sizes.objects[below])
      child = std::max(child, retention.sizes.bytes[below]);
    if (isFull && retained - child <= largest.top().first) continue;
    if (isFull) largest.pop();
    largest.emplace(retained - child, number);
  }
  std::vector<Drop> drops;
  for (; !largest.empty(); largest.pop()) drops.push_back(largest.top());
  std::ranges::sort(drops, std::ranges::greater());
  FoldedCollections folding(contents);
  std::unordered_set<std::uint32_t> told;
  for (const auto& [drop, number] : drops) {
    if (points.size() == count) break;
    const std::uint32_t part = retention.tree.vertexOf(number);
    const std::uint32_t around = folding.collectionAround(part);
    const std::uint32_t object = around == FoldedCollections::kNone ? part : around;
    if (!told.insert(object).second) continue;
    const std::uint32_t shown = retention.tree.numberOf(object);
    points.push_back({contents.heap->index.addressOf({object}), typeOfObject(contents, object),
                      retention.sizes.bytes[shown], retention.sizes.bytes[number] - drop, wayTo(contents, shown)});
  }
  std::ranges::stable_sort(points, std::ranges::greater(), &AccumulationPoint::retainedBytes);
  return points;
}

}  // namespace heapscape::engine
