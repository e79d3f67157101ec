// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "base/finding.h"
#include "base/ids.h"
#include "base/progress.h"
#include "base/result.h"
#include "heap/allocation_gaps.h"
#include "heap/heap_totals.h"
#include "heap/object_index.h"
#include "heap/segment.h"
#include "heap/type_index.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// Objects, gaps among them, are numbered with 32 bits: fails with Damaged for more than these tell apart, rather than
/// to number them from 0 again.
inline Result<void> checkObjectLimit(std::uint64_t objects) {
  if (objects < ObjectId::kNone) return {};
  return failure(
      ErrorCode::Damaged,
      fmt::format("The heap has {} objects, more than the {} that are supported.", objects, ObjectId::kNone - 1),
      "What is known without objects is there: info, segments, modules, threads.");
}

/// Everything one pass over the heap finds.
struct WalkedHeap {
  ObjectIndex index;
  TypeIndex types;                         // only those with objects, by address of the method table
  TypeCounts counts;                       // by TypeId
  TypeId freeType;                         // none if there is no free object
  std::vector<SegmentContents> segments;   // by SegmentId
  std::vector<GenerationRow> generations;  // by heap, then generation
  FindingList findings;
};

/// Where the pages of the heap are when the walk begins.
enum class HeapPages {
  InMemory,
  OnDisk,  // of a heap that memory cannot hold as a whole: each part is asked for just before it is walked
};

/// Walks all segments on all cores, several at once on each. Damage is a finding; the walk goes on behind it.
Outcome<WalkedHeap> walkHeap(const MethodTables& methodTables, const std::vector<Segment>& segments,
                             const std::vector<AllocationGap>& gaps, HeapPages pages, StageProgress& progress,
                             std::stop_token stop);

}  // namespace heapscape::engine
