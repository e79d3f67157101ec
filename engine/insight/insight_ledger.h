// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/large_array.h"
#include "insight/detectors/detector.h"
#include "insight/detectors/inexact_holding.h"

namespace heapscape::engine {

/// Which bytes of the heap insights have claimed so far, so that none is counted twice in a sum.
class InsightLedger {
 public:
  /// What nothing certain holds is claimed from the start: it is never among the bytes that can be won back.
  InsightLedger(const Contents& contents, const InexactHolding& inexact);

  /// Forgets all claims but those from the start.
  void clear();
  /// Claims what an insight would win back. Bytes of it that were claimed before, which may be more than its own where
  /// it claims a byte twice. `insight`: found.insight, which may have been moved elsewhere.
  std::uint64_t claim(const FoundInsight& found, const Insight& insight);
  /// Bytes of an object that are claimed.
  std::uint64_t claimedOf(std::uint32_t object) const;
  /// Claims all of it.
  void claimWhole(std::uint32_t object);

 private:
  /// Of an object, unless it is claimed with its dominator.
  std::uint32_t& claimedUnits(std::uint32_t object);
  bool isWhole(std::uint32_t object) const;
  std::uint64_t claimObject(std::uint32_t object, std::uint32_t units);
  std::uint64_t claimDominated(std::uint32_t object);
  template <class ClaimAt>
  std::uint64_t claimMany(std::size_t count, ClaimAt claimAt);

  const Contents& m_contents;
  const InexactHolding& m_inexact;
  // Units of 8 bytes. By number in the dominator tree, so that what an object retains lies in a row.
  LargeArray<std::uint32_t> m_claimed;
  std::unordered_map<std::uint32_t, std::uint32_t> m_claimedOfUnheld;  // by ObjectId: what has no number
  std::vector<bool> m_isWhole;  // by number: claimed with what it is dominated by
};

}  // namespace heapscape::engine
