// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "heap/heap_totals.h"
#include "session/snapshot/snapshot.h"
#include "tables/table.h"

namespace heapscape::engine {

/// A segment or region with what lies in it.
struct ListedSegment {
  Segment segment;
  SegmentContents contents;
  std::optional<RetainedTotals> reach = {};  // nothing while it is not known
};
std::vector<ListedSegment> listSegments(const Snapshot& snapshot);
/// Each has the ranges of its generations.
const TableOf<ListedSegment>& segmentsTable();

/// A generation on a heap; of the sum of all nothing says which.
struct ListedGeneration {
  std::optional<Generation> generation;
  std::optional<std::uint32_t> heap;
  ObjectTotals totals = {};
  std::uint64_t wholeBytes = 0;  // of all that it spans
  std::uint64_t unreadBytes = 0;
  std::optional<RetainedTotals> reach = {};  // nothing while it is not known
};
const TableOf<ListedGeneration>& generationsTable();
/// With the sum of all.
Table listGenerations(const Snapshot& snapshot);

}  // namespace heapscape::engine
