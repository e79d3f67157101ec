// SPDX-License-Identifier: MIT
// Dumps that lie in what leaks are told by: nothing is to crash, hang or be made up.
#include <gtest/gtest.h>

#include <random>

#include "engine/insight/flawed_heap.h"
#include "session/contents.h"
#include "session/object_query.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

const std::vector<InsightKind> kLeaks{
    InsightKind::DelegateLeak,    InsightKind::TimerLeak,     InsightKind::UndisposedFinalizables,
    InsightKind::FinalizerBehind, InsightKind::PendingAsync,  InsightKind::StuckLoadContext,
    InsightKind::GenericGrowth,   InsightKind::Fragmentation, InsightKind::Suspect};

class DamagedLeaks : public testing::Test {
 protected:
  InsightList look() const { return lookFor(openSnapshot(m_core.path(), Stage::Retained), kLeaks); }

  /// Objects whose type's name has this text.
  static std::vector<ObjectRow> objectsOf(const Snapshot& snapshot, const std::string& text) {
    return listObjects(snapshot, {.typeText = text, .type = {}, .generation = {}, .heap = {}, .addresses = {}}, 0, 500);
  }

  Snapshot sound() const { return openSnapshot(m_core.path(), Stage::Retained); }

  PatchedCore m_core{"flaws-10"};
};

TEST_F(DamagedLeaks, HaveNoEventWhoseListIsNone) {
  const Snapshot snapshot = sound();
  const std::uint64_t count = snapshot.contents().readers->runtime.contract().offset("Delegate", "_invocationCount");
  for (const ObjectRow& row : objectsOf(snapshot, "System.EventHandler"))
    m_core.write<std::uint64_t>(row.address + count, 1ull << 40);
  const InsightList list = look();
  EXPECT_FALSE(
      findInsight(list, InsightKind::DelegateLeak, "static Flaws.LeakByEvent.Placed → Flaws.LeakByEvent+View"));
}

TEST_F(DamagedLeaks, HaveNoTimerWithoutACallback) {
  for (const ObjectRow& row : objectsOf(sound(), "System.Threading.TimerQueueTimer")) {
    for (std::uint64_t offset = 8; offset < 64; offset += 8)
      m_core.write<std::uint64_t>(row.address + offset, 0x1234567);
  }
  EXPECT_FALSE(findInsight(look(), InsightKind::TimerLeak, "Flaws.LeakByTimer+Poller.Tick"));
}

TEST_F(DamagedLeaks, SurviveAnyBytesInTheObjectsThatTell) {
  const Snapshot snapshot = sound();
  std::mt19937_64 engine(5);
  std::vector<ObjectRow> objects;
  for (const char* type : {"System.EventHandler", "System.Action", "System.Object[]", "TimerQueue", "StateMachineBox",
                           "System.Threading.Tasks.Task", "LoadContext", "LoaderAllocator", "Connection", "Stubborn"}) {
    for (const ObjectRow& row : objectsOf(snapshot, type)) objects.push_back(row);
  }
  ASSERT_GT(objects.size(), 500u);
  for (int round = 0; round < 5; ++round) {
    for (int change = 0; change < 400; ++change) {
      const ObjectRow& row = objects[engine() % objects.size()];
      const std::uint64_t offset = 8 + 8 * (engine() % (row.alignedBytes / 8));
      const std::uint64_t other = objects[engine() % objects.size()].address.value;
      const std::uint64_t words[]{0, ~0ull, engine(), other, other + 8, engine() % 4096};
      m_core.write(row.address + (offset < row.alignedBytes ? offset : 8), words[engine() % 6]);
    }
    const InsightList list = look();
    for (const Insight& insight : list.insights) EXPECT_LE(insight.sharedBytes, insight.bytes) << insight.title;
    m_core.restore();
  }
}

}  // namespace
}  // namespace heapscape::test
