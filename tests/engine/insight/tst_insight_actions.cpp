// SPDX-License-Identifier: MIT
// What to fix first: ranked, in words, and added up without counting a byte twice.
#include "insight/insight_actions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "flawed_heap.h"
#include "insight/insight_groups.h"
#include "support/builders/heap_in_memory.h"

namespace heapscape::test {
namespace {

using namespace engine;

/// Found insights with their claims, and what is planned of them.
struct Found {
  InsightList list;
  std::vector<FoundInsight> found;

  /// Bytes are those of the claims and of what the dominating objects retain, if none are given.
  Insight& add(InsightKind kind, InsightMeaning meaning, std::vector<Claim> claims,
               std::vector<std::uint32_t> dominating = {}, std::uint64_t bytes = 0) {
    FoundInsight one;
    one.insight.kind = kind;
    one.insight.meaning = meaning;
    one.insight.bytes = bytes;
    for (const Claim& claim : claims) one.insight.bytes += std::uint64_t{claim.units} * 8;
    one.claims = std::move(claims);
    one.dominating = std::move(dominating);
    list.insights.push_back(one.insight);
    found.push_back(std::move(one));
    return list.insights.back();
  }

  ActionPlan plan(const HeapInMemory& heap) {
    const Snapshot snapshot = heap.snapshot();
    const InexactHolding inexact(snapshot.contents());
    return planActions(list, found, snapshot.contents(), inexact);
  }
};

/// Objects of 80 bytes: 0 holds 1 and 2; 3 and 4 are held for themselves.
struct FiveObjects : HeapInMemory {
  FiveObjects() {
    const TypeId type = addType("Shop.Order", 80);
    for (int i = 0; i < 5; ++i) addObject(type);
    addReference(0, 1);
    addReference(0, 2);
    for (const std::uint32_t root : {0u, 3u, 4u}) addRoot(RootKind::Static, root, "static Shop.Cache.order");
  }
};

TEST(ActionPlan, BeginsWithTheMostBytesAndAddsWhatIsNotWonBackAlready) {
  const FiveObjects heap;
  Found found;
  found.add(InsightKind::DuplicateStrings, InsightMeaning::Waste, {{1, 10}, {3, 10}});
  found.add(InsightKind::DelegateLeak, InsightMeaning::Leak, {}, {0}, 240);
  found.add(InsightKind::EmptyArrays, InsightMeaning::Waste, {{2, 10}});
  const ActionPlan plan = found.plan(heap);
  ASSERT_EQ(plan.actions.size(), 3u);
  EXPECT_EQ(plan.actions[0].insights, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(plan.actions[0].addedBytes, 240u);
  EXPECT_EQ(plan.actions[1].bytes, 160u);
  EXPECT_EQ(plan.actions[1].addedBytes, 80u) << "of two strings one goes with the leak";
  EXPECT_EQ(plan.actions[2].addedBytes, 0u) << "all of them go with the leak";
  EXPECT_EQ(plan.bytes, 320u);
  EXPECT_EQ(plan.doubtfulBytes, 0u);
  EXPECT_FALSE(plan.isLeast);
}

TEST(ActionPlan, LeavesOutWhatTheProgramCannotChangeAndWhatIsMerelyHeld) {
  const FiveObjects heap;
  Found found;
  found.add(InsightKind::Suspect, InsightMeaning::Held, {}, {0}, 240);
  found.add(InsightKind::EmptyArrays, InsightMeaning::Waste, {{3, 10}}).isFramework = true;
  found.add(InsightKind::PoorHashing, InsightMeaning::Waste, {});
  found.add(InsightKind::TimerLeak, InsightMeaning::Leak, {}, {4}, 80).isInexact = true;
  const ActionPlan nothing = found.plan(heap);
  EXPECT_TRUE(nothing.actions.empty());
  EXPECT_EQ(nothing.bytes, 0u);
  found.add(InsightKind::UniformArrays, InsightMeaning::Waste, {{1, 5}});
  const ActionPlan plan = found.plan(heap);
  ASSERT_EQ(plan.actions.size(), 1u);
  EXPECT_EQ(plan.actions[0].addedBytes, 40u) << "though a suspect holds it";
}

TEST(ActionPlan, TellsManyOfAKindAsOneActionThatCountsNoByteTwice) {
  const FiveObjects heap;
  Found found;
  for (std::size_t i = 0; i <= kFewInsights; ++i)
    found.add(InsightKind::DuplicateStrings, InsightMeaning::Waste, {{3, 5}});
  const ActionPlan plan = found.plan(heap);
  ASSERT_EQ(plan.actions.size(), 1u);
  EXPECT_EQ(plan.actions[0].insights.size(), kFewInsights + 1);
  EXPECT_EQ(plan.actions[0].bytes, 80u) << "an object has no more";
}

TEST(ActionPlan, DoubtsWhatHasNoClaimsAsFarAsOthersClaimTheSameObjects) {
  const FiveObjects heap;
  Found found;
  found.add(InsightKind::DuplicateStrings, InsightMeaning::Waste, {{3, 2}});
  found.add(InsightKind::PaddingWaste, InsightMeaning::Waste, {}, {}, 32).ids = {1, 2};
  found.add(InsightKind::PaddingWaste, InsightMeaning::Waste, {}, {}, 24).ids = {3, 4};
  found.add(InsightKind::PaddingWaste, InsightMeaning::Waste, {}, {}, 8).ids = {4};
  const ActionPlan plan = found.plan(heap);
  const auto doubtOf = [&](std::uint32_t insight) {
    return std::ranges::find(plan.actions, std::vector{insight}, &InsightAction::insights)->doubtfulBytes;
  };
  EXPECT_EQ(doubtOf(0), 0u);
  EXPECT_EQ(doubtOf(1), 0u) << "nobody else is about these objects";
  EXPECT_EQ(doubtOf(2), 16u) << "as many as are claimed of one of them";
  EXPECT_EQ(doubtOf(3), 8u) << "the same object as another one without claims";
  EXPECT_EQ(plan.bytes, 16u + 32 + 8);
  EXPECT_EQ(plan.doubtfulBytes, 24u);
  EXPECT_TRUE(plan.isLeast);
}

TEST(ActionPlan, DoubtsTheOneThatStaysIfItsHolderGoes) {
  const FiveObjects heap;
  Found found;
  found.add(InsightKind::DuplicateStrings, InsightMeaning::Waste, {{3, 10}}).ids = {1, 3};
  found.add(InsightKind::DelegateLeak, InsightMeaning::Leak, {}, {0}, 240);
  const ActionPlan plan = found.plan(heap);
  EXPECT_EQ(plan.bytes, 240u) << "1 goes with what leaks, or stays for all";
  EXPECT_EQ(plan.doubtfulBytes, 80u);
}

TEST(ActionPlan, SaysThatSeveralLeaksMayFreeMoreTogether) {
  const FiveObjects heap;
  Found found;
  found.add(InsightKind::DelegateLeak, InsightMeaning::Leak, {}, {3}, 80);
  EXPECT_FALSE(found.plan(heap).isLeast);
  found.add(InsightKind::TimerLeak, InsightMeaning::Leak, {}, {4}, 80);
  EXPECT_TRUE(found.plan(heap).isLeast);
}

/// Units of a heap that claims take, by the plainest of rules: an object loses what is claimed of it, but not more than
/// it has, and all of it with an object that dominates it.
std::uint64_t unionOf(const Found& found, const std::vector<std::uint32_t>& parents, std::uint64_t units) {
  std::vector<std::uint64_t> taken(parents.size());
  for (const FoundInsight& one : found.found) {
    for (const Claim& claim : one.claims) taken[claim.object] += claim.units;
    for (std::uint32_t object = 0; object < parents.size(); ++object) {
      for (std::uint32_t above = object;; above = parents[above]) {
        if (std::ranges::count(one.dominating, above)) taken[object] = units;
        if (above == parents[above]) break;
      }
    }
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t one : taken) sum += std::min(one, units);
  return sum * 8;
}

TEST(ActionPlan, AddsUpToWhatANaiveCountSays) {
  constexpr std::uint32_t kObjects = 40, kUnits = 10;
  std::mt19937 random(18);
  for (int round = 0; round < 60; ++round) {
    HeapInMemory heap;
    const TypeId type = heap.addType("Shop.Order", kUnits * 8);
    std::vector<std::uint32_t> parents;
    for (std::uint32_t i = 0; i < kObjects; ++i) {
      heap.addObject(type);
      parents.push_back(i && random() % 4 ? static_cast<std::uint32_t>(random() % i) : i);
      if (parents[i] == i)
        heap.addRoot(RootKind::Static, i, "static Shop.Cache.order");
      else
        heap.addReference(parents[i], i);
    }
    Found found;
    for (int insight = 0; insight < 12; ++insight) {
      // Of each object once: an insight counts no byte twice itself.
      std::vector<Claim> claims;
      for (auto object = static_cast<std::uint32_t>(random() % 4); object < kObjects;
           object += 1 + static_cast<std::uint32_t>(random() % 12))
        claims.push_back({object, 1 + static_cast<std::uint32_t>(random() % kUnits)});
      std::vector<std::uint32_t> dominating;
      std::uint64_t bytes = 0;
      if (random() % 3 == 0) {
        claims.clear();
        dominating = {static_cast<std::uint32_t>(random() % kObjects)};
        Found alone;
        alone.add(InsightKind::TimerLeak, InsightMeaning::Leak, {}, dominating);
        bytes = unionOf(alone, parents, kUnits);
      }
      const bool isLeak = !dominating.empty();
      found.add(isLeak ? InsightKind::TimerLeak : InsightKind::UniformArrays,
                isLeak ? InsightMeaning::Leak : InsightMeaning::Waste, std::move(claims), std::move(dominating), bytes);
    }
    const ActionPlan plan = found.plan(heap);
    std::uint64_t added = 0;
    for (const InsightAction& action : plan.actions) {
      EXPECT_LE(action.addedBytes, action.bytes);
      added += action.addedBytes;
    }
    ASSERT_EQ(added, unionOf(found, parents, kUnits)) << round;
    EXPECT_EQ(plan.bytes + plan.doubtfulBytes, added);
    EXPECT_TRUE(std::ranges::is_sorted(plan.actions, std::greater(), &InsightAction::bytes));
  }
}

class PlanOfDump : public testing::TestWithParam<const char*> {};

TEST_P(PlanOfDump, HasEachInsightThatCanBeDoneSomethingAboutOnce) {
  const InsightList& list = insightsOf(GetParam());
  std::vector<int> times(list.insights.size());
  for (const InsightAction& action : list.plan.actions) {
    for (const std::uint32_t insight : action.insights) ++times[insight];
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Insight& insight = list.insights[i];
    const bool canBeDone =
        insight.meaning != InsightMeaning::Held && !insight.isFramework && !insight.isInexact && insight.bytes > 0;
    EXPECT_EQ(times[i], canBeDone ? 1 : 0) << insight.title;
  }
}

TEST_P(PlanOfDump, AddsUpToWhatIsWastedAndLeakedButForTheFrameworks) {
  const InsightList& list = insightsOf(GetParam());
  ASSERT_FALSE(list.plan.actions.empty());
  std::uint64_t added = 0;
  for (const InsightAction& action : list.plan.actions) {
    EXPECT_LE(action.addedBytes, action.bytes);
    EXPECT_LE(action.doubtfulBytes, action.addedBytes);
    added += action.addedBytes;
  }
  EXPECT_EQ(list.plan.actions.front().addedBytes, list.plan.actions.front().bytes);
  EXPECT_EQ(added, list.wasteBytes + list.leakBytes - list.frameworkBytes) << "in whichever order they are counted";
  EXPECT_EQ(list.plan.bytes + list.plan.doubtfulBytes, added);
  EXPECT_LT(list.plan.bytes, list.plan.heapBytes);
}

TEST_P(PlanOfDump, SaysEachInASentenceOfItsOwn) {
  const std::vector<TitledAction> actions = titledActions(insightsOf(GetParam()));
  std::set<std::string> titles;
  for (const TitledAction& action : actions) {
    EXPECT_TRUE(action.title.front() >= 'A' && action.title.front() <= 'Z') << action.title;
    EXPECT_GT(action.objects, 0u) << action.title;
    EXPECT_TRUE(titles.insert(action.title + action.examples.front()).second) << action.title;
  }
}

INSTANTIATE_TEST_SUITE_P(Dumps, PlanOfDump,
                         testing::Values("flaws-10", "flaws-11", "flaws-8", "flaws-10-server", "shop-10", "shop-11"));

TEST(ActionText, BeginsWithWhatToDo) {
  const InsightList& list = insightsOf("flaws-10");
  const auto has = [&](const std::string& text) {
    return std::ranges::any_of(list.plan.actions, [&](const InsightAction& action) {
      return actionText(list, action).find(text) != std::string::npos;
    });
  };
  EXPECT_TRUE(has("Keep one of 1,000 equal strings of 22 characters"));
  EXPECT_TRUE(has("Unsubscribe "));
  EXPECT_TRUE(has("Reorder the fields of Flaws."));
  EXPECT_TRUE(has("Trim "));
}

TEST(ActionText, NamesPlaceAndTypeWhateverTheSubjectReadsLike) {
  InsightList list;
  Insight insight;
  insight.kind = InsightKind::DelegateLeak;
  insight.objects = 2;
  insight.place = "static Shop.Bus.\u2192 arrows";
  insight.type = "Shop.View";
  insight.subject = "as it is shown";
  list.insights.push_back(insight);
  insight.kind = InsightKind::Fragmentation;
  insight.place = "gen2";
  insight.type = "Shop.Odd, pinned []";
  list.insights.push_back(insight);
  insight.type.clear();
  list.insights.push_back(insight);
  insight.place = "large object heap of heap 1";
  list.insights.push_back(insight);
  EXPECT_EQ(actionText(list, {.insights = {3}}),
            "Reduce fragmentation: 2 free objects in the large object heap of heap 1");
  EXPECT_EQ(actionText(list, {.insights = {0}}), "Unsubscribe 2 Shop.View objects from static Shop.Bus.\u2192 arrows");
  EXPECT_EQ(actionText(list, {.insights = {1}}),
            "Reduce fragmentation: 2 free objects in gen2 between pinned Shop.Odd, pinned []");
  EXPECT_EQ(actionText(list, {.insights = {2}}), "Reduce fragmentation: 2 free objects in gen2");
}

TEST(LeaveOutFramework, KeepsThePlansInsights) {
  InsightList list = insightsOf("flaws-10");
  std::vector<std::string> titles;
  for (const InsightAction& action : list.plan.actions) titles.push_back(actionText(list, action));
  const std::size_t all = list.insights.size();
  leaveOutFramework(list);
  ASSERT_LT(list.insights.size(), all);
  for (std::size_t i = 0; i < titles.size(); ++i) EXPECT_EQ(actionText(list, list.plan.actions[i]), titles[i]);
}

}  // namespace
}  // namespace heapscape::test
