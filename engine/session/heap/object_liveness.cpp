// SPDX-License-Identifier: MIT
#include "session/heap/object_liveness.h"

#include "session/roots/roots_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

using ObjectNumbers = std::vector<std::uint32_t>;

Outcome<std::shared_ptr<const ReferenceGraph>> graphOf(const Contents& contents, StageProgress& progress,
                                                       const std::stop_token& stop) {
  if (contents.graph) return contents.graph;
  const TypeReferences types(*contents.readers, *contents.heap);
  FindingList told;  // whoever lists the handles tells of them
  const DependentEdges dependents = readDependentEdges(contents.readers->runtime, told);
  HEAPSCAPE_TRY(ReferenceGraph graph,
                buildReferenceGraph({*contents.memory, *contents.segments, *contents.heap, types, dependents}, {},
                                    progress, stop));
  return std::make_shared<const ReferenceGraph>(std::move(graph));
}

bool isYoung(Generation generation) {
  return generation == Generation::Gen0 || generation == Generation::Gen1;
}

// All objects that some root leads to and that a background collection sweeps.
void addOldObjects(const Contents& contents, const RootDistances& reached, ObjectNumbers& objects) {
  const ObjectIndex& index = contents.heap->index;
  for (std::uint32_t i = 0; i < contents.segments->size(); ++i) {
    for (const GenerationRange& part : (*contents.segments)[i].generations) {
      if (isYoung(part.generation)) continue;
      const std::uint32_t last = index.countBefore({i}, part.range.end);
      for (std::uint32_t object = index.countBefore({i}, part.range.start); object < last; ++object) {
        if (reached.of(object)) objects.push_back(object);
      }
    }
  }
}

}  // namespace

Outcome<ObjectLiveness> ObjectLiveness::determine(const Snapshot& snapshot, StageProgress& progress,
                                                  std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  HEAPSCAPE_TRY(const RootList roots, listRoots(snapshot, {}, stop));
  HEAPSCAPE_TRY(const std::shared_ptr<const ReferenceGraph> graph, graphOf(contents, progress, stop));
  const BackgroundCollections background = contents.gc->background;
  ObjectNumbers all;
  ObjectNumbers certain;
  for (const RootRow& root : roots.roots) {
    const ObjectId object = contents.heap->index.idOf(root.object);
    if (object.isNone()) continue;
    all.push_back(object.value);
    // Without a background collection nothing stays behind that a word of a stack could lead to.
    if (root.isExact || background == BackgroundCollections::Never) certain.push_back(object.value);
  }
  const auto measure = [&](const ObjectNumbers& from) {
    return RootDistances::measure(graph->edges(), from, graph->objectCount(), progress, stop);
  };
  ObjectLiveness liveness;
  auto reached = measure(all);
  if (!reached) return tl::unexpected(Unfinished::cancelled());
  liveness.m_reached = std::move(*reached);
  if (background == BackgroundCollections::Idle) addOldObjects(contents, liveness.m_reached, certain);
  auto sure = measure(certain);
  if (!sure) return tl::unexpected(Unfinished::cancelled());
  liveness.m_certain = std::move(*sure);
  return liveness;
}

}  // namespace heapscape::engine
