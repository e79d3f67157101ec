// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// Finds objects that nobody disposed of: they can be disposed and have a finalizer that was not suppressed, yet
/// nothing holds them any more, or only the queue of the finalizer thread. One insight for each type, and another for
/// those in gen0, which are common garbage and no leak. The bytes are those that disposing would have freed at once:
/// all that only these objects lead to, and that has to wait for their finalizers. An object that another undisposed
/// one leads to is in that one's share, and not counted itself.
class UndisposedFinalizables : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::UndisposedFinalizables}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;

  // In use, of one type: worth a look.
  static constexpr std::size_t kManyLive = 100;
  static constexpr std::size_t kManyLiveOfFramework = 1000;
};

}  // namespace heapscape::engine
