// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/gc/gc_state.h"

namespace heapscape::engine {

/// Figures of one generation of one heap by which the GC decides when to collect it (dynamic_data, gcpriv.h).
struct GenerationBudget {
  std::uint32_t heap = 0;
  std::uint32_t generation = 0;      // 0, 1, 2, 3 large, 4 pinned
  std::uint64_t budgetBytes = 0;     // that may be allocated in it until it is collected
  std::int64_t budgetLeftBytes = 0;  // of these; negative if it was exceeded
  float survival = 0;                // share that survived its last collection
  std::uint64_t survivedBytes = 0;
  std::uint64_t pinnedSurvivedBytes = 0;
  std::uint64_t promotedBytes = 0;
  std::uint64_t sizeBytes = 0;            // without fragmentation, after its last collection
  std::uint64_t fragmentationBytes = 0;   // the same
  std::uint64_t collectionCount = 0;      // as GC.CollectionCount of gen0 to gen2 has it
  std::uint64_t gcClock = 0;              // number of the last collection that took it
  std::uint64_t smallestBudgetBytes = 0;  // 0 where that is not in the dump
};

struct RecordedGeneration {
  std::uint64_t sizeBefore = 0, fragmentationBefore = 0, sizeAfter = 0, fragmentationAfter = 0;
};

/// A collection as GC.GetGCMemoryInfo reports it (last_recorded_gc_info, gcpriv.h).
struct RecordedCollection {
  std::uint64_t index = 0;
  std::uint32_t generation = 0;
  bool isCompacting = false;
  bool isBackground = false;
  std::uint64_t committedBytes = 0;
  std::uint64_t promotedBytes = 0;
  std::uint64_t pinnedObjects = 0;
  std::uint64_t finalizationPending = 0;
  std::array<std::uint64_t, 2> pauseMicroseconds{};
  float pausePercent = 0;
  std::uint64_t heapSizeBytes = 0;
  std::uint64_t fragmentedBytes = 0;
  std::uint32_t memoryLoadPercent = 0;
  std::vector<RecordedGeneration> generations;  // 0, 1, 2, large, pinned
};

/// How the GC set out on the collection that it began last (gc_mechanisms, gcpriv.h).
struct CollectionPlan {
  std::uint64_t index = 0;
  std::uint32_t generation = 0;
  std::uint32_t reason = 0;     // gc_reason
  std::uint32_t pauseMode = 0;  // gc_pause_mode; as GCSettings.LatencyMode has it
  bool isPromoting = false, isCompacting = false, isCompactingLarge = false, isBackground = false, isDemoting = false;

  bool operator==(const CollectionPlan&) const = default;
};
/// "allocation of small objects", "induced" …; "unknown" for a number that no runtime had.
const char* collectionReason(std::uint32_t reason);
/// "batch", "interactive", "lowLatency", "sustainedLowLatency", "noGcRegion"; "unknown" else.
const char* pauseMode(std::uint32_t mode);

/// Memory that the GC reckons with.
struct GcMemoryLimits {
  std::uint64_t totalPhysicalBytes = 0;   // of the machine, or what a container allows
  bool isRestricted = false;              // by a container
  std::uint64_t hardLimitBytes = 0;       // of the heap; 0 for none
  std::uint32_t highLoadPercent = 0;      // from where on it collects more eagerly
  std::uint32_t veryHighLoadPercent = 0;  // from where on it compacts whatever it costs
};

/// Figures that the GC keeps to itself. Nothing says where they lie, so they are looked for in the data of the library
/// and taken only where they prove themselves; what is found twice, or not at all, is not known. On .NET 8.0.29, 9.0.18
/// and 10.0.12 they are what the program said of itself.
struct GcFigures {
  /// By heap, then generation. Five neighbours that refer to five neighbours in the GC's table of tuning data; of a
  /// server GC at one and the same place in each heap. Empty if not known.
  std::vector<GenerationBudget> budgets;
  /// Newest first. Sizes and fragmentation of the generations add up to those of the heap, and the index is no higher
  /// than that of the last collection; whole pages are committed. Needs budgets.
  std::vector<RecordedCollection> recorded;
  /// The index is that of the last collection or of one that begins, all that is yes or no is 0 or 1, and it agrees
  /// with the record of that collection, if it is done. Needs budgets.
  std::optional<CollectionPlan> plan;
  /// The thresholds follow from each other, and a hundredth of the memory lies beside it.
  std::optional<GcMemoryLimits> limits;
};

GcFigures findGcFigures(const ClrRuntime& runtime, const GcState& state);

}  // namespace heapscape::engine
