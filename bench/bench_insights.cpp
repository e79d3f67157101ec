// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "insight/comparison/compare_snapshots.h"
#include "insight/insight.h"
#include "opened_dump.h"
#include "session/process/process_memory.h"

namespace heapscape::bench {
namespace {

void findAllInsights(benchmark::State& state) {
  const engine::Snapshot* snapshot = retainedDump();
  if (!snapshot) return state.SkipWithError("No retained sizes.");
  for (auto _ : state) benchmark::DoNotOptimize(engine::findInsights(*snapshot, {}, nullptr, {}));
}
BENCHMARK(findAllInsights)->Unit(benchmark::kMillisecond)->UseRealTime();

void ownersOfProcessMemory(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(engine::processMemoryOf(openedDump(), {}));
}
BENCHMARK(ownersOfProcessMemory)->Unit(benchmark::kMillisecond)->UseRealTime();

// With itself, and without its insights, which have a benchmark of their own.
void compareTwoSnapshots(benchmark::State& state) {
  const engine::Snapshot* snapshot = retainedDump();
  if (!snapshot) return state.SkipWithError("No retained sizes.");
  const engine::ComparisonOptions options{.withInsights = false};
  for (auto _ : state) benchmark::DoNotOptimize(engine::compareSnapshots(*snapshot, *snapshot, options, nullptr, {}));
}
BENCHMARK(compareTwoSnapshots)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace heapscape::bench
