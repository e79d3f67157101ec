// SPDX-License-Identifier: MIT
#include "session/dominators/dominators_query.h"
#include "session/dominators/dominator_nodes.h"

#include <algorithm>

#include "base/progress.h"
#include "session/dominators/dominated_set.h"
#include "session/dominators/dominator_question.h"

namespace heapscape::engine {
namespace {

/// 0 for one that cannot be reached.
std::uint32_t numberOf(const Snapshot& snapshot, Address object) {
  if (!snapshot.has(Stage::Retained)) return 0;
  const ObjectId id = snapshot.contents().heap->index.idOf(object);
  return id.isNone() ? 0 : snapshot.contents().retention->tree.numberOf(id.value);
}

}  // namespace

const char* toString(DominatorGrouping grouping) {
  switch (grouping) {
    case DominatorGrouping::Object:
      return "object";
    case DominatorGrouping::Type:
      return "type";
    case DominatorGrouping::Namespace:
      break;
  }
  return "namespace";
}

const char* toString(DominatorKind kind) {
  switch (kind) {
    case DominatorKind::Whole:
      return "whole";
    case DominatorKind::RootGroup:
      return "rootGroup";
    case DominatorKind::Root:
      return "root";
    case DominatorKind::Object:
      return "object";
    case DominatorKind::Type:
      return "type";
    case DominatorKind::Namespace:
      return "namespace";
    case DominatorKind::Set:
      break;
  }
  return "set";
}

Outcome<DominatorPage> dominatedBy(const Snapshot& snapshot, DominatorGrouping grouping, std::uint32_t node,
                                   std::uint64_t skip, std::size_t limit, std::stop_token stop) {
  return withDominatorNodes(snapshot, grouping, stop, [&](DominatorNodes& nodes) -> Outcome<DominatorPage> {
    HEAPSCAPE_CHECK(checkDominatorNode(nodes, node));
    HEAPSCAPE_TRY(const DominatorFamily family, nodes.childrenOf(node, stop));
    DominatorPage page;
    page.total = family.count;
    for (std::uint64_t i = skip; i < family.count && page.nodes.size() < limit; ++i) {
      if (page.nodes.size() % kStopInterval == 0 && stop.stop_requested())
        return tl::unexpected(Unfinished::cancelled());
      page.nodes.push_back(nodes.describe(family[static_cast<std::uint32_t>(i)]));
    }
    return page;
  });
}

Outcome<std::vector<DominatorNode>> dominatorsOf(const Snapshot& snapshot, DominatorGrouping grouping, Address object,
                                                 std::stop_token stop) {
  return withDominatorNodes(
      snapshot, grouping, stop, [&](DominatorNodes& nodes) -> Outcome<std::vector<DominatorNode>> {
        const DominatorTree& tree = snapshot.contents().retention->tree;
        std::vector<std::uint32_t> numbers;
        for (std::uint32_t number = numberOf(snapshot, object); number; number = tree.dominatorOf(number))
          numbers.push_back(number);
        std::reverse(numbers.begin(), numbers.end());
        HEAPSCAPE_TRY(const std::vector<std::uint32_t> way, nodes.along(numbers, stop));
        if (way.empty()) return std::vector<DominatorNode>{};
        std::vector<DominatorNode> path{nodes.describe(0)};
        const std::size_t leftOut = way.size() < kLongestDominatorPath ? 0 : way.size() - kLongestDominatorPath + 1;
        for (std::size_t i = leftOut; i < way.size(); ++i) path.push_back(nodes.describe(way[i]));
        return path;
      });
}

Outcome<std::optional<DominatorNode>> dominatorNodeOf(const Snapshot& snapshot, DominatorGrouping grouping,
                                                      Address object, std::stop_token stop) {
  return withDominatorNodes(snapshot, grouping, stop,
                            [&](DominatorNodes& nodes) -> Outcome<std::optional<DominatorNode>> {
                              const std::uint32_t number = numberOf(snapshot, object);
                              if (!number) return std::optional<DominatorNode>{};
                              HEAPSCAPE_TRY(const std::uint32_t node, nodes.nodeOf(number));
                              return std::optional(nodes.describe(node));
                            });
}

Outcome<std::optional<DominatorNode>> dominatorNodeOfSet(const Snapshot& snapshot, DominatorGrouping grouping,
                                                         const std::vector<std::uint32_t>& objects,
                                                         ProgressSink* progress, std::stop_token stop) {
  return withDominatorNodes(
      snapshot, grouping, stop, [&](DominatorNodes& nodes) -> Outcome<std::optional<DominatorNode>> {
        HEAPSCAPE_TRY(DominatedSet set, dominatedSet(snapshot.contents(), objects, progress, stop));
        if (set.numbers.empty()) return std::optional<DominatorNode>{};
        return std::optional(nodes.describe(nodes.nodeOfSet(std::move(set))));
      });
}

Outcome<std::vector<std::uint32_t>> objectsOfDominator(const Snapshot& snapshot, DominatorGrouping grouping,
                                                       std::uint32_t node, std::stop_token stop) {
  return withDominatorNodes(snapshot, grouping, stop,
                            [&](DominatorNodes& nodes) -> Outcome<std::vector<std::uint32_t>> {
                              HEAPSCAPE_CHECK(checkDominatorNode(nodes, node));
                              const DominatorTree& tree = snapshot.contents().retention->tree;
                              std::vector<std::uint32_t> objects;
                              for (const std::uint32_t number : nodes.membersOf(node)) {
                                const std::uint32_t vertex = number ? tree.vertexOf(number) : ObjectId::kNone;
                                if (number && tree.isObject(vertex)) objects.push_back(vertex);
                              }
                              std::ranges::sort(objects);
                              return objects;
                            });
}

Outcome<Address> largestOfType(const Snapshot& snapshot, TypeId type, std::stop_token stop) {
  if (!snapshot.has(Stage::Retained)) return Address{};
  const Contents& contents = snapshot.contents();
  const Retention& retention = *contents.retention;
  HEAPSCAPE_TRY(const auto index, retention.browsing->index(contents, stop));
  std::uint32_t largest = 0;
  for (std::uint32_t number = 1; number <= retention.tree.reachedCount(); ++number) {
    if (number % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (index->typeOf(number) != type || type.isNone()) continue;
    if (!largest || retention.sizes.bytes[number] > retention.sizes.bytes[largest]) largest = number;
  }
  return largest ? contents.heap->index.addressOf({retention.tree.vertexOf(largest)}) : Address{};
}

bool forEachDominated(const Snapshot& snapshot, const std::function<bool(const DominatedObject&)>& visit,
                      std::stop_token stop) {
  if (!snapshot.has(Stage::Retained)) return true;
  const Contents& contents = snapshot.contents();
  const Retention& retention = *contents.retention;
  const ObjectIndex& index = contents.heap->index;
  for (std::uint32_t i = 0; i < contents.segments->size(); ++i) {
    std::uint32_t id = index.objectsOf(SegmentId{i}).first.value;
    const bool goesOn = index.forEachStart(SegmentId{i}, (*contents.segments)[i].objects, [&](Address object) {
      if (id % kStopInterval == 0 && stop.stop_requested()) return false;
      const std::uint32_t number = retention.tree.numberOf(id++);
      if (!number) return true;
      const std::uint32_t dominator = retention.tree.dominatingObjectOf(number);
      return visit({object, dominator ? index.addressOf({retention.tree.vertexOf(dominator)}) : Address{},
                    retention.sizes.bytes[number], retention.sizes.objects[number]});
    });
    if (!goesOn) break;
  }
  return !stop.stop_requested();
}

}  // namespace heapscape::engine
