// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "session/heap/gc_settings.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::DynamicAdaptation;
using engine::Stage;

/// Where a variable of the GC lies.
Address gcVariable(const engine::Snapshot& snapshot, std::string_view name) {
  const engine::ClrRuntime& runtime = snapshot.contents().readers->runtime;
  const auto variables = runtime.globalPointer("GcDacVars");
  const auto place = variables ? runtime.pointerAt(*variables, "GcDacVars", name) : variables;
  EXPECT_TRUE(place);
  return place.value_or(Address{});
}

engine::GcHeaps heapsOf(const PatchedCore& core) {
  return gcHeaps(openSnapshot(core.path(), Stage::Summary));
}

TEST(GcHeaps, ThoseThatAreSetAsideAreTold) {
  for (const char* dump : {"shop-8-server", "shop-9-server", "shop-10-server"}) {
    SCOPED_TRACE(dump);
    PatchedCore core(dump);
    const Address count = gcVariable(openSnapshot(core.path(), Stage::Summary), "NHeaps");
    ASSERT_EQ(core.read<std::int32_t>(count), 4);
    core.write(count, std::int32_t{1});
    const engine::GcHeaps heaps = heapsOf(core);
    EXPECT_EQ(heaps.active, 1u);
    EXPECT_EQ(heaps.created, 4u);
    EXPECT_EQ(describe(heaps).substr(0, 22), "1 of 4 heaps active, D");
  }
}

// Since .NET 10 the GC publishes its mode; before, only heaps that are set aside prove it.
TEST(GcHeaps, WhetherTheirNumberAdaptsIsToldWhereItIsKnown) {
  EXPECT_EQ(gcHeaps(openedDump("shop-8")).adaptation, DynamicAdaptation::None);
  EXPECT_EQ(gcHeaps(openedDump("shop-10")).adaptation, DynamicAdaptation::None);
  EXPECT_EQ(gcHeaps(openedDump("shop-8-server")).adaptation, DynamicAdaptation::Unknown);
  EXPECT_EQ(gcHeaps(openedDump("shop-9-server")).adaptation, DynamicAdaptation::Unknown);
  EXPECT_EQ(gcHeaps(openedDump("shop-10-server")).adaptation, DynamicAdaptation::Off);
  EXPECT_EQ(describe(gcHeaps(openedDump("shop-10-server"))), "4 heaps, DATAS off");

  PatchedCore fewer("shop-9-server");
  fewer.write(gcVariable(openSnapshot(fewer.path(), Stage::Summary), "NHeaps"), std::int32_t{2});
  EXPECT_EQ(heapsOf(fewer).adaptation, DynamicAdaptation::On);

  PatchedCore on("shop-10-server");
  on.write(gcVariable(openSnapshot(on.path(), Stage::Summary), "DynamicAdaptationMode"), std::int32_t{1});
  EXPECT_EQ(heapsOf(on).adaptation, DynamicAdaptation::On);
  EXPECT_EQ(describe(heapsOf(on)), "4 heaps, DATAS on");
}

TEST(GcHeaps, BackgroundCollectionsAreKnown) {
  PatchedCore core("shop-9");
  const engine::Snapshot before = openSnapshot(core.path(), Stage::Summary);
  core.write(gcVariable(before, "BackgroundSavedHighestAddress"), std::uint64_t{0});
  EXPECT_EQ(openSnapshot(core.path(), Stage::Summary).contents().gc->background, engine::BackgroundCollections::Never);
  core.write(gcVariable(before, "BackgroundSavedHighestAddress"), std::uint64_t{0x7f00'0000'0000});
  core.write(gcVariable(before, "CurrentCGcState"), std::int32_t{2});
  EXPECT_EQ(openSnapshot(core.path(), Stage::Summary).contents().gc->background, engine::BackgroundCollections::Idle);
  core.write(gcVariable(before, "CurrentCGcState"), std::int32_t{0});
  EXPECT_EQ(openSnapshot(core.path(), Stage::Summary).contents().gc->background,
            engine::BackgroundCollections::Running);
}

}  // namespace
}  // namespace heapscape::test
