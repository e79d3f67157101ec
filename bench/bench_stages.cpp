// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "heap/allocation_gaps.h"
#include "heap/object_walk.h"
#include "opened_dump.h"
#include "runtime/threads/threads.h"
#include "session/open/open_dump.h"
#include "session/snapshot/contents.h"

namespace heapscape::bench {
namespace {

// From the path to a stage; the page cache is warm after the first round.
void openTo(benchmark::State& state, engine::Stage stage) {
  for (auto _ : state) {
    engine::OpenOptions options;
    options.stopAfter = stage;
    benchmark::DoNotOptimize(engine::openDump(dumpPath(), options, nullptr, {}));
  }
}
BENCHMARK_CAPTURE(openTo, summary, engine::Stage::Summary)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(openTo, segments, engine::Stage::Segments)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(openTo, objects, engine::Stage::Objects)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(openTo, layouts, engine::Stage::Layouts)->Unit(benchmark::kMillisecond)->UseRealTime();

// The walk alone, over memory that is mapped already.
void walkHeap(benchmark::State& state) {
  const engine::Contents& contents = openedDump().contents();
  engine::FindingList findings;
  const auto gaps = engine::findAllocationGaps(engine::readThreads(contents.readers->runtime, findings), *contents.gc,
                                               contents.readers->runtime.contract().constant("AllocContextGapSlack"));
  for (auto _ : state) {
    engine::StageProgress progress(nullptr, "walking", 0, 1);
    benchmark::DoNotOptimize(engine::walkHeap(contents.readers->methodTables, *contents.segments, gaps,
                                              engine::HeapPages::InMemory, progress, {}));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * contents.heap->index.objectCount());
}
BENCHMARK(walkHeap)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace heapscape::bench
