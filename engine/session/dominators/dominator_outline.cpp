// SPDX-License-Identifier: MIT
#include "session/dominators/dominator_outline.h"

#include <vector>

#include "session/dominators/dominator_question.h"

namespace heapscape::engine {

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

}  // namespace heapscape::engine
