// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "base/large_array.h"

// What the machine itself can do, to hold the steps of the engine against: each benchmark's bytes are those that it
// reads and writes (STREAM, McCalpin 1995).
namespace heapscape::bench {
namespace {

using Numbers = engine::LargeArray<std::uint64_t>;

constexpr std::size_t kNumbers = std::size_t{32} << 20;  // far more than caches hold
constexpr std::size_t kPart = std::size_t{1} << 17;

template <class Run>
void forEachPart(Run run) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, kNumbers, kPart),
                    [&](const auto& part) { run(part.begin(), part.end()); });
}

Numbers ones() {
  Numbers numbers(kNumbers);
  forEachPart([&](std::size_t first, std::size_t end) { std::fill(numbers.data() + first, numbers.data() + end, 1); });
  return numbers;
}

void setBytes(benchmark::State& state, std::size_t arrays) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(arrays * kNumbers * sizeof(std::uint64_t)));
}

void readMemory(benchmark::State& state) {
  const Numbers from = ones();
  for (auto _ : state) {
    forEachPart([&](std::size_t first, std::size_t end) {
      benchmark::DoNotOptimize(std::accumulate(from.data() + first, from.data() + end, std::uint64_t{0}));
    });
  }
  setBytes(state, 1);
}
BENCHMARK(readMemory)->Unit(benchmark::kMillisecond)->UseRealTime();

void addMemory(benchmark::State& state) {
  const Numbers left = ones(), right = ones();
  Numbers to = ones();
  for (auto _ : state) {
    forEachPart([&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) to[i] = left[i] + 3 * right[i];
    });
    benchmark::ClobberMemory();
  }
  setBytes(state, 3);
}
BENCHMARK(addMemory)->Unit(benchmark::kMillisecond)->UseRealTime();

// Memory that was not in use: the kernel has to clear it first, and the host of a virtual machine may have to find it.
void takeNewMemory(benchmark::State& state) {
  for (auto _ : state) {
    const Numbers taken(kNumbers);
    forEachPart([&](std::size_t first, std::size_t end) { taken.populate(first, end - first); });
  }
  setBytes(state, 1);
}
BENCHMARK(takeNewMemory)->Unit(benchmark::kMillisecond)->UseRealTime();

// Each place follows from the one before: what one core waits for memory.
void followMemory(benchmark::State& state) {
  Numbers next(kNumbers);
  for (std::size_t i = 0; i < kNumbers; ++i) next[i] = (i * 5 + 12345) % kNumbers * 0x9E3779B1 % kNumbers;
  std::uint64_t at = 0;
  for (auto _ : state) {
    for (int step = 0; step < 1000; ++step) at = next[(at + static_cast<std::uint64_t>(step)) % kNumbers];
    benchmark::DoNotOptimize(at);
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(followMemory)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace heapscape::bench
