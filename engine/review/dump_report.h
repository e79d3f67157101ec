// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "review/board.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

struct DumpReportOptions {
  std::string title = {};   // empty for the dump's name
  std::size_t rows = 50;    // of each table, the largest
  std::size_t layouts = 4;  // pictures of the types whose layout costs most
  bool isRedacted = false;  // leaves out strings and values while they are gathered, not only afterwards
};

/// Everything about a dump that a review begins with, as pages: how big and how old its heap is, whose the process's
/// memory is, the largest types, insights, layouts that waste, the largest objects and why they are alive, equal
/// strings, and what was not whole. Needs the stage Retained, unless the dump has no heap: then the pages that need
/// none, and one that says so. A part that cannot be told says why on its page.
Outcome<ReviewBoard> reportOf(const Snapshot& snapshot, const DumpReportOptions& options, ProgressSink* progress,
                              std::stop_token stop);

/// ".NET 10.0.12, workstation, 24,052 objects, 1.43 MB": for ReviewBoard::summary.
std::string summaryLine(const Snapshot& snapshot);

}  // namespace heapscape::engine
