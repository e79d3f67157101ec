// SPDX-License-Identifier: MIT
#pragma once

#include "cli/context.h"
#include "insight/comparison/compare_snapshots.h"

namespace heapscape::cli {

/// Two dumps that are open, and what differs between them.
struct ComparedDumps {
  engine::Snapshot before;
  engine::Snapshot after;
  engine::Comparison comparison;
  std::vector<engine::StageTiming> timings;  // of opening the first dump and of comparing

  /// What an answer says of both inputs together.
  engine::InputFacts facts() const;
};

engine::Outcome<ComparedDumps> compareDumps(Context& context, const std::string& before, const std::string& after,
                                            const engine::ComparisonOptions& options);

}  // namespace heapscape::cli
