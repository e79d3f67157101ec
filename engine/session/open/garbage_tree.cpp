// SPDX-License-Identifier: MIT
#include "session/open/garbage_tree.h"

#include <utility>

#include "graph/garbage_graph.h"
#include "session/dominators/dominator_nodes.h"
#include "session/open/memory_need.h"
#include "session/open/retained_stage.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr double kGarbageGraphEnd = 0.3;

// By ObjectId of the whole heap, whatever is garbage: a number in the tree, bits, and a byte of the rows.
constexpr std::uint64_t kBytesOfAnyObject = 6;

Outcome<Snapshot> makeGarbageTree(const Snapshot& snapshot, ProgressSink* progress, const std::stop_token& stop) {
  const Contents& contents = snapshot.contents();
  const Retention& live = *contents.retention;
  const MemoryNeed need{
      .of = "Dominators of garbage",
      .objects = live.totals.garbageObjects(),
      .bytes = retainedNeedBytes(live.totals.garbageObjects()) + kBytesOfAnyObject * contents.heap->index.objectCount(),
      .help = "What is garbage is known all the same, by type and by generation."};
  HEAPSCAPE_CHECK(checkMemory(need, contents.memoryBytes));
  StageProgress(progress, "looking through garbage", 0, 1).report(0);
  auto garbage = garbageGraphOf(*contents.graph, live.tree, live.frozen, stop);
  if (!garbage) return tl::unexpected(Unfinished::cancelled());
  auto graph = std::make_shared<ReferenceGraph>();
  graph->rows = std::move(garbage->rows);
  graph->targets = std::move(garbage->targets);
  graph->units = ObjectUnits::viewOf(contents.graph->units.small(), contents.graph->units.large());
  graph->file = contents.graph;

  Retention retention;
  retention.options = live.options;
  retention.totals = live.totals;
  retention.generations = live.generations;
  retention.segments = live.segments;
  retention.frozen = live.frozen;
  retention.unreachableFrozen = live.unreachableFrozen;
  retention.isOfGarbage = true;
  RootForest forest;
  for (const std::uint32_t top : garbage->tops) forest.addTop(top);
  StageProgress dominating(progress, "finding dominators of garbage", kGarbageGraphEnd, 1);
  auto tree = DominatorTree::build(graph->edges(), forest, dominating, stop);
  if (!tree) return tl::unexpected(Unfinished::cancelled());
  retention.tree = std::move(*tree);
  retention.tops = std::move(garbage->tops);
  retention.sizes = addUpRetained(retention.tree, *graph);
  if (!live.types.empty()) {
    retention.types = addUpRetainedByType(retention.tree, retention.sizes, *graph, *contents.typesOfObjects(),
                                          contents.heap->types.size());
  }
  retention.browsing = std::make_shared<DominatorBrowsing>();

  auto seen = std::make_shared<Contents>(contents);
  seen->graph = std::move(graph);
  seen->reverse = std::make_shared<const OnDemand<ReverseReferences>>();
  seen->cached = nullptr;
  seen->retention = std::make_shared<const Retention>(std::move(retention));
  return Snapshot(std::move(seen));
}

}  // namespace

Outcome<Snapshot> seenFromGarbage(const Snapshot& snapshot, ProgressSink* progress, std::stop_token stop) {
  if (!snapshot.has(Stage::Retained))
    return tl::unexpected(Unfinished(Error{ErrorCode::NotFound, "It is not known yet what is garbage."}));
  if (isSeenFromGarbage(snapshot)) return snapshot;
  HEAPSCAPE_TRY(const auto seen,
                snapshot.contents().retention->garbage->get([&] { return makeGarbageTree(snapshot, progress, stop); }));
  return *seen;
}

bool isSeenFromGarbage(const Snapshot& snapshot) {
  return snapshot.has(Stage::Retained) && snapshot.contents().retention->isOfGarbage;
}

}  // namespace heapscape::engine
