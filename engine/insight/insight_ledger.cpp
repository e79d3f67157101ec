// SPDX-License-Identifier: MIT
#include "insight/insight_ledger.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <atomic>
#include <functional>

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

namespace {

constexpr std::size_t kClaimedAtOnce = 1 << 14;
constexpr std::size_t kClaimedAhead = 16;

}  // namespace

InsightLedger::InsightLedger(const Contents& contents, const InexactHolding& inexact)
    : m_contents(contents),
      m_inexact(inexact),
      m_isWhole(contents.graph->objectCount()),
      m_isPart(contents.graph->objectCount()),
      m_units(contents.graph->objectCount()),
      m_isAllDominated(contents.retention->tree.reachedCount() + std::size_t{1}) {
  for (const std::uint32_t object : inexact.objects()) claimWhole(object);
}

void InsightLedger::clear() {
  m_isWhole.clear();
  m_isPart.forEach([&](std::uint32_t object) { m_units[object] = 0; });
  m_isPart.clear();
  if (m_dominatedCount) m_isAllDominated.assign(m_isAllDominated.size(), false);
  m_dominatedCount = 0;
  for (const std::uint32_t object : m_inexact.objects()) claimWhole(object);
}

std::uint64_t InsightLedger::claim(const FoundInsight& found, const Insight& insight) {
  std::uint64_t shared = claimEach(found.claims);
  if (found.copies) shared += claimCopies(*found.copies, insight.ids);
  for (const std::uint32_t object : found.dominating) shared += claimDominated(object);
  return shared * kUnitBytes;
}

/// On all cores where there are many. Of an object that is claimed several times the sum is the same in any order.
template <class ClaimAt>
std::uint64_t InsightLedger::addUp(std::size_t count, ClaimAt claimAt) {
  const auto add = [&](const auto& part, std::uint64_t shared) {
    for (std::size_t i = part.begin(); i < part.end(); ++i) shared += claimAt(i);
    return shared;
  };
  return tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, count, kClaimedAtOnce), std::uint64_t{0}, add,
                              std::plus());
}

std::uint64_t InsightLedger::claimCopies(const FoundInsight::Copies& copies,
                                         const std::vector<std::uint32_t>& objects) {
  // Others wait for each bit that is set, so it has to be there by then.
  return addUp(objects.size(), [&](std::size_t i) {
    if (i + kClaimedAhead < objects.size()) {
      m_isWhole.prefetch(objects[i + kClaimedAhead]);
      m_isPart.prefetch(objects[i + kClaimedAhead]);
    }
    return objects[i] == copies.staying ? 0 : claimAll(objects[i], copies.units);
  });
}

std::uint64_t InsightLedger::claimEach(const std::vector<Claim>& claims) {
  const ObjectUnits& units = m_contents.graph->units;
  const std::uint64_t ofWhole = addUp(claims.size(), [&](std::size_t i) {
    const Claim& claim = claims[i];
    const std::uint32_t all = units[claim.object];
    return claim.units < all ? 0 : claim.units - all + claimAll(claim.object, all);
  });
  return ofWhole + addUp(claims.size(), [&](std::size_t i) {
           return claims[i].units < units[claims[i].object] ? claimPart(claims[i].object, claims[i].units) : 0;
         });
}

bool InsightLedger::isWithDominator(std::uint32_t object) const {
  return m_dominatedCount && m_isAllDominated[m_contents.retention->tree.numberOf(object)];
}

std::uint64_t InsightLedger::claimedUnits(std::uint32_t object) const {
  if (m_isWhole[object] || isWithDominator(object)) return m_contents.graph->units[object];
  return m_isPart[object] ? m_units[object] : 0;
}

std::uint64_t InsightLedger::claimAll(std::uint32_t object, std::uint32_t units) {
  if (m_isWhole.set(object) || isWithDominator(object)) return units;
  return m_isPart[object] ? std::min(units, m_units[object]) : 0;
}

std::uint64_t InsightLedger::claimPart(std::uint32_t object, std::uint32_t units) {
  if (units == 0) return 0;
  if (m_isWhole[object] || isWithDominator(object)) return units;
  const std::uint32_t all = m_contents.graph->units[object];
  const std::atomic_ref<std::uint32_t> claimed(m_units[object]);
  std::uint32_t known = claimed.load(std::memory_order_relaxed);
  std::uint32_t taken = 0;
  do {
    taken = std::min(units, all - std::min(all, known));
  } while (!claimed.compare_exchange_weak(known, known + taken, std::memory_order_relaxed));
  m_isPart.set(object);
  return units - taken;
}

std::uint64_t InsightLedger::claimDominated(std::uint32_t object) {
  const std::uint32_t first = m_contents.retention->tree.numberOf(object);
  if (!first) return claimAll(object, m_contents.graph->units[object]);
  const RetainedSizes& sizes = m_contents.retention->sizes;
  if (m_isAllDominated[first]) return sizes.bytes[first] / kUnitBytes;
  const std::uint32_t end = first + sizes.objects[first];
  const std::uint64_t shared = claimedIn(first, end);
  std::fill(m_isAllDominated.begin() + first, m_isAllDominated.begin() + end, true);
  m_dominatedCount += end - first;
  return shared;
}

/// What was claimed as a whole is passed over in one step, so that nested subtrees are not walked again and again. Who
/// begins within one has to walk on to its end, so that cores share the work only where little was claimed so before.
std::uint64_t InsightLedger::claimedIn(std::uint32_t first, std::uint32_t end) const {
  const DominatorTree& tree = m_contents.retention->tree;
  const RetainedSizes& sizes = m_contents.retention->sizes;
  const auto add = [&](const auto& part, std::uint64_t shared) {
    for (std::uint32_t number = part.begin(); number < part.end();) {
      const bool isAllKnown = m_isAllDominated[number] && sizes.objects[number] <= part.end() - number;
      shared += isAllKnown ? sizes.bytes[number] / kUnitBytes : claimedUnits(tree.vertexOf(number));
      number += isAllKnown ? sizes.objects[number] : 1;
    }
    return shared;
  };
  const tbb::blocked_range<std::uint32_t> all(first, end, kClaimedAtOnce);
  const bool isLittleKnown = m_dominatedCount < (end - first) / 4;
  return isLittleKnown ? tbb::parallel_reduce(all, std::uint64_t{0}, add, std::plus()) : add(all, 0);
}

}  // namespace heapscape::engine
