// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// Finds free space that cannot be given back because of what lies behind it. One insight for each generation of each
/// heap, and where pinned objects are the reason, for each type of these. Counted are gaps of kSmallestGap bytes and
/// more in segments of which such gaps take more than a fifth; what is free behind the last object is none. Between
/// small objects that nothing pins, the GC leaves gaps on purpose: they are told of from kMuchUnpinned bytes on.
class Fragmentation : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::Fragmentation}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;

  static constexpr std::uint64_t kSmallestGap = 1024;
  static constexpr std::uint64_t kShareOfSegment = 5;  // a fifth
  static constexpr std::uint64_t kMuchUnpinned = 1 << 20;
};

}  // namespace heapscape::engine
