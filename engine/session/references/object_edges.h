// SPDX-License-Identifier: MIT
#pragma once

#include "graph/object_references.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// Calls visit(Edge) for what one object refers to, by offset, whether or not it leads to an object. From the
/// References stage on.
template <class Visit>
void forEachEdgeOf(const Contents& contents, Address object, Visit visit) {
  const SegmentId segment = contents.heap->index.segmentOf(object);
  if (segment.isNone()) return;
  const SegmentObjects objects(*contents.memory, contents.heap->index, contents.heap->types, segment,
                               (*contents.segments)[segment.value]);
  ObjectFacts facts;
  if (!objects.tryRead(object, facts)) return;
  ObjectReferences(*contents.memory, objects, *contents.typeReferences, contents.dependents.get())
      .forEach(facts, visit);
}

}  // namespace heapscape::engine
