// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// Tells of a finalizer thread that does not keep up: objects wait for it though it has something in hand, and what
/// that is. One insight; the bytes are what nothing but the queue holds.
class FinalizerBehind : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::FinalizerBehind}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;

  static constexpr std::size_t kManyReady = 100;  // a collection leaves some, which are soon done with
  static constexpr std::size_t kSomeReady = 10;   // if the thread waits for a lock
};

}  // namespace heapscape::engine
