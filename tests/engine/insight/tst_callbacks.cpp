// SPDX-License-Identifier: MIT
// Objects that something keeps alive to call them back, other than an event: what the sample program planted of them,
// to the byte, and none of their innocent twins.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/insight/flawed_heap.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

class PlantedCallbacks : public testing::TestWithParam<std::string> {
 protected:
  const InsightList& list() const { return insightsOf(GetParam()); }
  std::size_t count(InsightKind kind) const {
    return static_cast<std::size_t>(std::ranges::count(list().insights, kind, &Insight::kind));
  }
};

INSTANTIATE_TEST_SUITE_P(Of, PlantedCallbacks, testing::Values("callbacks-8", "callbacks-10", "callbacks-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(PlantedCallbacks, AreFoundToTheByteAndNothingElse) {
  const std::vector<Planted> planted = plantedIn(GetParam());
  ASSERT_EQ(planted.size(), 7u);
  for (const Planted& one : planted) {
    const Insight* found = findInsight(list(), InsightKind::DelegateLeak, one.subject);
    ASSERT_TRUE(found) << one.subject;
    EXPECT_EQ(found->bytes, one.bytes) << one.subject;
    EXPECT_EQ(found->objects, one.objects) << one.subject;
    EXPECT_EQ(found->owners.front().name, one.owner);
    EXPECT_EQ(found->path.front(), one.owner);
    EXPECT_FALSE(found->isFramework);
    // What is found by a key may be a table of what to do.
    const bool isKeyed = one.subject.starts_with("static Callbacks.Collections.byNumber");
    EXPECT_EQ(found->meaning, isKeyed ? InsightMeaning::Held : InsightMeaning::Leak) << one.subject;
  }
  EXPECT_EQ(count(InsightKind::DelegateLeak), planted.size());
}

TEST_P(PlantedCallbacks, OfTokensNameTheMethodAndTheWay) {
  const Insight* leak =
      findInsight(list(), InsightKind::DelegateLeak, "static Callbacks.Tokens.stopping → Callbacks.Tokens+Request");
  ASSERT_TRUE(leak);
  EXPECT_EQ(factOf(*leak, "Method"), "Callbacks.Tokens+Request.Abort");
  EXPECT_EQ(leak->items.front().text, "Callbacks.Tokens+Request.Abort");
  EXPECT_EQ(leak->items.front().bytes, 80u + delegateBytes(GetParam()) + 24u + 1024u);  // node, delegate, request, body
  EXPECT_EQ(leak->path.back(), "registered: Callbacks.Tokens+Request");
}

TEST_P(PlantedCallbacks, OfTimersThatAreAwaitedNameTheMethodThatWaits) {
  ASSERT_EQ(count(InsightKind::TimerLeak), 1u);  // not the services, whose tasks somebody has
  const Insight* leak = findInsight(list(), InsightKind::TimerLeak, "Callbacks.Ticking+Poller.Run");
  ASSERT_TRUE(leak);
  EXPECT_EQ(leak->meaning, InsightMeaning::Leak);
  EXPECT_EQ(leak->objects, 12u);
  EXPECT_GE(leak->bytes, 12u * (24 + 928));
  EXPECT_EQ(leak->bytes % 12, 0u);  // each holds the same
}

TEST_P(PlantedCallbacks, OfLoadContextsAreToldOfEachClassAndOnlyWhatIsHeld) {
  EXPECT_EQ(count(InsightKind::StuckLoadContext), 10u);
  for (const Insight& insight : list().insights) {
    if (insight.kind != InsightKind::StuckLoadContext) continue;
    EXPECT_EQ(insight.title, "1 load context of " + insight.subject + " cannot unload");
    EXPECT_EQ(insight.path.front(), "static Callbacks.Plugins.held");
  }
}

TEST_P(PlantedCallbacks, SuspectsOfAThreadAreNamedByItsStatic) {
  const auto suspect = std::ranges::find(list().insights, InsightKind::Suspect, &Insight::kind);
  ASSERT_NE(suspect, list().insights.end());
  EXPECT_TRUE(suspect->subject.ends_with(") Callbacks.Hoarding.mine")) << suspect->subject;
  EXPECT_TRUE(suspect->subject.starts_with("(thread ")) << suspect->subject;
}

TEST_P(PlantedCallbacks, AreNotTheOnlyOnesThatTheProgramHasToMend) {
  const Insight* dropped = findInsight(list(), InsightKind::UndisposedFinalizables, "System.IO.FileStream");
  ASSERT_TRUE(dropped);
  EXPECT_EQ(dropped->objects, 20u);
  EXPECT_FALSE(dropped->isFramework);                // whoever opened them has to close them
  EXPECT_EQ(count(InsightKind::GenericGrowth), 0u);  // a generic interface has no code
}

}  // namespace
}  // namespace heapscape::test
