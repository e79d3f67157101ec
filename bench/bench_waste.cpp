// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "opened_dump.h"
#include "session/layouts/declared_layouts.h"
#include "session/layouts/field_use.h"
#include "session/layouts/waste_query.h"

namespace heapscape::bench {
namespace {

void wasteOfHeap(benchmark::State& state) {
  const engine::Snapshot& snapshot = openedDump();
  const auto layouts = engine::DeclaredLayouts::ofDump(snapshot);
  if (!layouts) return state.SkipWithError(layouts.error().message().c_str());
  for (auto _ : state) benchmark::DoNotOptimize(engine::wasteOf(snapshot, *layouts, nullptr, {}));
}
BENCHMARK(wasteOfHeap)->Unit(benchmark::kMillisecond)->UseRealTime();

// Of the type with the most objects, with the sample that a study takes.
void fieldUseOfMostFrequentType(benchmark::State& state) {
  const engine::Snapshot& snapshot = openedDump();
  std::size_t most = 0;
  for (std::size_t i = 0; i < snapshot.types().size(); ++i) {
    const engine::TypeRow& type = snapshot.types()[i];
    const std::vector<std::uint64_t>& counts = snapshot.typeCounts().count;
    if (!type.isFree && !type.componentSize && counts[i] > counts[most]) most = i;
  }
  constexpr std::size_t kSample = 100'000;
  for (auto _ : state)
    benchmark::DoNotOptimize(engine::fieldUse(snapshot, snapshot.types()[most].methodTable, kSample, {}));
}
BENCHMARK(fieldUseOfMostFrequentType)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace heapscape::bench
