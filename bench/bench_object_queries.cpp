// SPDX-License-Identifier: MIT
// Queries over all objects: filters, sorts of the first thousand and of all, groups, and what a set retains. Of each
// the time that it takes and the processor time of all cores.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

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
  std::uint64_t objects = 0;
  for (auto _ : state) objects = engine::findObjects(*snapshot, search, nullptr, {})->objects;
  state.counters["objects"] = static_cast<double>(objects);
}

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

void groupAllObjects(benchmark::State& state, const std::string& field) {
  const engine::Snapshot* snapshot = retainedDump();
  const auto by = engine::parseQueryField(field, engine::objectSchema());
  if (!snapshot || !by) return state.SkipWithError("No retained sizes, or no field.");
  engine::ObjectSearch search;
  search.limit = 0;
  const auto all = engine::findObjects(*snapshot, search, nullptr, {});
  std::size_t groups = 0;
  for (auto _ : state) groups = engine::groupObjects(*snapshot, all->ids, *by, nullptr, {})->groups.size();
  state.counters["groups"] = static_cast<double>(groups);
}

/// All that fit.
void retainedWithObjects(benchmark::State& state, const std::string& text) {
  const engine::Snapshot* snapshot = retainedDump();
  const auto query = engine::makeQuery(text, engine::objectSchema());
  if (!snapshot || !query) return state.SkipWithError("No retained sizes, or no query.");
  engine::ObjectSearch search;
  search.query = *query;
  search.limit = 0;
  const auto found = engine::findObjects(*snapshot, search, nullptr, {});
  for (auto _ : state) benchmark::DoNotOptimize(engine::retainedWith(*snapshot, found->ids, nullptr, {}));
}

using Measured = void (*)(benchmark::State&, const std::string&);

benchmark::internal::Benchmark* add(const std::string& what, Measured measured, const std::string& asked) {
  return benchmark::RegisterBenchmark((what + "/" + asked).c_str(),
                                      [measured, asked](benchmark::State& state) { measured(state, asked); })
      ->Unit(benchmark::kMillisecond)
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}

const bool kAreAdded = [] {
  for (const char* query : {"",
                            "type ~ \"Node\"",
                            "size > 100",
                            "size = 24 or size = 32",
                            "length > 20",
                            "address > 0x7f0000000000",
                            "gen = gen2",
                            "reachable = false",
                            "pinned = true",
                            "retained > 1KB",
                            "references = 0",
                            "heldBy ~ \"List\"",
                            "owner ~ \"Program\"",
                            "text ~ \"value 12\"",
                            "text ~ /1[0-9]+2/",
                            "count > 3",
                            "capacity > 4",
                            "field(\"_size\") > 3",
                            "field(\"Name\") ~ \"1\"",
                            "value ~ \"12\"",
                            "value ~ /1[0-9]+2/",
                            "value ~ /customer[0-9]*12/"})
    add("filter", filterObjects, query);
  for (const char* field : {"type", "address", "size", "retained", "gen", "owner", "references", "count", "text",
                            "field(\"_size\")", "value"})
    add("sort", sortObjects, field)->Arg(1000)->Arg(0);
  for (const char* field : {"type", "gen", "size", "retained", "owner", "count", "text", "field(\"_size\")", "value"})
    add("group", groupAllObjects, field);
  for (const char* query : {"", "type ~ \"Node\"", "size > 100"}) add("retained", retainedWithObjects, query);
  return true;
}();

}  // namespace
}  // namespace heapscape::bench
