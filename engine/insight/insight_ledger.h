// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/large_array.h"
#include "insight/detectors/detector.h"
#include "insight/detectors/inexact_holding.h"

namespace heapscape::engine {

/// Which bytes of the heap insights have claimed so far, so that none is counted twice in a sum.
class InsightLedger {
 public:
  /// What nothing certain holds is claimed from the start: it is never among the bytes that can be won back.
  InsightLedger(const Contents& contents, const InexactHolding& inexact);

  /// Claims what an insight would win back. Bytes of it that were claimed before, which may be more than its own where
  /// it claims a byte twice.
  std::uint64_t claim(const FoundInsight& found);
  /// Bytes of an object that are claimed.
  std::uint64_t claimedOf(std::uint32_t object) const;
  /// Claims all of it.
  void claimWhole(std::uint32_t object);

 private:
  std::uint64_t claimObject(std::uint32_t object, std::uint32_t units);
  std::uint64_t claimDominated(std::uint32_t object);

  const Contents& m_contents;
  LargeArray<std::uint32_t> m_claimed;  // units of 8 bytes, by ObjectId
  LargeArray<std::uint32_t> m_ends;     // by number in the dominator tree: the end of what is claimed as a whole there
};

}  // namespace heapscape::engine
