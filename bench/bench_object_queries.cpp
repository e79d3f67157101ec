// SPDX-License-Identifier: MIT
// Queries over all objects: filters, sorts of the first thousand and of all, groups, and what a set retains.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "opened_dump.h"
#include "query/objects/object_search.h"
#include "query/query.h"

namespace heapscape::bench {
namespace {

void filterObjects(benchmark::State& state, const std::string& text) {
  const engine::Snapshot* snapshot = retainedDump();
  const auto query = engine::makeQuery(text, engine::objectSchema());
  if (!snapshot || !query) return state.SkipWithError("No retained sizes, or no query.");
  engine::ObjectSearch search;
  search.query = *query;
  search.limit = 0;
  for (auto _ : state) benchmark::DoNotOptimize(engine::findObjects(*snapshot, search, nullptr, {}));
}
BENCHMARK_CAPTURE(filterObjects, all, "")->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK_CAPTURE(filterObjects, size, "size > 100")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(filterObjects, retained, "retained > 1KB")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(filterObjects, text, "text ~ \"12\"")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(filterObjects, count, "count > 3")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

/// range(0): so many are put in order; 0 for all.
void sortObjects(benchmark::State& state, const std::string& field) {
  const engine::Snapshot* snapshot = retainedDump();
  const auto sortBy = engine::parseQueryField(field, engine::objectSchema());
  if (!snapshot || !sortBy) return state.SkipWithError("No retained sizes, or no field.");
  engine::ObjectSearch search;
  search.sortBy = *sortBy;
  search.limit = state.range(0) ? static_cast<std::size_t>(state.range(0)) : SIZE_MAX;
  search.rows = 0;
  for (auto _ : state) benchmark::DoNotOptimize(engine::findObjects(*snapshot, search, nullptr, {}));
}
BENCHMARK_CAPTURE(sortObjects, type, "type")
    ->Arg(1000)
    ->Arg(0)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(sortObjects, retained, "retained")
    ->Arg(1000)
    ->Arg(0)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(sortObjects, text, "text")
    ->Arg(1000)
    ->Arg(0)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void groupAllObjects(benchmark::State& state, const std::string& field) {
  const engine::Snapshot* snapshot = retainedDump();
  const auto by = engine::parseQueryField(field, engine::objectSchema());
  if (!snapshot || !by) return state.SkipWithError("No retained sizes, or no field.");
  const auto all = engine::findObjects(*snapshot, engine::ObjectSearch{.limit = 0}, nullptr, {});
  for (auto _ : state) benchmark::DoNotOptimize(engine::groupObjects(*snapshot, all->ids, *by, nullptr, {}));
}
BENCHMARK_CAPTURE(groupAllObjects, type, "type")->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK_CAPTURE(groupAllObjects, owner, "owner")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(groupAllObjects, size, "size")->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace heapscape::bench
