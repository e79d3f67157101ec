// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "opened_dump.h"
#include "session/snapshot/contents.h"
#include "stacks/unwinding/native_symbols.h"
#include "stacks/unwinding/native_unwinder.h"

namespace heapscape::bench {
namespace {

constexpr int kMostFrames = 200;

/// The native frames on top of every thread, up to the first managed one.
std::vector<engine::Address> unwindAll(const engine::NativeUnwinder& unwinder, const engine::ElfCore& core) {
  std::vector<engine::Address> instructions;
  for (const engine::CoreThread& thread : core.threads) {
    engine::Registers registers = engine::registersOf(thread);
    bool isReturnAddress = false;
    for (int i = 0; i < kMostFrames; ++i) {
      instructions.push_back(registers.instruction);
      const auto step = unwinder.callerOf(registers, isReturnAddress);
      if (!step) break;
      registers = step->caller;
      isReturnAddress = !step->isSignalFrame;
    }
  }
  return instructions;
}

void unwindNativeFrames(benchmark::State& state) {
  const engine::Contents& contents = openedDump().contents();
  const engine::NativeUnwinder unwinder(*contents.memory, *contents.core);
  std::size_t frames = 0;
  for (auto _ : state) frames += unwindAll(unwinder, *contents.core).size();
  state.SetItemsProcessed(static_cast<std::int64_t>(frames));
}
BENCHMARK(unwindNativeFrames)->Unit(benchmark::kMicrosecond);

void nameNativeFrames(benchmark::State& state) {
  const engine::Contents& contents = openedDump().contents();
  const engine::NativeUnwinder unwinder(*contents.memory, *contents.core);
  const engine::NativeSymbols symbols(*contents.memory, *contents.core);
  const auto instructions = unwindAll(unwinder, *contents.core);
  for (auto _ : state) {
    for (const engine::Address instruction : instructions) benchmark::DoNotOptimize(symbols.nameOf(instruction));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * instructions.size()));
}
BENCHMARK(nameNativeFrames)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace heapscape::bench
