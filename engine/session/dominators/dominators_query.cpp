// SPDX-License-Identifier: MIT
#include "session/dominators/dominators_query.h"

#include <algorithm>
#include <queue>
#include <vector>

#include "base/progress.h"
#include "session/dominators/dominator_nodes.h"

namespace heapscape::engine {
namespace {

/// 0 for one that cannot be reached.
std::uint32_t numberOf(const Snapshot& snapshot, Address object) {
  if (!snapshot.has(Stage::Retained)) return 0;
  const ObjectId id = snapshot.contents().heap->index.idOf(object);
  return id.isNone() ? 0 : snapshot.contents().retention->tree.numberOf(id.value);
}

}  // namespace

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

namespace {

/// Divides the largest shape that is not divided yet, until there is no room for more.
class PictureMaker {
 public:
  PictureMaker(DominatorNodes& nodes, const DominatorPictureOptions& options, std::stop_token stop)
      : m_nodes(nodes), m_options(options), m_stop(std::move(stop)) {}

  Outcome<std::vector<DominatorShape>> make() {
    DominatorShape top;
    top.node = m_nodes.describe(m_options.top);
    const auto whole = static_cast<double>(top.node.retainedBytes);
    m_smallestBytes = static_cast<std::uint64_t>(std::max(1.0, whole * m_options.smallestShare));
    add(std::move(top));
    while (!m_undivided.empty() && m_shapes.size() < m_options.shapes) {
      const std::uint32_t next = m_undivided.top().second;
      m_undivided.pop();
      HEAPSCAPE_CHECK(divide(next));
    }
    return std::move(m_shapes);
  }

 private:
  void add(DominatorShape shape) {
    const bool canBeDivided = !shape.isRest && shape.node.children > 0 && shape.depth < m_options.depth;
    // The newest of equal ones comes last, so that siblings are divided from left to right.
    const auto index = static_cast<std::uint32_t>(m_shapes.size());
    if (canBeDivided) m_undivided.push({{shape.node.retainedBytes, ~index}, index});
    m_shapes.push_back(std::move(shape));
  }

  Outcome<void> divide(std::uint32_t parent) {
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    HEAPSCAPE_TRY(const DominatorFamily family, m_nodes.childrenOf(m_shapes[parent].node.node, m_stop));
    const std::size_t room = m_options.shapes - m_shapes.size();
    std::uint32_t shown = 0;
    while (shown < family.count && m_nodes.retainedBytes(family[shown]) >= m_smallestBytes) ++shown;
    // One place is for those that are left out, if any are.
    if (shown > room || (shown == room && shown < family.count)) shown = static_cast<std::uint32_t>(room - 1);
    std::uint64_t firstByte = m_shapes[parent].firstByte;
    for (std::uint32_t i = 0; i < shown; ++i) {
      DominatorShape shape;
      shape.node = m_nodes.describe(family[i]);
      place(shape, parent, firstByte);
      add(std::move(shape));
    }
    if (shown < family.count) {
      DominatorShape rest = restOf(m_shapes[parent].node, family, shown);
      if (rest.node.retainedBytes > 0) {
        place(rest, parent, firstByte);
        add(std::move(rest));
      }
    }
    return {};
  }

  void place(DominatorShape& shape, std::uint32_t parent, std::uint64_t& firstByte) const {
    shape.parent = parent;
    shape.depth = m_shapes[parent].depth + 1;
    shape.firstByte = firstByte;
    firstByte += shape.node.retainedBytes;
  }

  DominatorShape restOf(const DominatorNode& parent, const DominatorFamily& family, std::uint32_t shown) const {
    DominatorShape rest;
    rest.isRest = true;
    rest.siblings = family.count - shown;
    std::uint64_t bytes = parent.retainedBytes - (parent.holdsItself() ? parent.bytes : 0);
    std::uint64_t objects = parent.retainedCount - (parent.holdsItself() ? parent.objects : 0);
    for (std::uint32_t i = 0; i < shown; ++i) {
      const DominatorNode& sibling = m_shapes[m_shapes.size() - shown + i].node;
      bytes -= sibling.retainedBytes;
      objects -= sibling.retainedCount;
    }
    rest.node.objects = objects;
    rest.node.retainedCount = objects;
    rest.node.bytes = bytes;
    rest.node.retainedBytes = bytes;
    return rest;
  }

  using Place = std::pair<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t>;

  DominatorNodes& m_nodes;
  const DominatorPictureOptions& m_options;
  std::stop_token m_stop;
  std::uint64_t m_smallestBytes = 1;
  std::vector<DominatorShape> m_shapes;
  std::priority_queue<Place> m_undivided;
};

}  // namespace

Outcome<std::vector<DominatorShape>> dominatorPicture(const Snapshot& snapshot, DominatorGrouping grouping,
                                                      const DominatorPictureOptions& options, std::stop_token stop) {
  return withDominatorNodes(snapshot, grouping, stop,
                            [&](DominatorNodes& nodes) -> Outcome<std::vector<DominatorShape>> {
                              HEAPSCAPE_CHECK(checkDominatorNode(nodes, options.top));
                              return PictureMaker(nodes, options, stop).make();
                            });
}

Outcome<void> outlineDominators(const Snapshot& snapshot, DominatorGrouping grouping, const DominatorNode& top,
                                const DominatorOutlineOptions& options,
                                const std::function<bool(const DominatorOutlineRow&)>& visit, std::stop_token stop) {
  struct Level {
    std::vector<DominatorNode> nodes;
    std::size_t next = 0;
  };
  std::vector<Level> way;
  way.push_back({{top}});
  while (!way.empty()) {
    Level& level = way.back();
    if (level.next == level.nodes.size()) {
      way.pop_back();
      continue;
    }
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    DominatorOutlineRow row;
    row.node = std::move(level.nodes[level.next++]);
    row.depth = static_cast<std::uint32_t>(way.size() - 1);
    DominatorPage page;
    if (row.depth < options.depth && row.node.children > 0) {
      HEAPSCAPE_TRY(page, dominatedBy(snapshot, grouping, row.node.node, 0, options.top, stop));
      row.childNodes = page.total;
      row.shownNodes = page.nodes.size();
      row.hiddenBytes = row.node.retainedBytes - (row.node.holdsItself() ? row.node.bytes : 0);
      for (const DominatorNode& child : page.nodes) row.hiddenBytes -= child.retainedBytes;
    }
    if (!visit(row)) return {};
    if (!page.nodes.empty()) way.push_back({std::move(page.nodes)});
  }
  return {};
}

Outcome<DominatorNode> wholeOf(const Snapshot& snapshot, DominatorGrouping grouping, std::stop_token stop) {
  return withDominatorNodes(snapshot, grouping, stop,
                            [](DominatorNodes& nodes) -> Outcome<DominatorNode> { return nodes.describe(0); });
}

namespace {

/// The parts of the tree that would be freed, in its order, with the bytes of all in front of each.
class FreedParts {
 public:
  explicit FreedParts(const WhatIf& whatIf) : m_retention(*whatIf.snapshot().contents().retention) {
    const ObjectIndex& index = whatIf.snapshot().contents().heap->index;
    for (const RetainedRow& row : whatIf.outermost(whatIf.outermostCount()))
      m_tops.push_back(m_retention.tree.numberOf(index.idOf(row.object).value));
    std::ranges::sort(m_tops);
    m_before.reserve(m_tops.size() + 1);
    std::uint64_t bytes = 0;
    for (const std::uint32_t top : m_tops) {
      m_before.push_back(bytes);
      bytes += m_retention.sizes.bytes[top];
    }
    m_before.push_back(bytes);
    const DominatorTree& tree = m_retention.tree;
    const std::uint32_t roots = tree.reachedCount() - tree.reachedObjects();
    for (std::uint32_t root = 0; root < roots; ++root) m_roots.push_back(tree.numberOf(tree.vertexOfRoot(root)));
    std::ranges::sort(m_roots);
  }

  /// Retained bytes of a vertex.
  std::uint64_t bytesOf(std::uint32_t number) const {
    if (number == 0) return m_before.back();
    const auto behind = std::ranges::upper_bound(m_tops, number);
    if (behind != m_tops.begin() && number < endOf(*(behind - 1))) return m_retention.sizes.bytes[number];
    return before(endOf(number)) - before(number);
  }

 private:
  // All that a vertex dominates has the numbers right behind its own: objects, and below a group its roots.
  std::uint32_t endOf(std::uint32_t number) const {
    std::uint32_t end = number + m_retention.sizes.objects[number];
    auto root = std::ranges::lower_bound(m_roots, number);
    for (; root != m_roots.end() && isWithin(number, *root); ++root) ++end;
    return end;
  }

  bool isWithin(std::uint32_t number, std::uint32_t root) const {
    while (root > number) root = m_retention.tree.dominatorOf(root);
    return root == number;
  }

  std::uint64_t before(std::uint32_t number) const {
    return m_before[static_cast<std::size_t>(std::ranges::lower_bound(m_tops, number) - m_tops.begin())];
  }

  const Retention& m_retention;
  std::vector<std::uint32_t> m_tops;  // numbers, ascending
  std::vector<std::uint64_t> m_before;
  std::vector<std::uint32_t> m_roots;  // roots and groups, ascending
};

}  // namespace

Outcome<std::vector<std::uint64_t>> freedByShape(const Snapshot& snapshot, const WhatIf& whatIf,
                                                 DominatorGrouping grouping, std::span<const DominatorShape> shapes,
                                                 std::stop_token stop) {
  if (&snapshot.contents() != &whatIf.snapshot().contents()) {
    return tl::unexpected(Unfinished(Error{ErrorCode::NotFound, "The cuts were made in another snapshot."}));
  }
  const auto add = [&](DominatorNodes& nodes) -> Outcome<std::vector<std::uint64_t>> {
    const FreedParts parts(whatIf);
    std::vector<std::uint64_t> freed(shapes.size());
    std::size_t looked = 0;
    for (std::size_t shape = 0; shape < shapes.size(); ++shape) {
      if (shapes[shape].isRest) continue;
      HEAPSCAPE_CHECK(checkDominatorNode(nodes, shapes[shape].node.node));
      for (const std::uint32_t number : nodes.membersOf(shapes[shape].node.node)) {
        if (++looked % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
        freed[shape] += parts.bytesOf(number);
      }
    }
    return freed;
  };
  return withDominatorNodes(snapshot, grouping, stop, add);
}

}  // namespace heapscape::engine
