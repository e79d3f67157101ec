// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <random>

#include "opened_dump.h"
#include "session/heap/heap_map.h"
#include "session/heap/size_histogram.h"
#include "session/layouts/layout_query.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "session/types/type_query.h"

namespace heapscape::bench {
namespace {

// What the pointer asks while it moves over the map.
void objectAtRandomAddress(benchmark::State& state) {
  const engine::Snapshot& snapshot = openedDump();
  std::mt19937_64 random(1);
  std::vector<engine::Address> addresses;
  for (int i = 0; i < 4096; ++i) {
    const engine::Segment& segment = snapshot.segments()[random() % snapshot.segments().size()];
    addresses.push_back(segment.objects.start + random() % (segment.objects.sizeBytes() + 1));
  }
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(engine::objectAt(snapshot, addresses[next++ % addresses.size()]));
}
BENCHMARK(objectAtRandomAddress);

void addressOfRandomObject(benchmark::State& state) {
  const engine::ObjectIndex& index = openedDump().contents().heap->index;
  std::mt19937 random(1);
  for (auto _ : state)
    benchmark::DoNotOptimize(index.addressOf({static_cast<std::uint32_t>(random() % index.objectCount())}));
}
BENCHMARK(addressOfRandomObject);

void visitEveryObject(benchmark::State& state) {
  std::int64_t objects = 0;
  for (auto _ : state) {
    engine::forEachObject(openedDump(), {}, [&](const engine::ObjectRow&) { return ++objects, true; });
  }
  state.SetItemsProcessed(objects);
}
BENCHMARK(visitEveryObject)->Unit(benchmark::kMillisecond)->UseRealTime();

void countTypesOfOneGeneration(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(engine::countTypes(openedDump(), {.heap = 0, .generation = engine::Generation::Gen1}, {}));
}
BENCHMARK(countTypesOfOneGeneration)->Unit(benchmark::kMillisecond)->UseRealTime();

void sizeHistogramOfHeap(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(engine::sizeHistogram(openedDump(), {}, {}));
}
BENCHMARK(sizeHistogramOfHeap)->Unit(benchmark::kMillisecond)->UseRealTime();

void filterAndSortTypes(benchmark::State& state) {
  engine::TypeQuery query;
  query.text = "^System\\..*";
  query.isRegularExpression = true;
  for (auto _ : state)
    benchmark::DoNotOptimize(engine::selectTypes(openedDump(), openedDump().typeCounts(), query, {}));
}
BENCHMARK(filterAndSortTypes)->Unit(benchmark::kMicrosecond);

// One lane of the map, a thousand pixels wide.
void mapOfLargestSegment(benchmark::State& state) {
  const engine::Snapshot& snapshot = openedDump();
  std::uint32_t largest = 0;
  for (std::uint32_t i = 0; i < snapshot.segments().size(); ++i) {
    if (snapshot.segments()[i].objects.sizeBytes() > snapshot.segments()[largest].objects.sizeBytes()) largest = i;
  }
  for (auto _ : state)
    benchmark::DoNotOptimize(engine::mapCells(snapshot, {largest}, snapshot.segments()[largest].objects, 1000, {}, {}));
}
BENCHMARK(mapOfLargestSegment)->Unit(benchmark::kMillisecond);

void layoutOfEveryType(benchmark::State& state) {
  const engine::Snapshot& snapshot = openedDump();
  for (auto _ : state) {
    for (const engine::TypeRow& type : snapshot.types())
      benchmark::DoNotOptimize(engine::layoutOf(snapshot, type.methodTable));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * snapshot.types().size()));
}
BENCHMARK(layoutOfEveryType)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heapscape::bench
