// SPDX-License-Identifier: MIT
#include "session/dominators/dominator_chains.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kNearlyAllPercent = 95;
constexpr std::size_t kShortestChain = 3;

class ChainFolder {
 public:
  explicit ChainFolder(const std::vector<DominatorShape>& shapes) : m_shapes(shapes), m_children(shapes.size()) {
    for (std::uint32_t i = 1; i < shapes.size(); ++i) m_children[shapes[i].parent].push_back(i);
  }

  /// Level by level, so that siblings stand side by side.
  std::vector<DominatorShape> fold() {
    if (m_shapes.empty()) return {};
    add(0, 0, 0);
    for (std::uint32_t next = 0; next < m_folded.size(); ++next) {
      const std::vector<std::uint32_t> chain = chainFrom(m_sources[next]);
      std::vector<std::uint32_t> below;
      for (std::size_t link = 0; link < chain.size(); ++link) {
        if (link > 0) m_folded[next].folded.push_back(m_shapes[chain[link]].node);
        for (const std::uint32_t child : m_children[chain[link]]) {
          if (link + 1 == chain.size() || child != chain[link + 1]) below.push_back(child);
        }
      }
      std::ranges::stable_sort(below, {}, [this](std::uint32_t shape) { return m_shapes[shape].firstByte; });
      const std::uint32_t depth = m_folded[next].depth + 1;
      for (const std::uint32_t child : below) add(child, next, depth);
    }
    return std::move(m_folded);
  }

 private:
  void add(std::uint32_t source, std::uint32_t parent, std::uint32_t depth) {
    DominatorShape& shape = m_folded.emplace_back(m_shapes[source]);
    shape.parent = parent;
    shape.depth = depth;
    m_sources.push_back(source);
  }

  bool canBeLink(std::uint32_t shape) const {
    const DominatorKind kind = m_shapes[shape].node.kind;
    return shape != 0 && !m_shapes[shape].isRest && (kind == DominatorKind::Object || kind == DominatorKind::Type);
  }

  std::optional<std::uint32_t> nextLink(std::uint32_t shape) const {
    for (const std::uint32_t child : m_children[shape]) {
      const std::uint64_t held = m_shapes[child].node.retainedBytes;
      const bool isNearlyAll = held >= m_shapes[shape].node.retainedBytes / 100 * kNearlyAllPercent;
      if (canBeLink(child) && isNearlyAll && held > 0) return child;
    }
    return std::nullopt;
  }

  /// The shape alone where there is no chain.
  std::vector<std::uint32_t> chainFrom(std::uint32_t shape) const {
    std::vector<std::uint32_t> chain{shape};
    if (!canBeLink(shape)) return chain;
    for (auto next = nextLink(shape); next; next = nextLink(*next)) chain.push_back(*next);
    if (chain.size() < kShortestChain) chain.resize(1);
    return chain;
  }

  const std::vector<DominatorShape>& m_shapes;
  std::vector<std::vector<std::uint32_t>> m_children;
  std::vector<DominatorShape> m_folded;
  std::vector<std::uint32_t> m_sources;  // of each folded shape the first of those that it was
};

}  // namespace

std::vector<DominatorShape> foldChains(const std::vector<DominatorShape>& shapes) {
  return ChainFolder(shapes).fold();
}

}  // namespace heapscape::engine
