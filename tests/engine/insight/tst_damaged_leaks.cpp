// SPDX-License-Identifier: MIT
// Dumps that lie in what leaks are told by: nothing is to crash, hang or be made up.
#include <gtest/gtest.h>

#include "engine/insight/flawed_heap.h"
#include "session/snapshot/contents.h"

namespace heapscape::test {
namespace {

using namespace engine;

const std::vector<InsightKind> kLeaks{
    InsightKind::DelegateLeak,    InsightKind::TimerLeak,     InsightKind::UndisposedFinalizables,
    InsightKind::FinalizerBehind, InsightKind::PendingAsync,  InsightKind::StuckLoadContext,
    InsightKind::GenericGrowth,   InsightKind::Fragmentation, InsightKind::Suspect};

class DamagedLeaks : public DamagedHeap {
 protected:
  InsightList look() const { return lookFor(open(), kLeaks); }
};

TEST_F(DamagedLeaks, HaveNoEventWhoseListIsNone) {
  const Snapshot snapshot = open();
  const std::uint64_t count = snapshot.contents().readers->runtime.contract().offset("Delegate", "_invocationCount");
  for (const ObjectRow& row : objectsOf(snapshot, "System.EventHandler"))
    m_core.write<std::uint64_t>(row.address + count, 1ull << 40);
  const InsightList list = look();
  EXPECT_FALSE(
      findInsight(list, InsightKind::DelegateLeak, "static Flaws.LeakByEvent.Placed → Flaws.LeakByEvent+View"));
}

TEST_F(DamagedLeaks, HaveNoTimerWithoutACallback) {
  for (const ObjectRow& row : objectsOf(open(), "System.Threading.TimerQueueTimer")) {
    for (std::uint64_t offset = 8; offset < 64; offset += 8)
      m_core.write<std::uint64_t>(row.address + offset, 0x1234567);
  }
  EXPECT_FALSE(findInsight(look(), InsightKind::TimerLeak, "Flaws.LeakByTimer+Poller.Tick"));
}

TEST_F(DamagedLeaks, SurviveAnyBytesInTheObjectsThatTell) {
  constexpr const char* kTypes[]{"System.EventHandler",
                                 "System.Action",
                                 "System.Object[]",
                                 "TimerQueue",
                                 "StateMachineBox",
                                 "LoadContext",
                                 "LoaderAllocator",
                                 "Connection",
                                 "System.Threading.Tasks.Task",
                                 "Stubborn"};
  lookAtAnyBytesIn(kTypes, kLeaks);
}

}  // namespace
}  // namespace heapscape::test
