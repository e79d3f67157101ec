// SPDX-License-Identifier: MIT
#pragma once

#include "insight/detectors/detector.h"

namespace heapscape::engine {

/// Tells of generic types that are instantiated over very many value types: each of them has method tables and code of
/// its own. These lie outside the heap, so the insight's bytes are 0 and the figures are among its facts.
class GenericGrowth : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::GenericGrowth}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) const override;

  static constexpr std::uint32_t kManyOfProgram = 20;  // instantiations with code of their own
  static constexpr std::uint32_t kManyOfFramework = 60;
};

}  // namespace heapscape::engine
