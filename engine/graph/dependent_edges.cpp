// SPDX-License-Identifier: MIT
#include "graph/dependent_edges.h"

#include "runtime/gc/handles.h"

namespace heapscape::engine {

DependentEdges readDependentEdges(const ClrRuntime& runtime, FindingList& findings) {
  DependentEdges edges;
  for (const GcHandle& handle : readHandles(runtime, false, findings)) {
    if (handle.kind == HandleKind::Dependent && handle.object && handle.dependent)
      edges.emplace(handle.object, handle.dependent);
  }
  return edges;
}

}  // namespace heapscape::engine
