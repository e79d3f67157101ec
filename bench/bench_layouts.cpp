// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>

#include "layout/advice/best_order.h"
#include "layout/declared/finders/assembly_finders.h"
#include "layout/declared/metadata_types.h"
#include "opened_dump.h"
#include "session/snapshot/contents.h"

namespace heapscape::bench {
namespace {

// Of all types of the assembly that HEAPSCAPE_BENCH_ASSEMBLY names; the framework's metadata is the dump's.
void bestOrderOfEveryType(benchmark::State& state) {
  const char* path = std::getenv("HEAPSCAPE_BENCH_ASSEMBLY");
  if (!path) return state.SkipWithError("HEAPSCAPE_BENCH_ASSEMBLY names no assembly.");
  auto source = engine::openAssembly(path);
  if (!source) return state.SkipWithError(source.error().message().c_str());
  engine::MetadataTypes types(std::make_shared<engine::DumpFinder>(openedDump().contents().readers, dumpPath()));
  const engine::AssemblyId assembly = types.add(std::move(*source));
  const std::vector<engine::ClosedTypeId> all = types.allTypesOf(assembly);
  engine::LayoutRules rules(types, {});
  for (auto _ : state) {
    for (const engine::ClosedTypeId type : all) benchmark::DoNotOptimize(engine::bestOrderOf(rules, type));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(all.size()));
}
BENCHMARK(bestOrderOfEveryType)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heapscape::bench
