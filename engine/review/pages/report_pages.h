// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "review/board.h"
#include "review/dump_report.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

using ReviewPages = std::vector<ReviewPage>;

/// Input of the parts of a report.
struct ReportInput {
  const Snapshot& snapshot;
  const DumpReportOptions& options;
  ProgressSink* progress;  // of this part alone, 0 to 1
  std::stop_token stop;
};

// Each part appends its pages; insights put what to do before all others, and a crash goes before that. Fails where it
// was cancelled, or where the part as a whole cannot be told.
Outcome<void> addHeapPages(const ReportInput& input, ReviewPages& pages);
Outcome<void> addMemoryPages(const ReportInput& input, ReviewPages& pages);
Outcome<void> addGcPages(const ReportInput& input, ReviewPages& pages);
Outcome<void> addStackPages(const ReportInput& input, ReviewPages& pages);
Outcome<void> addTypePages(const ReportInput& input, ReviewPages& pages);
Outcome<void> addInsightPages(const ReportInput& input, ReviewPages& pages);
Outcome<void> addCrashPages(const ReportInput& input, ReviewPages& pages);
Outcome<void> addLayoutPages(const ReportInput& input, ReviewPages& pages);
Outcome<void> addRetainedPages(const ReportInput& input, ReviewPages& pages);
Outcome<void> addStringPages(const ReportInput& input, ReviewPages& pages);
Outcome<void> addFindingPages(const ReportInput& input, ReviewPages& pages);

}  // namespace heapscape::engine
