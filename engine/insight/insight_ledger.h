// SPDX-License-Identifier: MIT
#pragma once

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/large_array.h"
#include "graph/object_bits.h"
#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// Objects that nothing certain holds: only words of stacks lead to them, which stand in where a frame's references are
/// not known and may be no references.
class InexactHolding {
 public:
  explicit InexactHolding(const Contents& contents);

  /// All of them, ascending ObjectIds.
  const std::vector<std::uint32_t>& objects() const { return m_objects; }
  bool isOnlyInexact(std::uint32_t object) const { return std::ranges::binary_search(m_objects, object); }
  /// Whether all that an insight is about is held so.
  bool isOnlyInexact(const FoundInsight& found) const;

 private:
  std::vector<std::uint32_t> m_objects;
};

/// Which bytes of the heap insights have claimed so far, so that none is counted twice in a sum. Most claims are of
/// whole objects, which take a bit each, so that the memory of them all lies in the processor's caches.
class InsightLedger {
 public:
  /// Claims from the start what nothing certain holds: it is never among the bytes that can be won back.
  InsightLedger(const Contents& contents, const InexactHolding& inexact);

  /// Forgets all claims but those from the start.
  void clear();
  /// Claims what an insight would win back. Bytes of it that were claimed before, which may be more than its own where
  /// it claims a byte twice. `insight`: found.insight, which may have been moved elsewhere.
  std::uint64_t claim(const FoundInsight& found, const Insight& insight);
  /// Claims those of several in their order; calls shared(i, bytes) for each. Copies have no object in common, so that
  /// those in a row are claimed on all cores.
  template <class ClaimedAt, class Shared>
  void claimInOrder(std::size_t count, const ClaimedAt& claimedAt, const Shared& shared) {
    for (std::size_t i = 0, end = 0; i < count; i = end) {
      while (end < count && claimedAt(end).first->isOfCopies()) ++end;
      tbb::parallel_for(i, end, [&](std::size_t k) { shared(k, claim(*claimedAt(k).first, *claimedAt(k).second)); });
      if (end > i) continue;
      shared(i, claim(*claimedAt(i).first, *claimedAt(i).second));
      ++end;
    }
  }
  /// Bytes of an object that are claimed.
  std::uint64_t claimedOf(std::uint32_t object) const { return claimedUnits(object) * kUnitBytes; }
  /// Claims all of it.
  void claimWhole(std::uint32_t object) { m_isWhole.set(object); }

 private:
  static constexpr std::uint64_t kUnitBytes = 8;

  bool isWithDominator(std::uint32_t object) const;
  std::uint64_t claimedUnits(std::uint32_t object) const;
  /// Each claims that much of an object, from any thread, and gives how much of it was claimed before. Where some claim
  /// all of an object and some a part of it, those of all come first.
  std::uint64_t claimAll(std::uint32_t object, std::uint32_t units);
  std::uint64_t claimPart(std::uint32_t object, std::uint32_t units);

  std::uint64_t claimCopies(const FoundInsight::Copies& copies, const std::vector<std::uint32_t>& objects);
  std::uint64_t claimEach(const std::vector<Claim>& claims);
  std::uint64_t claimDominated(std::uint32_t object);
  std::uint64_t claimedIn(std::uint32_t first, std::uint32_t end) const;
  template <class ClaimAt>
  static std::uint64_t addUp(std::size_t count, ClaimAt claimAt);

  const Contents& m_contents;
  const InexactHolding& m_inexact;
  ObjectBits m_isWhole;                // all of it is claimed
  ObjectBits m_isPart;                 // a part is
  LargeArray<std::uint32_t> m_units;   // by ObjectId: how large that part is
  std::vector<bool> m_isAllDominated;  // by number in the dominator tree: claimed with what it is dominated by
  std::uint64_t m_dominatedCount = 0;  // how many of them are, those claimed several times as often
};

}  // namespace heapscape::engine
