// SPDX-License-Identifier: MIT
#include "session/heap/size_histogram.h"

#include <algorithm>
#include <bit>

#include "session/objects/scope_walk.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kSmallestObject = 24;
constexpr int kFirstPower = 5;  // the first bucket ends below 32
constexpr std::size_t kBuckets = 64 - kFirstPower + 1;

std::size_t bucketOf(std::uint64_t sizeBytes) {
  const int power = static_cast<int>(std::bit_width(sizeBytes));
  return power <= kFirstPower ? 0 : static_cast<std::size_t>(power - kFirstPower);
}

using Buckets = std::array<SizeBucket, kBuckets>;

}  // namespace

Outcome<std::vector<SizeBucket>> sizeHistogram(const Snapshot& snapshot, const HeapScope& scope, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  if (!contents.heap) return std::vector<SizeBucket>{};
  tbb::enumerable_thread_specific<Buckets> locals;
  const TypeId freeType = contents.heap->freeType;
  const bool done = visitScope(
      contents, scope, locals,
      [freeType, &contents](Buckets& buckets, const ObjectFacts& facts, Generation generation) {
        if (facts.type == freeType) return;
        SizeBucket& bucket = buckets[bucketOf(facts.sizeBytes)];
        const auto place = static_cast<std::size_t>(generation);
        ++bucket.objects[place];
        bucket.bytes[place] += facts.alignedBytes();
        const Retention* retention = contents.retention.get();
        if (!retention || !retention->isGarbage(contents.heap->index.idOf(facts.address).value)) return;
        ++bucket.garbageObjects[place];
        bucket.garbageBytes[place] += facts.alignedBytes();
      },
      stop);
  if (!done) return tl::unexpected(Unfinished::cancelled());

  std::vector<SizeBucket> result;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    const std::uint64_t power = 1ull << (kFirstPower + i - 1);
    SizeBucket sum{i == 0 ? kSmallestObject : power, power + (power - 1)};
    for (const Buckets& buckets : locals) {
      for (std::size_t generation = 0; generation < kGenerationCount; ++generation) {
        sum.objects[generation] += buckets[i].objects[generation];
        sum.bytes[generation] += buckets[i].bytes[generation];
        sum.garbageObjects[generation] += buckets[i].garbageObjects[generation];
        sum.garbageBytes[generation] += buckets[i].garbageBytes[generation];
      }
    }
    result.push_back(sum);
  }
  const auto isEmpty = [](const SizeBucket& bucket) {
    return std::all_of(bucket.objects.begin(), bucket.objects.end(), [](std::uint64_t count) { return count == 0; });
  };
  while (!result.empty() && isEmpty(result.back())) result.pop_back();
  return result;
}

}  // namespace heapscape::engine
