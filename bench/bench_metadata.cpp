// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "opened_dump.h"
#include "session/snapshot/contents.h"

namespace heapscape::bench {
namespace {

// CoreLib's metadata, the largest that every dump holds.
void nameEveryTypeOfCoreLib(benchmark::State& state) {
  const engine::Metadata& metadata = *openedDump().contents().readers->modules.coreLibrary()->metadata;
  const std::uint32_t rows = metadata.rowCount(engine::TableId::TypeDef);
  for (auto _ : state) {
    for (std::uint32_t row = 1; row <= rows; ++row) benchmark::DoNotOptimize(metadata.typeDefName(row));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * rows);
}
BENCHMARK(nameEveryTypeOfCoreLib)->Unit(benchmark::kMillisecond);

void findTypeByName(benchmark::State& state) {
  const engine::Metadata& metadata = *openedDump().contents().readers->modules.coreLibrary()->metadata;
  for (auto _ : state) benchmark::DoNotOptimize(metadata.findTypeDef("System.Collections.Generic.Dictionary`2"));
}
BENCHMARK(findTypeByName);

}  // namespace
}  // namespace heapscape::bench
