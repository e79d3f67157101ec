// SPDX-License-Identifier: MIT
#include "query/objects/group_notes.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

namespace heapscape::engine {
namespace {

constexpr std::size_t kNotesInPart = 1 << 14;
constexpr std::size_t kBuckets = 256;

std::size_t bucketOf(const GroupNote& note) {
  return note.hash.high % kBuckets;
}

/// Places of notes, those of one bucket together and each bucket's ascending.
struct BucketedNotes {
  LargeArray<std::uint32_t> places;
  std::array<std::size_t, kBuckets + 1> starts = {};
};

BucketedNotes bucketed(const LargeArray<GroupNote>& notes, const std::stop_token& stop) {
  const std::size_t parts = (notes.size() + kNotesInPart - 1) / kNotesInPart;
  std::vector<std::array<std::uint32_t, kBuckets>> next(parts);
  const auto forEachPart = [&](auto visit) {
    tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
      if (stop.stop_requested()) return;
      const std::size_t end = std::min(notes.size(), (part + 1) * kNotesInPart);
      for (std::size_t i = part * kNotesInPart; i < end; ++i) visit(next[part][bucketOf(notes[i])], i);
    });
  };
  forEachPart([](std::uint32_t& count, std::size_t) { ++count; });
  BucketedNotes result{.places = LargeArray<std::uint32_t>(notes.size())};
  std::uint32_t before = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    result.starts[bucket] = before;
    for (auto& counts : next) {
      const std::uint32_t count = counts[bucket];
      counts[bucket] = before;
      before += count;
    }
  }
  result.starts[kBuckets] = before;
  forEachPart([&](std::uint32_t& place, std::size_t i) { result.places[place++] = static_cast<std::uint32_t>(i); });
  return result;
}

/// Joins those of one bucket at the beginning of their room, `made`. How many there are.
std::size_t joinBucket(const LargeArray<GroupNote>& notes, std::span<const std::uint32_t> places,
                       std::span<GroupNote> made, LargeArray<std::uint32_t>& placeOf) {
  std::size_t count = 0;
  std::vector<std::uint32_t> table(std::bit_ceil(2 * places.size() + 1));  // places in `made` from 1 on; 0: free
  const std::size_t mask = table.size() - 1;
  for (const std::uint32_t place : places) {
    const GroupNote& note = notes[place];
    std::size_t slot = note.hash.low & mask;
    while (table[slot] && made[table[slot] - 1].hash != note.hash) slot = (slot + 1) & mask;
    if (!table[slot]) {
      made[count] = note;
      table[slot] = static_cast<std::uint32_t>(++count);
    } else {
      GroupNote& same = made[table[slot] - 1];
      same.bytes += note.bytes;
      same.objects += note.objects;
      same.first = std::min(same.first, note.first);
    }
    placeOf[place] = table[slot] - 1;
  }
  return count;
}

}  // namespace

JoinedNotes joinNotes(const LargeArray<GroupNote>& notes, const std::stop_token& stop) {
  const BucketedNotes buckets = bucketed(notes, stop);
  if (stop.stop_requested()) return {};
  LargeArray<GroupNote> made(notes.size());
  JoinedNotes joined{.notes = {}, .placeOf = LargeArray<std::uint32_t>(notes.size())};
  std::array<std::size_t, kBuckets + 1> ends = {};  // counts first
  const auto forEachBucket = [&](auto visit) {
    tbb::parallel_for(std::size_t{0}, kBuckets, [&](std::size_t bucket) {
      const std::size_t start = buckets.starts[bucket], count = buckets.starts[bucket + 1] - start;
      if (!stop.stop_requested()) visit(bucket, start, buckets.places.elements().subspan(start, count));
    });
  };
  forEachBucket([&](std::size_t bucket, std::size_t start, std::span<const std::uint32_t> places) {
    ends[bucket + 1] = joinBucket(notes, places, {made.data() + start, places.size()}, joined.placeOf);
  });
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) ends[bucket + 1] += ends[bucket];
  joined.notes = LargeArray<GroupNote>(ends[kBuckets]);
  forEachBucket([&](std::size_t bucket, std::size_t start, std::span<const std::uint32_t> places) {
    std::copy_n(made.data() + start, ends[bucket + 1] - ends[bucket], joined.notes.data() + ends[bucket]);
    for (const std::uint32_t place : places) joined.placeOf[place] += static_cast<std::uint32_t>(ends[bucket]);
  });
  return joined;
}

}  // namespace heapscape::engine
