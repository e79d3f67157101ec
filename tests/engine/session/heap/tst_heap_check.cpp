// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "base/limits.h"
#include "session/heap/heap_check.h"
#include "session/objects/object_query.h"
#include "session/references/reference_query.h"
#include "session/roots/handles_query.h"
#include "session/snapshot/contents.h"
#include "session/threads/locks_query.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::Finding;
using engine::FindingKind;

class HealthyHeapCheck : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(OfDumps, HealthyHeapCheck, testing::ValuesIn(healthyDumps()),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(HealthyHeapCheck, FindsNothing) {
  const engine::Snapshot& snapshot = openedDump(GetParam());
  const auto check = engine::checkHeap(snapshot, nullptr, {});
  ASSERT_TRUE(check);
  for (const Finding& finding : check->findings.items())
    ADD_FAILURE() << toString(finding.kind) << ' ' << toString(finding.address) << ' ' << finding.message;
  const engine::ObjectTotals totals = snapshot.totals();
  EXPECT_EQ(check->objects, totals.objects - totals.freeObjects);
  EXPECT_GT(check->references, 0u);
  EXPECT_GT(check->handles, 0u);
}

class HeapCheck : public testing::Test {
 protected:
  engine::HeapCheck check() {
    m_snapshot.emplace(openSnapshot(m_patched.path()));
    auto result = engine::checkHeap(*m_snapshot, nullptr, {});
    EXPECT_TRUE(result);
    return std::move(*result);
  }

  static const Finding* find(const engine::HeapCheck& check, FindingKind kind, Address address) {
    const auto& items = check.findings.items();
    const auto found = std::find_if(items.begin(), items.end(), [&](const Finding& finding) {
      return finding.kind == kind && finding.address == address;
    });
    return found == items.end() ? nullptr : &*found;
  }

  static engine::Edge anyEdge(const engine::Snapshot& snapshot) {
    engine::Edge edge;
    engine::forEachEdge(snapshot, [&](const engine::Edge& one) {
      edge = one;
      return edge.kind != engine::EdgeKind::Field;
    });
    return edge;
  }

  PatchedCore m_patched{"shop-9"};
  std::optional<engine::Snapshot> m_snapshot;
};

TEST_F(HeapCheck, NamesAReferenceIntoAnObject) {
  const engine::Edge edge = anyEdge(openedDump("shop-9"));
  m_patched.write(edge.from + edge.offset, edge.to.value + 8);
  const engine::HeapCheck result = check();
  const Finding* finding = find(result, FindingKind::ReferenceDamaged, edge.from);
  ASSERT_TRUE(finding);
  EXPECT_NE(finding->message.find("the inside of the object at " + toString(edge.to)), std::string::npos)
      << finding->message;
  EXPECT_EQ(result.findings.items().size(), 1u);
}

TEST_F(HeapCheck, NamesAReferenceOutOfTheHeap) {
  const engine::Edge edge = anyEdge(openedDump("shop-9"));
  m_patched.write(edge.from + edge.offset, std::uint64_t{0x1234'5678});
  const engine::HeapCheck result = check();
  const Finding* finding = find(result, FindingKind::ReferenceDamaged, edge.from);
  ASSERT_TRUE(finding);
  EXPECT_NE(finding->message.find("no place of the heap"), std::string::npos) << finding->message;
}

TEST_F(HeapCheck, NamesAReferenceIntoFreeSpace) {
  const engine::Snapshot& before = openedDump("shop-9");
  const engine::Edge edge = anyEdge(before);
  Address free;
  engine::forEachObject(before, {}, [&](const engine::ObjectRow& row) {
    if (before.types()[row.type.value].isFree) free = row.address;
    return !free;
  });
  ASSERT_TRUE(free);
  m_patched.write(edge.from + edge.offset, free.value);
  const engine::HeapCheck result = check();
  const Finding* finding = find(result, FindingKind::ReferenceDamaged, edge.from);
  ASSERT_TRUE(finding);
  EXPECT_NE(finding->message.find("free space"), std::string::npos) << finding->message;
}

TEST_F(HeapCheck, NamesAHandleToNowhere) {
  const auto handles = engine::listHandles(openedDump("shop-9"), false, {});
  ASSERT_TRUE(handles);
  const Address handle = handles->handles.front().address;
  m_patched.write(handle, std::uint64_t{0xdead'0000});
  EXPECT_TRUE(find(check(), FindingKind::ReferenceDamaged, handle));
}

TEST_F(HeapCheck, NamesAHeaderWithAForeignSyncBlock) {
  const auto locks = engine::listLocks(openedDump("shop-9"), {});
  ASSERT_TRUE(locks);
  std::vector<engine::LockRow> blocks;
  std::copy_if(locks->locks.begin(), locks->locks.end(), std::back_inserter(blocks),
               [](const engine::LockRow& lock) { return lock.kind == engine::LockKind::SyncBlock && lock.object; });
  ASSERT_GE(blocks.size(), 2u);
  const auto header = m_patched.read<std::uint32_t>(blocks[1].object - 4);
  m_patched.write(blocks[0].object - 4, header);
  const engine::HeapCheck result = check();
  EXPECT_TRUE(find(result, FindingKind::SyncBlockMismatch, blocks[0].object));
  EXPECT_FALSE(find(result, FindingKind::SyncBlockMismatch, blocks[1].object));
}

/// An object that holds a reference, and that some root leads to or that none does.
engine::Edge edgeOfAn(engine::Liveness liveness, const engine::Snapshot& snapshot) {
  engine::StageProgress progress(nullptr, {}, 0, 1);
  const auto objects = engine::ObjectLiveness::determine(snapshot, progress, {});
  engine::Edge found;
  engine::forEachEdge(snapshot, [&](const engine::Edge& edge) {
    if (edge.kind == engine::EdgeKind::Field &&
        objects->of(snapshot.contents().heap->index.idOf(edge.from)) == liveness) {
      found = edge;
    }
    return !found.from;
  });
  EXPECT_TRUE(found.from);
  return found;
}

TEST_F(HeapCheck, TakesWhatIsLeftInADeadObjectForNoDamage) {
  const engine::Edge edge = edgeOfAn(engine::Liveness::Dead, openedDump("shop-9"));
  m_patched.write(edge.from + edge.offset, edge.to.value + 8);
  m_patched.write(edge.from - 4, std::uint32_t{0x0800'0000 | 0x00ff'fff0});  // no such sync block
  const engine::HeapCheck result = check();
  EXPECT_TRUE(result.findings.items().empty());
  EXPECT_EQ(result.ofDead.objects, 1u);
  EXPECT_EQ(result.ofDead.references, 1u);
  EXPECT_EQ(result.ofDead.headers, 1u);
  EXPECT_EQ(result.ofDoubtful.objects, 0u);
}

TEST_F(HeapCheck, TakesTheSameInALivingObjectForDamage) {
  const engine::Edge edge = edgeOfAn(engine::Liveness::Alive, openedDump("shop-9"));
  m_patched.write(edge.from + edge.offset, edge.to.value + 8);
  m_patched.write(edge.from - 4, std::uint32_t{0x0800'0000 | 0x00ff'fff0});
  const engine::HeapCheck result = check();
  EXPECT_TRUE(find(result, FindingKind::ReferenceDamaged, edge.from));
  EXPECT_TRUE(find(result, FindingKind::SyncBlockMismatch, edge.from));
  EXPECT_EQ(result.ofDead.objects, 0u);
}

TEST_F(HeapCheck, CountsTheFindingsThatAreNotKept) {
  std::size_t planted = 0;
  const engine::Snapshot& before = openedDump("shop-9");
  engine::StageProgress progress(nullptr, {}, 0, 1);
  const auto objects = engine::ObjectLiveness::determine(before, progress, {});
  engine::forEachEdge(before, [&](const engine::Edge& edge) {
    if (edge.kind != engine::EdgeKind::Field ||
        objects->of(before.contents().heap->index.idOf(edge.from)) != engine::Liveness::Alive) {
      return true;
    }
    // Into the same object, so that everything else stays alive but for what only this held.
    if (planted % 2 == 0) m_patched.write(edge.from - 4, std::uint32_t{0x0800'0000 | 0x00ff'fff0});
    return ++planted < 6000;
  });
  const engine::HeapCheck result = check();
  EXPECT_EQ(result.findings.items().size(), engine::kLimits.findings);
  EXPECT_GT(result.findings.leftOut(), 0u);
}

TEST(DamagedReferences, AreFoundOnOpeningInLivingObjectsAlone) {
  for (const engine::Liveness liveness : {engine::Liveness::Dead, engine::Liveness::Alive}) {
    PatchedCore patched("shop-9");
    const engine::Edge edge = edgeOfAn(liveness, openedDump("shop-9"));
    patched.write(edge.from + edge.offset, edge.to.value + 8);
    const engine::Snapshot snapshot = openSnapshot(patched.path(), engine::Stage::Retained);
    EXPECT_EQ(hasFinding(snapshot, FindingKind::ReferenceDamaged), liveness == engine::Liveness::Alive)
        << findingsText(snapshot);
  }
}

TEST_F(HeapCheck, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto result = engine::checkHeap(openedDump("shop-9"), nullptr, stop.get_token());
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().isCancelled());
}

TEST_F(HeapCheck, TellsHowFarItIs) {
  RecordingListener listener;
  ASSERT_TRUE(engine::checkHeap(openedDump("shop-9"), &listener, {}));
  ASSERT_FALSE(listener.reports.empty());
  EXPECT_TRUE(std::is_sorted(listener.reports.begin(), listener.reports.end(),
                             [](const auto& a, const auto& b) { return a.fraction < b.fraction; }));
  EXPECT_EQ(listener.reports.back().fraction, 1);
}

}  // namespace
}  // namespace heapscape::test
