// SPDX-License-Identifier: MIT
#include "insight/detectors/inexact_holding.h"

#include <algorithm>

#include "session/snapshot/contents.h"

namespace heapscape::engine {

InexactHolding::InexactHolding(const Contents& contents) {
  const std::vector<RootRow>& roots = contents.retention->roots.roots;
  if (std::ranges::all_of(roots, &RootRow::isExact)) return;
  std::vector<bool> isCertain(contents.graph->objectCount());
  std::vector<std::uint32_t> open;
  const auto reach = [&](std::uint32_t object) {
    if (object >= isCertain.size() || isCertain[object]) return;
    isCertain[object] = true;
    open.push_back(object);
  };
  for (const RootRow& root : roots) {
    if (root.isExact) reach(contents.heap->index.idOf(root.object).value);
  }
  const ReferenceGraph& graph = *contents.graph;
  while (!open.empty()) {
    const std::uint32_t object = open.back();
    open.pop_back();
    for (const std::uint32_t target : graph.targetsOf(object)) reach(target);
  }
  for (std::uint32_t object = 0; object < isCertain.size(); ++object) {
    if (!isCertain[object] && contents.retention->tree.numberOf(object)) m_objects.push_back(object);
  }
}

bool InexactHolding::isOnlyInexact(const FoundInsight& found) const {
  if (m_objects.empty() || !found.hasClaims()) return false;
  const auto isDoubtfulCopy = [&](std::uint32_t copy) { return copy == found.copies->staying || isOnlyInexact(copy); };
  if (found.copies && !std::ranges::all_of(found.insight.ids, isDoubtfulCopy)) return false;
  return std::ranges::all_of(found.claims, [&](const Claim& claim) { return isOnlyInexact(claim.object); }) &&
         std::ranges::all_of(found.dominating, [&](std::uint32_t object) { return isOnlyInexact(object); });
}

}  // namespace heapscape::engine
