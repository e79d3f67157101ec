// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/enum_names.h"
#include "base/finding.h"
#include "base/result.h"
#include "runtime/gc/gc_figures.h"
#include "runtime/gc/gc_history.h"
#include "session/heap/gc_settings.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Objects of one type that stand behind gaps and keep each from growing into the next.
struct GapNeighbour {
  std::string typeName;
  Address methodTable;
  std::uint64_t gaps = 0;         // that an object of the type ends
  std::uint64_t gapBytes = 0;     // in them
  std::uint64_t objectBytes = 0;  // of the objects that stand there
  std::uint64_t pinned = 0;       // of these objects
  Address example;                // behind the largest of the gaps
};

/// Free space between the objects of one generation of one heap.
struct GenerationGaps {
  Generation generation = Generation::Gen0;
  std::uint32_t heap = 0;
  std::uint64_t bytes = 0;  // objects and gaps
  std::uint64_t freeBytes = 0;
  std::uint64_t gaps = 0;
  std::uint64_t largestGapBytes = 0;
  std::vector<GapNeighbour> neighbours;  // most free bytes first
};

/// Gaps of all sizes, by heap and generation. A gap at the end of a segment has no neighbour. Needs the stage Objects.
Outcome<std::vector<GenerationGaps>> findGaps(const Snapshot& snapshot, const std::unordered_set<Address>& pinned,
                                              std::stop_token stop);

/// Whether a collection was on its way, and how far.
enum class CollectionPhase : std::uint8_t {
  None,
  Blocking,    // begun; objects do not move yet, or no more
  Moving,      // moves or sweeps objects
  Background,  // marks or sweeps beside the program
};

template <>
inline constexpr auto kEnumNames<CollectionPhase> =
    std::to_array<EnumName<CollectionPhase>>({{CollectionPhase::None, "none"},
                                              {CollectionPhase::Blocking, "blocking"},
                                              {CollectionPhase::Moving, "moving"},
                                              {CollectionPhase::Background, "background"}});

/// How much of a part of the heap was read as objects that hold up.
struct Coverage {
  std::uint64_t bytes = 0;
  std::uint64_t unreadBytes = 0;
  /// 100 if all was read; what is not whole never says so.
  double percent() const;
};

/// Coverage of the segments of one kind.
struct SegmentCoverage : Coverage {
  SegmentKind kind = SegmentKind::Gen0;
};

/// Coverage of one generation, of all heaps; an ephemeral segment has several.
struct GenerationCoverage : Coverage {
  Generation generation = Generation::Gen0;
};

/// Objects of one type that one holder pins.
struct PinGroup {
  std::string kind;    // "pinned handle", "async pinned handle", "stack"
  std::string holder;  // type of the object that keeps the handle, or the method that pins; empty if not known
  std::string typeName;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  Address example;
};

/// Objects whose finalizer is due, by type.
struct FinalizerBacklog {
  struct Type {
    std::string typeName;
    std::uint64_t objects = 0;
    std::uint64_t bytes = 0;
  };
  std::uint64_t ready = 0;
  std::uint64_t readyBytes = 0;
  std::uint64_t registered = 0;  // whose finalizer is not due yet
  std::vector<Type> types;       // of those that are due, most objects first
};

/// Report on the GC: settings, history, generations, pins.
struct GcReport {
  bool isServer = false;
  bool hasRegions = false;
  bool hasHeap = true;  // else nothing is known of what lies in it: coverage, gaps, pins and finalizers stay empty
  std::string library;  // of a stand-alone GC, "libclrgc.so"; empty for the runtime's own
  GcHeaps heaps;
  GcSettingList settings;
  GcHistory history;
  GcFigures figures;

  CollectionPhase phase = CollectionPhase::None;
  std::string phaseText;  // a sentence
  std::string trustText;  // what can be relied on meanwhile, and what not; empty if all can
  BackgroundCollections background = BackgroundCollections::Unknown;
  std::vector<SegmentCoverage> coverage;
  std::vector<GenerationCoverage> coverageByGeneration;

  std::vector<GenerationGaps> gaps;
  std::vector<PinGroup> pins;       // most bytes first
  std::uint64_t pinnedObjects = 0;  // each once
  FinalizerBacklog finalizers;
  FindingList findings;

  /// Collections of gen0, gen1 and gen2, each with those of older ones; empty if not known.
  std::vector<std::uint64_t> collectionCounts() const;
  /// Returns the budget of one generation of one heap; null if not known.
  const GenerationBudget* budgetOf(std::uint32_t heap, Generation generation) const;
};

/// Needs the stage Objects.
Outcome<GcReport> readGcReport(const Snapshot& snapshot, std::stop_token stop);

/// "heap 2: an allocation of 1.00 MB failed after collection 17: memory could not be committed". As SOS's analyzeoom.
std::string describe(const OutOfMemoryRecord& record);

}  // namespace heapscape::engine
