// SPDX-License-Identifier: MIT
#pragma once

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <cstdint>
#include <optional>
#include <stop_token>

#include "heap/segment.h"
#include "heap/segment_objects.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// A part of the heap: everything that fits all members given.
struct HeapScope {
  std::optional<std::uint32_t> heap;
  std::optional<Generation> generation;
  std::uint64_t minimumBytes = 0;           // exact size of the object
  std::uint64_t maximumBytes = UINT64_MAX;  // inclusive

  bool isWhole() const { return !heap && !generation && minimumBytes == 0 && maximumBytes == UINT64_MAX; }
  bool operator==(const HeapScope&) const = default;
};

/// Visits every object of a part of the heap on all cores: visit(local, ObjectFacts, Generation), where `local` is one
/// of the core's own accumulators. False if it was stopped.
template <class Local, class Visit>
bool visitScope(const Contents& contents, const HeapScope& scope, tbb::enumerable_thread_specific<Local>& locals,
                Visit visit, std::stop_token stop) {
  constexpr std::uint64_t kStopInterval = 4096;
  tbb::parallel_for(std::size_t{0}, contents.segments->size(), [&](std::size_t i) {
    const Segment& segment = (*contents.segments)[i];
    if ((scope.heap && *scope.heap != segment.heap) || stop.stop_requested()) return;
    const SegmentObjects objects(*contents.memory, contents.heap->index, contents.heap->types,
                                 {static_cast<std::uint32_t>(i)}, segment);
    Local& local = locals.local();
    std::uint64_t steps = 0;
    for (const GenerationRange& part : segment.generations) {
      if (scope.generation && *scope.generation != part.generation) continue;
      objects.forEach(part.range, [&](const ObjectFacts& facts) {
        if (++steps % kStopInterval == 0 && stop.stop_requested()) return false;
        if (facts.sizeBytes >= scope.minimumBytes && facts.sizeBytes <= scope.maximumBytes)
          visit(local, facts, part.generation);
        return true;
      });
    }
  });
  return !stop.stop_requested();
}

/// Calls visit(local, ObjectFacts) for all objects of the types that isAsked(TypeId's value) is true of: no others are
/// read.
template <class Local, class IsAsked, class Visit>
bool visitTyped(const Contents& contents, const ObjectTypes& types, const IsAsked& isAsked,
                tbb::enumerable_thread_specific<Local>& locals, const Visit& visit, const std::stop_token& stop) {
  tbb::parallel_for(std::size_t{0}, contents.segments->size(), [&](std::size_t i) {
    const Segment& segment = (*contents.segments)[i];
    const SegmentId id{static_cast<std::uint32_t>(i)};
    const SegmentObjects objects(*contents.memory, contents.heap->index, contents.heap->types, id, segment);
    Local& local = locals.local();
    std::uint32_t next = contents.heap->index.objectsOf(id).first.value;
    contents.heap->index.forEachStart(id, segment.objects, [&](Address address) {
      const std::uint32_t type = types[next++];
      ObjectFacts facts;
      if (isAsked(type) && objects.tryReadAs({type}, contents.heap->types.shape({type}), address, facts))
        visit(local, facts);
      return !stop.stop_requested();
    });
  });
  return !stop.stop_requested();
}

}  // namespace heapscape::engine
