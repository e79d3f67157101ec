// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "opened_dump.h"
#include "session/heap_check.h"
#include "session/locks_query.h"
#include "session/reference_query.h"

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

}  // namespace
}  // namespace heapscape::bench
