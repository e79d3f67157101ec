// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "runtime/gc/gc_figures.h"
#include "session/heap/gc_settings.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Room of one generation of one heap, beside what lies in it.
struct GenerationSpace {
  std::uint64_t committedBytes = 0;  // that the GC has asked for, used or not
  /// How large the generation may become, as it is now and with what is left of its budget, until it is due to be
  /// collected; nothing where the budget was not found.
  std::optional<std::uint64_t> dueBytes = {};
  std::optional<std::uint64_t> budgetBytes = {};
};

/// What the GC has noted of its generations and of its past, as far as the dump tells it.
struct GenerationReport {
  std::vector<GenerationSpace> spaces;     // as Snapshot::generations()
  std::uint64_t largeObjectBytes = 0;      // objects of this size and more are large ones
  bool isLargeObjectSizeSet = false;       // from outside, by GCLOHThreshold
  std::vector<std::uint64_t> collections;  // of gen0, gen1 and gen2, each with those of older ones; empty if not known
  std::vector<RecordedCollection> recorded;  // newest first
  std::optional<CollectionPlan> plan;        // of the last one that was begun
};

/// Needs the stage Objects.
Outcome<GenerationReport> readGenerationReport(const Snapshot& snapshot, std::stop_token stop);

/// From which size on objects are large ones: 85,000 bytes, or more where that was asked for (GCLOHThreshold).
std::uint64_t largeObjectBytes(const GcSettingList& settings);

}  // namespace heapscape::engine
