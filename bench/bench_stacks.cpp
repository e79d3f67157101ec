// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "opened_dump.h"
#include "session/async/async_query.h"
#include "session/stacks/stacks_query.h"
#include "session/threads/thread_waits.h"

namespace heapscape::bench {
namespace {

// All threads: frames, names, and each reference with its object.
void listStacks(benchmark::State& state) {
  std::size_t frames = 0;
  for (auto _ : state) {
    const auto list = engine::listStacks(openedDump(), {}, {});
    if (!list) return state.SkipWithError("the stacks could not be read");
    frames = 0;
    for (const engine::ThreadStackRow& stack : list->threads) frames += stack.frames.size();
  }
  state.counters["frames"] = static_cast<double>(frames);
}
BENCHMARK(listStacks)->Unit(benchmark::kMillisecond);

// Async methods that have not ended, as chains, equal ones together.
void listAsync(benchmark::State& state) {
  std::uint64_t methods = 0;
  for (auto _ : state) {
    const auto list = engine::listAsync(openedDump(), {}, {});
    if (!list) return state.SkipWithError("the async methods could not be read");
    methods = list->methods;
  }
  state.counters["methods"] = static_cast<double>(methods);
}
BENCHMARK(listAsync)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heapscape::bench
