// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "gcdump/node_graph.h"
#include "graph/reference_graph.h"
#include "session/snapshot/root_list.h"

namespace heapscape::engine {

/// What a .gcdump file tells of a heap beside its objects.
struct RecordedHeap {
  GcDumpFacts facts;
  std::shared_ptr<const ReferenceGraph> graph;
  RootList roots;  // all, of which a choice may be made
};

/// Why something cannot be told of a recorded heap. `what`: the thing that it has not, "threads", "values of objects".
Error notRecorded(std::string_view what);

}  // namespace heapscape::engine
