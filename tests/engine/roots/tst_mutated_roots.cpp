// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "runtime/gc/handles.h"
#include "runtime/threads/sync_blocks.h"
#include "runtime/threads/threads.h"
#include "session/roots/handles_query.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr int kRounds = 8;
constexpr int kChangesPerRound = 12;
constexpr std::chrono::seconds kLongestRound{20};

/// The structures of the runtime that the roots are read from.
std::vector<AddressRange> placesOf(const Snapshot& snapshot) {
  const ClrRuntime& runtime = snapshot.contents().readers->runtime;
  std::vector<AddressRange> places;
  const auto add = [&](Address start, std::uint64_t size) {
    for (const AddressRange& part : snapshot.contents().memory->present({start, start + size})) places.push_back(part);
  };
  FindingList ignored;
  for (const RuntimeThread& thread : readThreads(runtime, ignored)) {
    add(thread.address, 1200);
    if (const auto block = runtime.pointerAt(thread.address, "Thread", "ThreadLocalDataPtr")) add(*block, 64);
    if (const auto table = runtime.pointerAt(thread.address, "Thread", "ThreadLocalModuleTable")) add(*table, 64);
  }
  for (const GcHandle& handle : readHandles(runtime, false, ignored)) {
    add({handle.address.value & ~0xffffull}, 2048);
    add(handle.address, 8);
  }
  for (const SyncBlock& block : readSyncBlocks(runtime, ignored)) add(block.address, 88);
  add(runtime.globalPointer("SyncTableEntries").value_or(Address{}), 512);
  add(runtime.globalPointer("SyncBlockCache").value_or(Address{}), 256);
  for (const GcHeap& heap : snapshot.contents().gc->heaps) add(heap.finalizeQueue, 72);
  const auto statics = listStatics(snapshot, {.typeText = "S"}, {});
  for (const StaticRow& row : statics->statics) {
    add(row.address, 8);
    add(row.methodTable, 64);
    if (const auto auxiliary = runtime.pointerAt(row.methodTable, "MethodTable", "AuxiliaryData"))
      add(*auxiliary - 40, 56);
    const auto module = runtime.pointerAt(row.methodTable, "MethodTable", "LoaderModule");
    const auto area = module ? runtime.pointerAt(*module, "Module", "DomainLocalModule") : module;
    if (area) add(*area, 64);
  }
  return places;
}

class MutatedRoots : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Shop, MutatedRoots, testing::Values("shop-8", "shop-10-server"),
                         [](const auto& info) { return info.param == "shop-8" ? "Net8" : "Net10"; });

TEST_P(MutatedRoots, NeverStopTheProgram) {
  PatchedCore file(GetParam());
  const std::vector<AddressRange> places = placesOf(openSnapshot(file.path(), Stage::Objects));
  std::mt19937_64 random(20240807);
  for (int round = 0; round < kRounds; ++round) {
    for (int change = 0; change < kChangesPerRound; ++change) {
      const AddressRange& place = places[random() % places.size()];
      if (place.sizeBytes() < 8) continue;
      const Address at = place.start + random() % (place.sizeBytes() / 8) * 8;
      const auto before = file.read<std::uint64_t>(at);
      const std::uint64_t values[] = {0,        ~0ull,      before ^ 1ull << random() % 64,
                                      random(), before + 8, place.start.value};
      file.write<std::uint64_t>(at, values[random() % std::size(values)]);
    }
    const auto begin = std::chrono::steady_clock::now();
    const Snapshot snapshot = openSnapshot(file.path(), Stage::Objects);
    EXPECT_TRUE(listHandles(snapshot, true, {}));
    EXPECT_TRUE(listLocks(snapshot, {}));
    EXPECT_TRUE(listThreads(snapshot, {}));
    EXPECT_TRUE(listFinalizers(snapshot, {}));
    EXPECT_TRUE(listStatics(snapshot, {}, {}));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kLongestRound) << round;
    file.restore();
  }
}

}  // namespace
}  // namespace heapscape::engine
