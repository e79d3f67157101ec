// SPDX-License-Identifier: MIT
#include "insight/insight_ledger.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <atomic>
#include <functional>

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kUnitBytes = 8;
constexpr std::size_t kClaimedAtOnce = 4096;
constexpr std::size_t kClearedAtOnce = 1 << 20;

}  // namespace

InsightLedger::InsightLedger(const Contents& contents, const InexactHolding& inexact)
    : m_contents(contents),
      m_inexact(inexact),
      m_claimed(contents.retention->tree.reachedCount() + std::size_t{1}),
      m_isWhole(contents.retention->tree.reachedCount() + std::size_t{1}) {
  for (const std::uint32_t object : inexact.objects()) claimWhole(object);
}

void InsightLedger::clear() {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, m_claimed.size(), kClearedAtOnce), [&](const auto& part) {
    std::fill(m_claimed.data() + part.begin(), m_claimed.data() + part.end(), 0);
  });
  m_claimedOfUnheld.clear();
  m_isWhole.assign(m_isWhole.size(), false);
  for (const std::uint32_t object : m_inexact.objects()) claimWhole(object);
}

std::uint64_t InsightLedger::claim(const FoundInsight& found, const Insight& insight) {
  std::uint64_t shared = claimMany(found.claims.size(), [&](std::size_t i) { return found.claims[i]; });
  if (const auto& copies = found.copies) {
    shared += claimMany(insight.ids.size(), [&](std::size_t i) {
      return Claim{insight.ids[i], insight.ids[i] == copies->staying ? 0 : copies->units};
    });
  }
  for (const std::uint32_t object : found.dominating) shared += claimDominated(object);
  return shared;
}

/// On all cores where there are many. Of an object that is claimed several times the sum is the same in any order.
template <class ClaimAt>
std::uint64_t InsightLedger::claimMany(std::size_t count, ClaimAt claimAt) {
  const DominatorTree& tree = m_contents.retention->tree;
  const LargeArray<std::uint32_t>& units = m_contents.graph->units;
  std::atomic<bool> areSomeUnheld = false;
  const auto claimHeld = [&](const auto& part, std::uint64_t shared) {
    for (std::size_t i = part.begin(); i < part.end(); ++i) {
      const Claim claim = claimAt(i);
      const std::uint32_t number = tree.numberOf(claim.object);
      if (!number) {
        areSomeUnheld.store(true, std::memory_order_relaxed);
        continue;
      }
      std::uint32_t taken = 0;
      if (!m_isWhole[number]) {
        const std::atomic_ref<std::uint32_t> claimed(m_claimed[number]);
        std::uint32_t known = claimed.load(std::memory_order_relaxed);
        do {
          taken = std::min(claim.units, units[claim.object] - std::min(units[claim.object], known));
        } while (!claimed.compare_exchange_weak(known, known + taken, std::memory_order_relaxed));
      }
      shared += (claim.units - taken) * kUnitBytes;
    }
    return shared;
  };
  const tbb::blocked_range<std::size_t> all(0, count, kClaimedAtOnce);
  std::uint64_t shared = tbb::parallel_reduce(all, std::uint64_t{0}, claimHeld, std::plus());
  if (!areSomeUnheld) return shared;
  for (std::size_t i = 0; i < count; ++i) {
    const Claim claim = claimAt(i);
    if (!tree.numberOf(claim.object)) shared += claimObject(claim.object, claim.units);
  }
  return shared;
}

bool InsightLedger::isWhole(std::uint32_t object) const {
  return m_isWhole[m_contents.retention->tree.numberOf(object)];
}

std::uint32_t& InsightLedger::claimedUnits(std::uint32_t object) {
  const std::uint32_t number = m_contents.retention->tree.numberOf(object);
  return number ? m_claimed[number] : m_claimedOfUnheld[object];
}

std::uint64_t InsightLedger::claimedOf(std::uint32_t object) const {
  if (isWhole(object)) return m_contents.graph->bytesOf(object);
  const std::uint32_t number = m_contents.retention->tree.numberOf(object);
  if (number) return std::uint64_t{m_claimed[number]} * kUnitBytes;
  const auto unheld = m_claimedOfUnheld.find(object);
  return unheld == m_claimedOfUnheld.end() ? 0 : std::uint64_t{unheld->second} * kUnitBytes;
}

void InsightLedger::claimWhole(std::uint32_t object) {
  if (!isWhole(object)) claimedUnits(object) = m_contents.graph->units[object];
}

std::uint64_t InsightLedger::claimObject(std::uint32_t object, std::uint32_t units) {
  if (isWhole(object)) return units * kUnitBytes;
  std::uint32_t& claimed = claimedUnits(object);
  const std::uint32_t all = m_contents.graph->units[object];
  const std::uint32_t taken = std::min(units, all - std::min(all, claimed));
  claimed += taken;
  return (units - taken) * kUnitBytes;
}

// What was claimed as a whole is passed over in one step, so that nested subtrees are not walked again and again.
std::uint64_t InsightLedger::claimDominated(std::uint32_t object) {
  const Retention& retention = *m_contents.retention;
  const std::uint32_t first = retention.tree.numberOf(object);
  if (!first) return claimObject(object, m_contents.graph->units[object]);
  const std::uint64_t bytes = retention.sizes.bytes[first];
  if (m_isWhole[first]) return bytes;
  std::uint64_t shared = 0;
  const std::uint32_t end = first + retention.sizes.objects[first];
  for (std::uint32_t number = first; number < end;) {
    shared += m_isWhole[number] ? retention.sizes.bytes[number] : m_claimed[number] * kUnitBytes;
    number += m_isWhole[number] ? retention.sizes.objects[number] : 1;
  }
  std::fill(m_isWhole.begin() + first, m_isWhole.begin() + end, true);
  return shared;
}

}  // namespace heapscape::engine
