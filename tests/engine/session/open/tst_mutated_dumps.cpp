// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>

#include "metadata/image/pe_image.h"
#include "session/heap/gc_query.h"
#include "session/heap/heap_map.h"
#include "session/layouts/layout_query.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "session/types/type_query.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kMutations = 25;
constexpr int kMutatedDumpsSeconds = 90;
#else
constexpr int kMutations = 75;
constexpr int kMutatedDumpsSeconds = 15;
#endif

/// Places of the dump whose damage reaches farthest: what the readers follow.
std::vector<AddressRange> placesOf(const Snapshot& snapshot) {
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const ClrRuntime& runtime = readers.runtime;
  std::vector<AddressRange> places;
  const auto add = [&](Address start, std::uint64_t size) {
    for (const AddressRange& part : snapshot.contents().memory->present({start, start + size})) places.push_back(part);
  };
  add(runtime.library().globalTable.address, runtime.library().globalTable.sizeBytes);
  for (const char* global : {"GcDacVars", "AppDomain", "ThreadStore", "FreeObjectMethodTable", "StringMethodTable"}) {
    if (const auto pointer = runtime.globalPointer(global)) add(*pointer, 512);
  }
  if (const auto variables = runtime.globalPointer("GcDacVars")) {
    for (const char* name : {"GenerationTable", "FreeRegions", "OomInfo", "CurrentCGcState", "GenerationFieldOffsets",
                             "GcHeapFieldOffsets", "GHeaps", "EphemeralHeapSegment"}) {
      if (const auto variable = runtime.pointerAt(*variables, "GcDacVars", name)) add(*variable, 1024);
    }
  }
  for (const Segment& segment : snapshot.segments()) {
    add(segment.address, 128);
    add(segment.objects.start, 512);
  }
  for (std::size_t i = 0; i < snapshot.types().size(); i += 3) {
    const Address methodTable = snapshot.types()[i].methodTable;
    add(methodTable - 32, 128);
    if (const auto type = readers.methodTables.read(methodTable)) {
      add(type->eeClass, 96);
      if (const auto fields = runtime.pointerAt(type->eeClass, "EEClass", "FieldDescList")) add(*fields, 64);
    }
  }
  for (const Module* module : readers.modules.all()) {
    add(module->address, 1200);
    add(module->imageBase, 1024);
    if (!module->metadata || !module->imageBase) continue;
    const auto location = locateMetadata(
        [&](std::uint64_t offset, std::span<std::byte> target) {
          return snapshot.contents().memory->tryRead(module->imageBase + offset, target);
        },
        true);
    if (location) add(module->imageBase + location->offset, 4096);
  }
  return places;
}

std::uint64_t mutated(std::uint64_t value, std::mt19937_64& random) {
  switch (random() % 7) {
    case 0:
      return value ^ 1ull << random() % 64;
    case 1:
      return 0;
    case 2:
      return ~0ull;
    case 3:
      return value + 8 * (random() % 64) - 256;
    case 4:
      return value ^ (0xffull << 8 * (random() % 8));
    case 5:
      return random();
    default:
      return (value & 0xffffffff00000000) | (random() & 0x7fffffff);
  }
}

/// Asks everything of a snapshot that a person could.
void useAll(const Snapshot& snapshot) {
  std::uint64_t objects = 0;
  forEachObject(snapshot, {}, [&](const ObjectRow&) { return ++objects < 2'000'000; });
  EXPECT_EQ(objects, snapshot.totals().objects);
  const auto selection = selectTypes(snapshot, snapshot.typeCounts(), {}, {});
  ASSERT_TRUE(selection);
  groupByNamespace(snapshot, snapshot.typeCounts(), *selection);
  for (const TypeId type : selection->types) (void)layoutOf(snapshot, snapshot.types()[type.value].methodTable);
  for (std::uint32_t i = 0; i < snapshot.segments().size(); ++i) {
    const AddressRange range = snapshot.segments()[i].objects;
    (void)mapCells(snapshot, {i}, range, 100, {}, {});
    objectAt(snapshot, range.start);
    objectAt(snapshot, range.end);
  }
  const auto loaded = loadedTypes(snapshot, {});
  ASSERT_TRUE(loaded);
  for (std::size_t i = 0; i < loaded->size(); i += 50) (void)layoutOf(snapshot, (*loaded)[i].methodTable);
  EXPECT_TRUE(readGcReport(snapshot, {}));
  EXPECT_GE(snapshot.coverage(), 0.0);
  EXPECT_LE(snapshot.coverage(), 1.0);
  // No padding is larger than what it is in.
  for (std::size_t i = 0; i < snapshot.typePaddingBytes().size(); ++i) {
    EXPECT_LE(snapshot.typePaddingBytes()[i], snapshot.typeCounts().bytes[i]) << snapshot.types()[i].name;
  }
}

class MutatedDump : public testing::TestWithParam<std::string> {};

TEST_P(MutatedDump, NeitherCrashesNorHangs) {
  PatchedCore file(GetParam());
  const auto places = placesOf(openSnapshot(file.path()));
  ASSERT_GT(places.size(), 100u);
  // Another seed to look for more: HEAPSCAPE_TEST_SEED=7.
  const char* seed = std::getenv("HEAPSCAPE_TEST_SEED");
  std::mt19937_64 random(std::hash<std::string>{}(GetParam()) + (seed ? std::strtoull(seed, nullptr, 10) : 0));
  int opened = 0;
  for (int i = 0; i < kMutations; ++i) {
    std::string trace;
    const int changes = 1 + static_cast<int>(random() % 3);
    for (int change = 0; change < changes; ++change) {
      const AddressRange& place = places[random() % places.size()];
      if (place.sizeBytes() < 8) continue;
      const Address at = place.start + random() % (place.sizeBytes() / 8) * 8;
      const auto before = file.read<std::uint64_t>(at);
      const auto after = mutated(before, random);
      trace += toString(at) + ": " + toString(Address{before}) + " -> " + toString(Address{after}) + "  ";
      file.write(at, after);
    }
    SCOPED_TRACE("mutation " + std::to_string(i) + " " + trace);
    const auto start = std::chrono::steady_clock::now();
    const auto snapshot = openDump(file.path(), {}, nullptr, {});
    if (snapshot) {
      ++opened;
      useAll(*snapshot);
    } else {
      EXPECT_FALSE(snapshot.error().isCancelled());
      EXPECT_FALSE(snapshot.error().error().what.empty());
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(kMutatedDumpsSeconds));
    file.restore();
  }
  EXPECT_GT(opened, kMutations / 3);
}

INSTANTIATE_TEST_SUITE_P(Data, MutatedDump,
                         testing::Values("shop-10", "shop-11", "shop-8-segments", "shop-9-server", "storm-8-calm"),
                         [](const auto& info) { return testName(info.param); });

}  // namespace
}  // namespace heapscape::engine
