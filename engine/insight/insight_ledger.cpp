// SPDX-License-Identifier: MIT
#include "insight/insight_ledger.h"

#include <algorithm>

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kUnitBytes = 8;

}  // namespace

InsightLedger::InsightLedger(const Contents& contents, const InexactHolding& inexact)
    : m_contents(contents),
      m_claimed(contents.graph->objectCount()),
      m_ends(contents.retention->tree.reachedCount() + std::size_t{1}) {
  if (!inexact.isNeeded()) return;
  for (std::uint32_t object = 0; object < contents.graph->objectCount(); ++object) {
    if (inexact.isOnlyInexact(object)) m_claimed[object] = contents.graph->units[object];
  }
}

std::uint64_t InsightLedger::claim(const FoundInsight& found) {
  std::uint64_t shared = 0;
  for (const Claim& claim : found.claims) shared += claimObject(claim.object, claim.units);
  for (const std::uint32_t object : found.dominating) shared += claimDominated(object);
  return shared;
}

std::uint64_t InsightLedger::claimedOf(std::uint32_t object) const {
  return std::uint64_t{m_claimed[object]} * kUnitBytes;
}

void InsightLedger::claimWhole(std::uint32_t object) {
  m_claimed[object] = m_contents.graph->units[object];
}

std::uint64_t InsightLedger::claimObject(std::uint32_t object, std::uint32_t units) {
  std::uint32_t& claimed = m_claimed[object];
  const std::uint32_t free = m_contents.graph->units[object] - std::min(m_contents.graph->units[object], claimed);
  const std::uint32_t taken = std::min(units, free);
  claimed += taken;
  return (units - taken) * kUnitBytes;
}

// What was claimed as a whole is passed over in one step, so that nested subtrees are not walked again and again.
std::uint64_t InsightLedger::claimDominated(std::uint32_t object) {
  const Retention& retention = *m_contents.retention;
  const std::uint32_t first = retention.tree.numberOf(object);
  if (!first) return claimObject(object, m_contents.graph->units[object]);
  const std::uint64_t bytes = retention.sizes.bytes[first];
  if (m_ends[first]) return bytes;
  std::uint64_t taken = 0;
  const std::uint32_t end = first + retention.sizes.objects[first];
  for (std::uint32_t number = first; number < end;) {
    if (m_ends[number]) {
      number = m_ends[number];
      continue;
    }
    const std::uint32_t vertex = retention.tree.vertexOf(number);
    if (retention.tree.isObject(vertex)) {
      const std::uint32_t units = m_contents.graph->units[vertex];
      taken += units - std::min(units, m_claimed[vertex]);
      m_claimed[vertex] = units;
    }
    m_ends[number] = number + 1;
    ++number;
  }
  m_ends[first] = end;
  return bytes - std::min(bytes, taken * kUnitBytes);
}

}  // namespace heapscape::engine
