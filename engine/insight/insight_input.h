// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "graph/reference_counts.h"
#include "heap/object_types.h"
#include "insight/collections/collection_survey.h"
#include "insight/ownership.h"
#include "session/snapshot/contents.h"
#include "values/type_shapes.h"

namespace heapscape::engine {

/// Input of all detectors, made once.
class InsightInput {
 public:
  /// Needs the stage Retained.
  static Outcome<std::unique_ptr<InsightInput>> make(const Snapshot& snapshot, std::uint64_t minimumBytes,
                                                     StageProgress& progress, std::stop_token stop);
  InsightInput(const InsightInput&) = delete;
  InsightInput& operator=(const InsightInput&) = delete;

  const Snapshot snapshot;
  const Contents& contents;
  const std::uint64_t minimumBytes;  // insights below are only counted
  const std::shared_ptr<const ObjectTypes> keptTypes;
  const ObjectTypes& objectTypes;  // TypeId by ObjectId; none of those that cannot be read any more
  const Ownership ownership;
  const TypeShapes shapes;     // for all detectors, so that each type is read once
  ReferenceCounts references;  // that lead to each object
  CollectionSurvey collections;

  /// All reachable objects of these types, ascending by ObjectId: one pass over objectTypes, on all cores.
  std::vector<std::uint32_t> objectsOf(std::span<const TypeId> types) const;
  std::uint64_t bytesOf(std::uint32_t object) const { return contents.graph->bytesOf(object); }
  Address addressOf(std::uint32_t object) const { return contents.heap->index.addressOf({object}); }
  const TypeRow& row(TypeId type) const { return (*contents.types)[type.value]; }
  /// Whether an object is reachable; others wait to be collected and are no waste. Frozen objects, as literals are,
  /// live as long as the program, whoever refers to them.
  bool isReachable(std::uint32_t object) const { return !contents.retention->isGarbage(object); }
  bool isFrozen(std::uint32_t object) const { return isIn(contents.retention->frozen, object); }
  /// Whether nothing else on the heap refers to an object, and no static or handle.
  bool isHeldOnlyBy(std::uint32_t object, std::uint32_t holder) const {
    return references.of(object) == 1 && !ownership.isRooted(object) && isReferrer(holder, object);
  }
  /// Whether so many references lead to an object, and no more.
  bool isReferredBy(std::uint32_t object, std::uint64_t count) const {
    const std::uint32_t all = references.of(object);
    if (all < ReferenceCounts::kMany || count < ReferenceCounts::kMany) return all == count;
    return countReferencesTo(contents.graph->edges(), object) == count;
  }
  /// The object that alone refers to another one, if a single reference leads there and it follows from who dominates
  /// it. Nothing for what words of stacks lead to as well, and for what cannot be reached.
  std::optional<std::uint32_t> onlyReferrer(std::uint32_t object) const;

 private:
  InsightInput(const Snapshot& of, std::uint64_t minimum);

  /// Whether `holder` refers to an object that a single reference leads to.
  bool isReferrer(std::uint32_t holder, std::uint32_t object) const;
};

/// Share of the progress of findInsights() that making the input is, from measurements.
inline constexpr double kInsightInputShare = 0.16;

/// Does what findInsights() of a snapshot does, where the input serves something else as well. Its progress begins
/// behind the input's share.
Outcome<InsightList> findInsights(const InsightInput& input, const InsightOptions& options, ProgressSink* progress,
                                  std::stop_token stop);

}  // namespace heapscape::engine
