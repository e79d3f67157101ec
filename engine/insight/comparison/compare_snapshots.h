// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "insight/comparison/comparison.h"

// Parts of a comparison.
namespace heapscape::engine {

struct ComparisonOptions {
  bool withInsights = true;
  bool withLayouts = true;
};

/// Compares by name and assembly, never by address. A type of .NET itself is matched by its name alone if it has moved
/// to another of .NET's assemblies. Both need the stage Retained with types. `progress` may be null.
Outcome<Comparison> compareSnapshots(const Snapshot& before, const Snapshot& after, const ComparisonOptions& options,
                                     ProgressSink* progress, std::stop_token stop);

/// Tells new types what they may have been, see TypeChange::perhapsWas.
void guessMovedTypes(std::vector<TypeChange>& types);

/// All types of both, what grew most by bytes first.
std::vector<TypeChange> compareTypes(const Snapshot& before, const Snapshot& after);

/// Figures of the heap, segments, handles, threads, modules and the process, in that order; each that either side has.
Outcome<std::vector<FigureChange>> compareFigures(const Snapshot& before, const Snapshot& after, FindingList& findings,
                                                  std::stop_token stop);

/// Types with objects in both dumps that the two runtimes laid out differently, by the bytes of all later objects.
Outcome<std::vector<LayoutChange>> compareTypeLayouts(const Snapshot& before, const Snapshot& after,
                                                      const std::vector<TypeChange>& types, StageProgress& progress,
                                                      std::stop_token stop);

/// Insights of both, what grew most first. Neither list needs any order.
std::vector<InsightChange> compareInsights(const InsightList& before, const InsightList& after);

/// Finds what two dumps cannot be compared by, although each of them can be read: names that only one of them has.
/// Types of such a module are new or gone, whatever became of them.
FindingList findComparisonGaps(const Snapshot& before, const Snapshot& after);

}  // namespace heapscape::engine
