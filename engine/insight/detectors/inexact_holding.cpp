// SPDX-License-Identifier: MIT
#include "insight/detectors/inexact_holding.h"

#include <algorithm>

#include "session/door/contents.h"

namespace heapscape::engine {

InexactHolding::InexactHolding(const Contents& contents) : m_contents(contents) {
  const std::vector<RootRow>& roots = contents.retention->roots.roots;
  if (std::ranges::all_of(roots, &RootRow::isExact)) return;
  m_isCertain.resize(contents.graph->objectCount());
  std::vector<std::uint32_t> open;
  const auto reach = [&](std::uint32_t object) {
    if (object >= m_isCertain.size() || m_isCertain[object]) return;
    m_isCertain[object] = true;
    open.push_back(object);
  };
  for (const RootRow& root : roots) {
    if (root.isExact) reach(contents.heap->index.idOf(root.object).value);
  }
  const ReferenceGraph& graph = *contents.graph;
  while (!open.empty()) {
    const std::uint32_t object = open.back();
    open.pop_back();
    for (std::uint32_t i = graph.rows[object]; i < graph.rows[object + 1]; ++i) reach(graph.targets[i]);
  }
}

bool InexactHolding::isOnlyInexact(const FoundInsight& found) const {
  if (m_isCertain.empty() || (found.claims.empty() && found.dominating.empty())) return false;
  return std::ranges::all_of(found.claims, [&](const Claim& claim) { return isOnlyInexact(claim.object); }) &&
         std::ranges::all_of(found.dominating, [&](std::uint32_t object) { return isOnlyInexact(object); });
}

}  // namespace heapscape::engine
