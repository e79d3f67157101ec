// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// Finds async methods that never end: every path from a root to what one waits for leads through the waiting method
/// itself, so that there is no thread, timer, handle or object left that could complete it. One insight for each
/// method; the bytes are what it and the methods that wait for it hold alone. Where very many calls of a method wait
/// for something that may still come, that is told, too.
class PendingAsync : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::PendingAsync}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;

  static constexpr std::size_t kManyWaiting = 1000;  // calls of one method that may still go on
};

}  // namespace heapscape::engine
