// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

#include "base/progress.h"
#include "base/result.h"
#include "insight/comparison/comparison.h"

namespace heapscape::engine {

struct ComparisonOptions {
  bool withInsights = true;
  bool withLayouts = true;
};

/// Compares by name and assembly, never by address. A type of .NET itself is matched by its name alone if it has moved
/// to another of .NET's assemblies. Both need the stage Retained with types. `progress` may be null.
Outcome<Comparison> compareSnapshots(const Snapshot& before, const Snapshot& after, const ComparisonOptions& options,
                                     ProgressSink* progress, std::stop_token stop);

}  // namespace heapscape::engine
