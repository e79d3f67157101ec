// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "base/progress.h"
#include "base/result.h"
#include "graph/reverse_references.h"
#include "insight/collections/collection_survey.h"
#include "insight/ownership.h"
#include "session/door/contents.h"

namespace heapscape::engine {

/// What all detectors work with, made once.
class InsightInput {
 public:
  /// Needs the stage Retained.
  static Outcome<std::unique_ptr<InsightInput>> make(const Snapshot& snapshot, std::uint64_t minimumBytes,
                                                     StageProgress& progress, std::stop_token stop);
  InsightInput(const InsightInput&) = delete;
  InsightInput& operator=(const InsightInput&) = delete;

  const Snapshot snapshot;
  const Contents& contents;
  const std::uint64_t minimumBytes;             // insights below are only counted
  const LargeArray<std::uint32_t> objectTypes;  // TypeId by ObjectId; none of those that cannot be read any more
  const Ownership ownership;
  std::shared_ptr<const ReverseReferences> reverse;
  CollectionSurvey collections;

  /// All reachable objects of these types, ascending by ObjectId: one pass over objectTypes.
  std::vector<std::uint32_t> objectsOf(std::span<const TypeId> types) const;
  std::uint64_t bytesOf(std::uint32_t object) const { return contents.graph->bytesOf(object); }
  Address addressOf(std::uint32_t object) const { return contents.heap->index.addressOf({object}); }
  const TypeRow& row(TypeId type) const { return (*contents.types)[type.value]; }
  /// What cannot be reached waits to be collected: it is no waste of the program's. Frozen objects, as literals are,
  /// live as long as the program, whoever refers to them.
  bool isReachable(std::uint32_t object) const {
    return contents.retention->tree.numberOf(object) != 0 || isFrozen(object);
  }
  bool isFrozen(std::uint32_t object) const {
    return std::ranges::any_of(m_frozen,
                               [&](const auto& part) { return object >= part.first && object < part.second; });
  }
  /// Whether nothing else on the heap refers to an object, and no static or handle.
  bool isHeldOnlyBy(std::uint32_t object, std::uint32_t holder) const {
    const auto holders = reverse->of(object);
    return holders.size() == 1 && holders.front() == holder && !ownership.isRooted(object);
  }

 private:
  InsightInput(const Snapshot& of, std::uint64_t minimum);

  std::vector<std::pair<std::uint32_t, std::uint32_t>> m_frozen;  // ObjectIds [first, last) of frozen segments
};

/// Of the progress of findInsights(), from measurements: so much is making the input.
inline constexpr double kInsightInputShare = 0.16;

/// The same as findInsights() of a snapshot, where the input serves something else as well. Its progress begins behind
/// the input's share.
Outcome<InsightList> findInsights(const InsightInput& input, const InsightOptions& options, ProgressSink* progress,
                                  std::stop_token stop);

}  // namespace heapscape::engine
