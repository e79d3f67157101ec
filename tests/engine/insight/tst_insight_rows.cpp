// SPDX-License-Identifier: MIT
// Insights as lines of a list: alone, or many of a kind together.
#include "insight/insight_groups.h"

#include <gtest/gtest.h>

namespace heapscape::engine {
namespace {

InsightList listOf(std::vector<Insight> insights) {
  InsightList list;
  list.insights = std::move(insights);
  return list;
}

Insight strings(std::uint64_t bytes, std::uint64_t sharedBytes = 0) {
  return {.kind = InsightKind::DuplicateStrings, .bytes = bytes, .sharedBytes = sharedBytes, .objects = 2};
}

TEST(InsightRows, OfNoInsightsAreNone) {
  EXPECT_TRUE(insightRows({}).empty());
  EXPECT_TRUE(groupsOfInsights({}).empty());
}

TEST(GroupsOfInsights, KeepApartWhatHasAnotherMeaningKindOrHolder) {
  const InsightList list = listOf({{.kind = InsightKind::Suspect, .meaning = InsightMeaning::Held, .bytes = 50},
                                   {.kind = InsightKind::Suspect, .meaning = InsightMeaning::Leak, .bytes = 45},
                                   strings(30),
                                   {.kind = InsightKind::DuplicateStrings, .isFramework = true, .bytes = 20},
                                   strings(10),
                                   {.kind = InsightKind::EmptyArrays, .bytes = 5}});
  const auto groups = groupsOfInsights(list);
  ASSERT_EQ(groups.size(), 5u);
  EXPECT_EQ(groups[0].meaning, InsightMeaning::Held);
  EXPECT_EQ(groups[1].meaning, InsightMeaning::Leak);
  EXPECT_EQ(groups[2].insights, (std::vector<std::uint32_t>{2, 4}));
  EXPECT_EQ(groups[2].bytes, 40u);
  EXPECT_EQ(groups[2].objects, 4u);
  EXPECT_TRUE(groups[2].isGroup());
  EXPECT_TRUE(groups[3].isFramework);
  EXPECT_EQ(groups[4].kind, InsightKind::EmptyArrays);
  EXPECT_FALSE(groups[4].isGroup());
}

TEST(GroupsOfInsights, CountNoByteThatEarlierKindsCountAlready) {
  const auto groups = groupsOfInsights(listOf({strings(100, 30), strings(50, 50), strings(20, 99)}));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].bytes, 70u) << "and more than all of its own is not taken off";
}

TEST(InsightRows, AreInsightsAloneUntilThereAreMoreThanAFew) {
  const InsightList three = listOf({strings(30), strings(20), strings(10)});
  EXPECT_EQ(insightRows(three, 3).size(), 3u);
  EXPECT_EQ(insightRows(three, 2).size(), 1u);
  EXPECT_EQ(insightRows(three, 0).size(), 1u);
  EXPECT_EQ(insightRows(listOf(std::vector<Insight>(kFewInsights, strings(8)))).size(), kFewInsights);
  EXPECT_EQ(insightRows(listOf(std::vector<Insight>(kFewInsights + 1, strings(8)))).size(), 1u);
}

TEST(InsightRows, AloneHaveAllTheirBytesThoughSomeAreShared) {
  const auto rows = insightRows(listOf({strings(100, 30)}));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].bytes, 100u);
  EXPECT_EQ(rows[0].objects, 2u);
  EXPECT_EQ(rows[0].insights, (std::vector<std::uint32_t>{0}));
}

TEST(InsightRows, BeginWithWhatCanBeWonBack) {
  const InsightList list = listOf({{.kind = InsightKind::Suspect, .meaning = InsightMeaning::Held, .bytes = 9000},
                                   {.kind = InsightKind::PoorHashing, .bytes = 0},
                                   {.kind = InsightKind::TimerLeak, .meaning = InsightMeaning::Leak, .bytes = 10},
                                   strings(300)});
  std::vector<std::uint32_t> order;
  for (const InsightRow& row : insightRows(list)) order.push_back(row.insights.front());
  EXPECT_EQ(order, (std::vector<std::uint32_t>{3, 2, 0, 1}));
}

TEST(InsightRows, OfEquallyManyBytesKeepTheirOrder) {
  std::vector<std::uint32_t> order;
  for (const InsightRow& row : insightRows(listOf({strings(8), strings(8), strings(8)})))
    order.push_back(row.insights.front());
  EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(InsightGroupTitle, CountsWhatTheKindIsAbout) {
  EXPECT_EQ(insightGroupTitle(InsightKind::DuplicateStrings, 1100, 15'000), "1,100 texts, 15,000 strings");
  EXPECT_EQ(insightGroupTitle(InsightKind::DuplicateStrings, 1, 1), "1 text, 1 string");
  EXPECT_EQ(insightGroupTitle(InsightKind::EmptyCollections, 14, 20), "14 types, 20 collections");
  EXPECT_EQ(insightGroupTitle(InsightKind::PendingAsync, 13, 99), "13 methods, 99 calls");
  EXPECT_EQ(insightGroupTitle(InsightKind::GenericGrowth, 13, 0), "13 insights") << "about no objects";
}

TEST(InsightKinds, AreFoundByTheNamesThatTheyAreWrittenWith) {
  for (int kind = 0; kind <= static_cast<int>(InsightKind::Suspect); ++kind)
    EXPECT_EQ(enumNamed<InsightKind>(toString(static_cast<InsightKind>(kind))), static_cast<InsightKind>(kind));
  EXPECT_STREQ(toString(InsightKind::StuckLoadContext), "stuckLoadContext");
  EXPECT_STREQ(toString(InsightKind::SmallObjects), "smallObjects");
  EXPECT_EQ(enumNamed<InsightKind>("duplicatestrings"), std::nullopt);
  EXPECT_EQ(enumNamed<InsightKind>(""), std::nullopt);
}

}  // namespace
}  // namespace heapscape::engine
