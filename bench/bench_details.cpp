// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <random>

#include "opened_dump.h"
#include "session/details/object_details.h"
#include "session/objects/strings_query.h"
#include "session/roots/statics_query.h"
#include "session/types/generics_query.h"
#include "session/types/type_details.h"

namespace heapscape::bench {
namespace {

// What one click on an object asks.
void detailsOfRandomObject(benchmark::State& state) {
  const engine::Snapshot& snapshot = openedDump();
  const std::uint64_t objects = snapshot.totals().objects;
  std::mt19937_64 random(1);
  std::vector<engine::Address> addresses;
  std::uint64_t next = 0;
  std::uint64_t seen = 0;
  engine::forEachObject(snapshot, {}, [&](const engine::ObjectRow& row) {
    if (seen++ == next) {
      addresses.push_back(row.address);
      next += 1 + random() % (objects / 1000 + 1);
    }
    return true;
  });
  std::size_t at = 0;
  for (auto _ : state) benchmark::DoNotOptimize(engine::objectDetails(snapshot, addresses[at++ % addresses.size()]));
}
BENCHMARK(detailsOfRandomObject)->Unit(benchmark::kMicrosecond);

// The object whose answer has the most to tell.
void detailsOfLargestObject(benchmark::State& state) {
  const engine::Snapshot& snapshot = openedDump();
  engine::ObjectRow largest;
  engine::forEachObject(snapshot, {}, [&](const engine::ObjectRow& row) {
    if (row.sizeBytes > largest.sizeBytes && !snapshot.types()[row.type.value].isFree) largest = row;
    return true;
  });
  for (auto _ : state) benchmark::DoNotOptimize(engine::objectDetails(snapshot, largest.address));
}
BENCHMARK(detailsOfLargestObject)->Unit(benchmark::kMicrosecond);

void detailsOfType(benchmark::State& state) {
  const engine::Snapshot& snapshot = openedDump();
  std::size_t at = 0;
  for (auto _ : state) {
    const engine::TypeRow& type = snapshot.types()[at++ % snapshot.types().size()];
    if (!type.isFree) benchmark::DoNotOptimize(engine::typeDetails(snapshot, type.methodTable));
  }
}
BENCHMARK(detailsOfType)->Unit(benchmark::kMicrosecond);

void listAllStatics(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(engine::listStatics(openedDump(), {}, {}));
}
BENCHMARK(listAllStatics)->Unit(benchmark::kMillisecond);

void listAllGenerics(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(engine::listGenerics(openedDump(), {}, {}));
}
BENCHMARK(listAllGenerics)->Unit(benchmark::kMillisecond);

void groupAllStrings(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(engine::listStrings(openedDump(), {}, 1000, {}));
}
BENCHMARK(groupAllStrings)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace heapscape::bench
