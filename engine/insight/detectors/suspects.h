// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// Names what holds much of the heap, as leak suspects of heap analysers do: from the top of the dominator tree down,
/// an object that retains more than a tenth of all that can be reached, and at least a megabyte, and the accumulation
/// point below it, where no single object holds most of it any more; and many objects of one type that only together
/// hold so much.
class Suspects : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::Suspect}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;

  static constexpr double kMuch = 0.1;  // of all bytes that can be reached
  static constexpr std::uint64_t kMuchBytes = 1 << 20;
  static constexpr double kMost = 0.8;  // of what its dominator retains: the way goes on through it
};

}  // namespace heapscape::engine
