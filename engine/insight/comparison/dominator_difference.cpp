// SPDX-License-Identifier: MIT
#include "insight/comparison/dominator_difference.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostSiblings = 2000;  // of one node; those that retain most

/// Both sides of a shape, as far as they are there.
struct Pair {
  std::optional<DominatorNode> before, after;
};

using NodeKey = std::pair<DominatorKind, std::string>;

// Addresses in a name are others in each dump.
NodeKey keyOf(const DominatorNode& node) {
  std::string name;
  for (std::size_t i = 0; i < node.name.size();) {
    if (node.name.compare(i, 2, "0x") == 0) {
      i += 2;
      while (i < node.name.size() && std::isxdigit(static_cast<unsigned char>(node.name[i]))) ++i;
      name += "0x";
    } else {
      name += node.name[i++];
    }
  }
  // A single object is what several of its type were.
  return {node.kind == DominatorKind::Object ? DominatorKind::Type : node.kind, std::move(name)};
}

std::uint64_t retainedOf(const std::optional<DominatorNode>& node) {
  return node ? node->retainedBytes : 0;
}

std::uint64_t ownOf(const std::optional<DominatorNode>& node) {
  return node && node->holdsItself() ? node->bytes : 0;
}

std::uint64_t largerOf(const Change& change) {
  return std::max(change.before, change.after);
}

class DifferenceMaker {
 public:
  DifferenceMaker(const Snapshot& before, const Snapshot& after, const DifferenceOptions& options, std::stop_token stop)
      : m_before(before), m_after(after), m_options(options), m_stop(std::move(stop)) {}

  Outcome<std::vector<DifferenceShape>> make() {
    add(wholeOf(), 0, 0);
    m_least = static_cast<std::uint64_t>(static_cast<double>(largerOf(m_shapes[0].retained)) * m_options.smallestShare);
    // Level by level, so that a limit cuts the deepest ones.
    for (std::size_t i = 0; i < m_pairs.size(); ++i) {
      if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const DifferenceShape& shape = m_shapes[i];
      if (!shape.isRest && shape.depth < m_options.depth && m_shapes.size() < m_options.shapes)
        HEAPSCAPE_CHECK(divide(static_cast<std::uint32_t>(i)));
    }
    widen();
    return inOrder();
  }

 private:
  using Siblings = std::map<NodeKey, Pair>;

  Pair wholeOf() const {
    Pair whole;
    const auto side = [](const Snapshot& snapshot) {
      DominatorNode node;
      node.kind = DominatorKind::Whole;
      node.name = "all roots";
      node.retainedBytes = snapshot.retainedTotals().reachableBytes;
      node.retainedCount = snapshot.retainedTotals().reachableObjects;
      return node;
    };
    whole.before = side(m_before);
    whole.after = side(m_after);
    return whole;
  }

  void add(Pair pair, std::uint32_t parent, std::uint32_t depth) {
    const DominatorNode& named = pair.after ? *pair.after : *pair.before;
    DifferenceShape& shape = m_shapes.emplace_back();
    shape.kind = keyOf(named).first;
    shape.name = named.name;
    shape.retained = {retainedOf(pair.before), retainedOf(pair.after)};
    shape.objects = {pair.before ? pair.before->objects : 0, pair.after ? pair.after->objects : 0};
    shape.parent = parent;
    shape.depth = depth;
    shape.bytes = largerOf(shape.retained);
    m_pairs.push_back(std::move(pair));
  }

  /// Adds the children of one side; false if there are more than were looked at.
  Outcome<bool> addSide(const Snapshot& snapshot, const std::optional<DominatorNode>& node,
                        std::optional<DominatorNode> Pair::*side, Siblings& siblings) {
    if (!node) return true;
    HEAPSCAPE_TRY(DominatorPage page,
                  dominatedBy(snapshot, DominatorGrouping::Type, node->node, 0, kMostSiblings, m_stop));
    const bool isComplete = page.total <= page.nodes.size();
    for (DominatorNode& child : page.nodes) {
      std::optional<DominatorNode>& at = siblings[keyOf(child)].*side;
      if (!at) {
        at = std::move(child);
        continue;
      }
      at->retainedBytes += child.retainedBytes;  // of the same name: only the first is looked into
      at->objects += child.objects;
    }
    return isComplete;
  }

  Outcome<void> divide(std::uint32_t parent) {
    Siblings siblings;
    const Pair pair = m_pairs[parent];
    HEAPSCAPE_TRY(const bool isBeforeComplete, addSide(m_before, pair.before, &Pair::before, siblings));
    HEAPSCAPE_TRY(const bool isAfterComplete, addSide(m_after, pair.after, &Pair::after, siblings));
    std::vector<Pair> shown;
    for (auto& [key, child] : siblings) {
      // Whether it is gone, or among those that were not looked at, is not known.
      const bool isSure = (child.before || isBeforeComplete) && (child.after || isAfterComplete);
      const std::uint64_t larger = std::max(retainedOf(child.before), retainedOf(child.after));
      if (isSure && larger >= std::max<std::uint64_t>(m_least, 1)) shown.push_back(std::move(child));
    }
    std::ranges::stable_sort(shown, std::ranges::greater{}, [](const Pair& child) {
      return std::max(retainedOf(child.before), retainedOf(child.after));
    });
    const std::uint32_t depth = m_shapes[parent].depth + 1;
    Change rest{retainedOf(pair.before) - std::min(retainedOf(pair.before), ownOf(pair.before)),
                retainedOf(pair.after) - std::min(retainedOf(pair.after), ownOf(pair.after))};
    for (Pair& child : shown) {
      rest.before -= std::min(rest.before, retainedOf(child.before));
      rest.after -= std::min(rest.after, retainedOf(child.after));
      add(std::move(child), parent, depth);
    }
    if (!shown.empty() && largerOf(rest) >= std::max<std::uint64_t>(m_least, 1)) {
      DifferenceShape& shape = m_shapes.emplace_back();
      shape.kind = DominatorKind::Set;
      shape.isRest = true;
      shape.retained = rest;
      shape.parent = parent;
      shape.depth = depth;
      shape.bytes = largerOf(rest);
      m_pairs.emplace_back();
    }
    return {};
  }

  /// Children that have grown and others that have shrunk may take more room than their parent on either side.
  void widen() {
    std::vector<std::uint64_t> inside(m_shapes.size());
    for (std::size_t i = m_shapes.size(); i-- > 0;) {
      m_shapes[i].bytes = std::max(m_shapes[i].bytes, inside[i]);
      if (i > 0) inside[m_shapes[i].parent] += m_shapes[i].bytes;
    }
  }

  /// Each followed by all below it, as pictures want them.
  std::vector<DifferenceShape> inOrder() {
    std::vector<std::vector<std::uint32_t>> children(m_shapes.size());
    for (std::uint32_t i = 1; i < m_shapes.size(); ++i) children[m_shapes[i].parent].push_back(i);
    std::vector<DifferenceShape> ordered;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pending{{0, 0}};  // with the parent's new place
    std::vector<std::uint64_t> next;                                       // by new place: where its next child begins
    while (!pending.empty()) {
      const auto [old, parent] = pending.back();
      pending.pop_back();
      const auto place = static_cast<std::uint32_t>(ordered.size());
      DifferenceShape& shape = ordered.emplace_back(std::move(m_shapes[old]));
      shape.parent = parent;
      shape.firstByte = place == 0 ? 0 : next[parent];
      if (place > 0) next[parent] += shape.bytes;
      next.push_back(shape.firstByte);
      for (auto child = children[old].rbegin(); child != children[old].rend(); ++child)
        pending.emplace_back(*child, place);
    }
    return ordered;
  }

  const Snapshot& m_before;
  const Snapshot& m_after;
  DifferenceOptions m_options;
  std::stop_token m_stop;
  std::uint64_t m_least = 0;
  std::vector<DifferenceShape> m_shapes;
  std::vector<Pair> m_pairs;  // by shape
};

}  // namespace

Outcome<std::vector<DifferenceShape>> dominatorDifference(const Snapshot& before, const Snapshot& after,
                                                          const DifferenceOptions& options, std::stop_token stop) {
  return DifferenceMaker(before, after, options, std::move(stop)).make();
}

}  // namespace heapscape::engine
