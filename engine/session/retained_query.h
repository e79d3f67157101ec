// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "base/finding.h"
#include "base/progress.h"
#include "base/result.h"
#include "session/snapshot.h"

namespace heapscape::engine {

/// An object and what would be freed with it.
struct RetainedRow {
  Address object;
  TypeId type;
  std::uint64_t bytes = 0;          // aligned
  std::uint64_t retainedBytes = 0;  // itself and all that it dominates
  std::uint64_t retainedCount = 0;
  Address dominator;  // 0 if only the roots together hold the object
};

/// A type and what would be freed with all its reachable instances. One that another one dominates is not added twice.
struct RetainedTypeRow {
  TypeId type;
  std::uint64_t instances = 0;  // reachable
  std::uint64_t bytes = 0;      // of these
  std::uint64_t retainedBytes = 0;
};

struct RetainedTotals {
  std::uint64_t reachableObjects = 0, reachableBytes = 0;
  std::uint64_t unreachableObjects = 0, unreachableBytes = 0;  // free objects are in neither
};

struct RetainedList {
  std::vector<RetainedRow> objects;    // the largest by retained bytes, then by address
  std::vector<RetainedTypeRow> types;  // all that are reachable, the largest by retained bytes first
  RetainedTotals totals;
  FindingList findings;  // references that lead to no object
};

struct RetainedOptions {
  std::size_t objects = 1000;  // how many of the largest to list
  bool byType = false;         // whether to add up types too
};

/// Exact retained sizes by dominators, seen from these objects as the only roots. Addresses of no object are passed
/// over.
Outcome<RetainedList> retainedSizes(const Snapshot& snapshot, const std::vector<Address>& roots,
                                    const RetainedOptions& options, ProgressSink* progress, std::stop_token stop);

}  // namespace heapscape::engine
