// SPDX-License-Identifier: MIT
#include <algorithm>
#include <queue>

#include "session/dominators/dominator_question.h"
#include "session/dominators/dominators_query.h"

namespace heapscape::engine {
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

}  // namespace heapscape::engine
