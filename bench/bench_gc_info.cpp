// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <set>

#include "opened_dump.h"
#include "session/snapshot/contents.h"
#include "stacks/gc_info/gc_info.h"

namespace heapscape::bench {
namespace {

using engine::GcInfo;
using engine::GcInfoBits;

/// GC info of all methods of loaded types, where the dump has it.
struct GcInfosOfDump {
  const engine::AddressSpace& memory;
  engine::GcInfoRules rules;
  std::vector<engine::Address> addresses;

  GcInfosOfDump()
      : memory(*openedDump().contents().memory),
        rules(engine::GcInfoRules::of(openedDump().contents().readers->runtime.contract())) {
    const engine::RuntimeReaders& readers = *openedDump().contents().readers;
    std::set<engine::Address> found;
    engine::FindingList findings;
    for (const engine::Address address : readers.loadedTypes.all()) {
      const auto type = readers.methodTables.read(address);
      if (!type) continue;
      for (const auto& chunk : readers.methods.chunksOf(*type, findings)) {
        for (const auto& method : chunk.methods) {
          for (const auto& version : readers.methodCodes.of(method)) {
            const auto code = readers.code.find(version.start);
            if (code && GcInfo::read(GcInfoBits(memory, code->gcInfo), rules)) found.insert(code->gcInfo);
          }
        }
      }
    }
    addresses.assign(found.begin(), found.end());
  }

  GcInfo read(engine::Address address) const { return *GcInfo::read(GcInfoBits(memory, address), rules); }
};

// One for each frame of a stack.
void readGcInfo(benchmark::State& state) {
  const GcInfosOfDump infos;
  if (infos.addresses.empty()) return state.SkipWithError("no GC info in the dump");
  std::size_t at = 0;
  for (auto _ : state) benchmark::DoNotOptimize(infos.read(infos.addresses[at++ % infos.addresses.size()]));
}
BENCHMARK(readGcInfo)->Unit(benchmark::kNanosecond);

// Which slots are live at a safe point, or else at an instruction, halfway through a method.
void liveSlotsOfFrame(benchmark::State& state) {
  const GcInfosOfDump infos;
  std::vector<GcInfo> methods;
  for (const engine::Address address : infos.addresses) {
    GcInfo info = infos.read(address);
    if (!info.safePoints().empty() || !info.interruptible().empty()) methods.push_back(std::move(info));
  }
  if (methods.empty()) return state.SkipWithError("no GC info in the dump");
  std::size_t at = 0;
  for (auto _ : state) {
    const GcInfo& info = methods[at++ % methods.size()];
    if (info.safePoints().empty()) {
      const auto& range = info.interruptible().front();
      const auto place = info.interruptiblePlaceOf(range.start + (range.end - range.start) / 2);
      benchmark::DoNotOptimize(info.liveAtPlace(*place));
    } else {
      benchmark::DoNotOptimize(info.liveAtSafePoint(static_cast<std::uint32_t>(info.safePoints().size() / 2)));
    }
  }
}
BENCHMARK(liveSlotsOfFrame)->Unit(benchmark::kNanosecond);

}  // namespace
}  // namespace heapscape::bench
