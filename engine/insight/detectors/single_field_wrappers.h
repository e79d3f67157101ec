// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// SingleFieldWrappers, an insight for each class around one field whose objects lie in one field each: the field could
/// lie there itself.
class SingleFieldWrappers : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::SingleFieldWrappers}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;
};

}  // namespace heapscape::engine
