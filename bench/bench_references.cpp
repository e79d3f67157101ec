// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "graph/retained/retained_by_type.h"
#include "heap/object_types.h"
#include "opened_dump.h"
#include "session/heap/heap_check.h"
#include "session/open/retained_stage.h"
#include "session/references/reference_query.h"
#include "session/snapshot/contents.h"
#include "session/threads/locks_query.h"

namespace heapscape::bench {
namespace {

void visitEveryEdge(benchmark::State& state) {
  std::int64_t edges = 0;
  for (auto _ : state) {
    engine::forEachEdge(openedDump(), [&](const engine::Edge&) { return ++edges, true; });
  }
  state.SetItemsProcessed(edges);
}
BENCHMARK(visitEveryEdge)->Unit(benchmark::kMillisecond)->UseRealTime();

void checkWholeHeap(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(engine::checkHeap(openedDump(), nullptr, {}));
}
BENCHMARK(checkWholeHeap)->Unit(benchmark::kMillisecond)->UseRealTime();

void listAllLocks(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(engine::listLocks(openedDump(), {}));
}
BENCHMARK(listAllLocks)->Unit(benchmark::kMillisecond)->UseRealTime();

// The dump with its references and retained sizes.
const engine::Contents& retained() {
  static const engine::Snapshot snapshot = engine::addRetained(openedDump(), {}, nullptr, {}).value();
  return snapshot.contents();
}

engine::StageProgress noProgress() {
  return {nullptr, "", 0, 1};
}

void buildGraph(benchmark::State& state) {
  engine::StageProgress progress = noProgress();
  for (auto _ : state)
    benchmark::DoNotOptimize(engine::buildReferenceGraph(retained().referenceSources(), {}, progress, {}));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(retained().graph->edgeCount()));
}
BENCHMARK(buildGraph)->Unit(benchmark::kMillisecond)->UseRealTime();

void findDominators(benchmark::State& state) {
  std::vector<std::uint32_t> objects;
  for (const engine::RootRow& root : retained().retention->roots.roots)
    objects.push_back(retained().heap->index.idOf(root.object).value);
  const auto roots = engine::RootForest::ofObjects(objects);
  engine::StageProgress progress = noProgress();
  for (auto _ : state)
    benchmark::DoNotOptimize(engine::DominatorTree::build(retained().graph->edges(), roots, progress, {}));
  state.SetItemsProcessed(state.iterations() * retained().retention->tree.reachedCount());
}
BENCHMARK(findDominators)->Unit(benchmark::kMillisecond)->UseRealTime();

void addUpRetained(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(engine::addUpRetained(retained().retention->tree, *retained().graph));
}
BENCHMARK(addUpRetained)->Unit(benchmark::kMillisecond)->UseRealTime();

void addUpRetainedByType(benchmark::State& state) {
  const engine::Contents& contents = retained();
  for (auto _ : state) {
    benchmark::DoNotOptimize(engine::addUpRetainedByType(
        contents.retention->tree, contents.retention->sizes, *contents.graph,
        engine::ObjectTypes(*contents.memory, *contents.segments, *contents.heap), contents.heap->types.size()));
  }
}
BENCHMARK(addUpRetainedByType)->Unit(benchmark::kMillisecond)->UseRealTime();

void turnReferencesAround(benchmark::State& state) {
  engine::StageProgress progress = noProgress();
  for (auto _ : state)
    benchmark::DoNotOptimize(engine::ReverseReferences::build(retained().graph->edges(), progress, {}));
}
BENCHMARK(turnReferencesAround)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace heapscape::bench
