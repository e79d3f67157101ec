// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "heap/segment_objects.h"
#include "session/door/contents.h"
#include "session/types/type_query.h"

namespace heapscape::engine {

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

}  // namespace heapscape::engine
