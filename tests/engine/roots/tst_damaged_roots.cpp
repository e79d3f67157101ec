// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "session/roots/handles_query.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class DamagedFinalizers : public testing::Test {
 protected:
  FinalizerList listAgain() const {
    const auto list = listFinalizers(openSnapshot(m_file.path(), Stage::Objects), {});
    EXPECT_TRUE(list);
    return *list;
  }

  PatchedCore m_file{"shop-9-server"};
  Snapshot m_before = openSnapshot(m_file.path(), Stage::Summary);
  const std::vector<GcHeap>& m_heaps = m_before.contents().gc->heaps;
};

TEST_F(DamagedFinalizers, WithReversedFillPointersLeaveTheOtherHeaps) {
  const FinalizerList before = listAgain();
  const std::uint32_t heap = before.objects.front().heap;
  const Address queue = m_heaps[heap].finalizeQueue;
  const auto last = m_file.read<std::uint64_t>(queue + 8 * 6);
  m_file.write<std::uint64_t>(queue + 8 * 6, m_file.read<std::uint64_t>(queue) - 8);
  m_file.write<std::uint64_t>(queue, last);
  const FinalizerList after = listAgain();
  const auto ofHeap = std::ranges::count(before.objects, heap, &FinalizerRow::heap);
  EXPECT_GT(ofHeap, 0);
  EXPECT_EQ(after.objects.size(), before.objects.size() - static_cast<std::size_t>(ofHeap));
  ASSERT_EQ(after.findings.items().size(), 1u);
  EXPECT_EQ(after.findings.items().front().address, queue);
}

TEST_F(DamagedFinalizers, ThatReachBeyondTheDumpAreAFinding) {
  const FinalizerList before = listAgain();
  const Address queue = m_heaps[before.objects.front().heap].finalizeQueue;
  const Address arrayEnd = m_before.contents().readers->runtime.member(queue, "FinalizeQueue", "EndArray");
  m_file.write<std::uint64_t>(arrayEnd, 0x7fff'ffff'fff0);
  EXPECT_LT(listAgain().objects.size(), before.objects.size());
  m_file.write<std::uint64_t>(arrayEnd, m_file.read<std::uint64_t>(queue + 8 * 6) + (1 << 30));
  m_file.write<std::uint64_t>(queue + 8 * 6, m_file.read<std::uint64_t>(queue + 8 * 6) + (1 << 29));
  const FinalizerList after = listAgain();
  EXPECT_EQ(after.findings.items().front().kind, FindingKind::MemoryMissing);
}

TEST_F(DamagedFinalizers, ToNowhereAreShownAtTheirPlace) {
  const FinalizerList before = listAgain();
  const Address queue = m_heaps[before.objects.front().heap].finalizeQueue;
  const Address firstReady{m_file.read<std::uint64_t>(queue + 8 * 5)};
  m_file.write<std::uint64_t>(firstReady, 0xdead0);
  const FinalizerList after = listAgain();
  ASSERT_EQ(after.objects.size(), before.objects.size());
  EXPECT_EQ(std::ranges::count(after.objects, std::string(), &FinalizerRow::typeName), 1);
  ASSERT_EQ(after.findings.items().size(), 1u);
  EXPECT_EQ(after.findings.items().front().kind, FindingKind::ReferenceDamaged);
}

/// Statics whose areas lead nowhere.
class DamagedStatics : public testing::TestWithParam<std::string> {
 protected:
  StaticList listAgain() const {
    const auto list = listStatics(openSnapshot(m_file.path(), Stage::Objects), {.typeText = "Shop."}, {});
    EXPECT_TRUE(list);
    return *list;
  }

  static const StaticRow& rowOf(const StaticList& list, const std::string& field) {
    return *std::ranges::find_if(
        list.statics, [&](const StaticRow& row) { return row.typeName == "Shop.Statics" && row.field == field; });
  }

  PatchedCore m_file{GetParam()};
  Snapshot m_before = openSnapshot(m_file.path(), Stage::Summary);
};

INSTANTIATE_TEST_SUITE_P(Shop, DamagedStatics, testing::Values("shop-8", "shop-10", "shop-11"),
                         [](const auto& info) { return "Net" + info.param.substr(info.param.find('-') + 1); });

TEST_P(DamagedStatics, AreDamagedAtTheirPlaceAndTheRestIsShown) {
  const StaticList before = listAgain();
  m_file.write<std::uint64_t>(rowOf(before, "text").address, 0x1230);
  m_file.write<std::uint64_t>(rowOf(before, "money").address, 0x7fff'ffff'0000);
  const StaticList after = listAgain();
  EXPECT_EQ(after.statics.size(), before.statics.size());
  EXPECT_EQ(rowOf(after, "text").value.value.kind, ValueKind::Damaged);
  EXPECT_EQ(rowOf(after, "money").value.value.kind, ValueKind::Damaged);
  EXPECT_FALSE(rowOf(after, "text").value.value.damage.empty());
  EXPECT_EQ(rowOf(after, "guid").value.value.text, rowOf(before, "guid").value.value.text);
}

TEST_P(DamagedStatics, InAnAreaThatIsNowhereCannotBeRead) {
  const ClrRuntime& runtime = m_before.contents().readers->runtime;
  const StaticList before = listAgain();
  const Address type = rowOf(before, "text").methodTable;
  if (!runtime.contract().has("Module", "DomainLocalModule")) {
    const Address info = *runtime.pointerAt(type, "MethodTable", "AuxiliaryData") - 24;
    m_file.write<std::uint64_t>(info, 0x4000);
    m_file.write<std::uint64_t>(info + 8, 0x4000);
  } else {
    m_file.write<std::uint64_t>(
        runtime.member(*runtime.pointerAt(type, "MethodTable", "LoaderModule"), "Module", "DomainLocalModule"), 0x4000);
  }
  const StaticList after = listAgain();
  EXPECT_EQ(rowOf(after, "text").value.value.kind, ValueKind::Damaged);
  EXPECT_EQ(rowOf(after, "big").value.value.kind, ValueKind::Damaged);
  EXPECT_EQ(rowOf(after, "perThreadText").value.value.text, rowOf(before, "perThreadText").value.value.text);
}

TEST_P(DamagedStatics, AreToldWhereverRetainedSizesAre) {
  const ClrRuntime& runtime = m_before.contents().readers->runtime;
  FindingList findings;
  const auto threads = readThreads(runtime, findings);
  const char* table =
      runtime.contract().has("Thread", "ThreadLocalDataPtr") ? "ThreadLocalDataPtr" : "ThreadLocalModuleTable";
  m_file.write<std::uint64_t>(runtime.member(threads.front().address, "Thread", table), 0x4000);
  EXPECT_TRUE(openSnapshot(m_file.path(), Stage::Objects).isComplete()) << "objects do not rest on them";
  const Snapshot after = openSnapshot(m_file.path(), Stage::Retained);
  EXPECT_FALSE(after.isComplete());
  const auto& told = after.roots().findings.items();
  ASSERT_FALSE(told.empty());
  // Seen from other roots it is told once all the same.
  const auto again = addRetained(after, {.roots = {.includeStacks = false}}, nullptr, {});
  ASSERT_TRUE(again);
  EXPECT_EQ(std::ranges::count(again->findings(), told.front().message, &Finding::message), 1);
}

TEST_P(DamagedStatics, OfAThreadWithADamagedTableAreThoseOfTheOthers) {
  const ClrRuntime& runtime = m_before.contents().readers->runtime;
  const StaticList before = listAgain();
  FindingList findings;
  const auto threads = readThreads(runtime, findings);
  const char* table =
      runtime.contract().has("Thread", "ThreadLocalDataPtr") ? "ThreadLocalDataPtr" : "ThreadLocalModuleTable";
  const auto main = std::ranges::find(threads, 1u, &RuntimeThread::managedId);
  m_file.write<std::uint64_t>(runtime.member(main->address, "Thread", table), 0x4000);
  const StaticList after = listAgain();
  const auto readable = [](const StaticList& list) {
    return std::ranges::count_if(list.statics, [](const StaticRow& row) {
      return row.field == "perThreadText" && row.value.value.kind == ValueKind::Reference;
    });
  };
  EXPECT_EQ(readable(before), 3);
  EXPECT_EQ(readable(after), 2);
  EXPECT_FALSE(after.findings.items().empty());
}

}  // namespace
}  // namespace heapscape::engine
