// SPDX-License-Identifier: MIT
// All types by all ways to declare them, against each type studied by itself and what the heap wastes.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "layout/advice/layout_difference.h"
#include "session/layouts/layouts_by_rules.h"
#include "session/layouts/waste_query.h"
#include "support/opened_snapshot.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

const TypeByRules* rowOf(const LayoutsByRules& all, Address methodTable) {
  const auto row = std::ranges::find(all.types, methodTable, &TypeByRules::methodTable);
  return row == all.types.end() ? nullptr : &*row;
}

DeclaredLayouts layoutsOf(const Snapshot& snapshot) {
  auto layouts = DeclaredLayouts::ofDump(snapshot);
  if (!layouts) throw std::runtime_error(layouts.error().message());
  return *layouts;
}

class NotedProgress : public ProgressSink {
 public:
  void progressed(const Progress& progress) override { fractions.push_back(progress.fraction); }
  std::vector<double> fractions;
};

TEST(LayoutsByRules, EachTypeIsAsItsStudySays) {
  const Snapshot snapshot = openSnapshot(dumpPath("shop-10"));
  const auto all = layoutsByRules(snapshot, nullptr, {});
  ASSERT_TRUE(all);
  const DeclaredLayouts layouts = layoutsOf(snapshot);
  const auto names = layouts.types({});
  ASSERT_TRUE(names);
  std::size_t studied = 0, differing = 0;
  for (const LayoutRow& type : *names) {
    if (type.id.isNone() || !type.name.starts_with("Shop.") || type.name.ends_with(']')) continue;
    const auto study = layouts.study(type.id, {});
    if (!study) continue;
    std::map<RuleSet, const TypeLayout*> by;
    for (const LayoutVariant& variant : study->layouts) by[variant.question.rules] = &variant.layout;
    if (!by.contains(RuleSet::Auto) || !by.contains(RuleSet::Sequential) || !by.contains(RuleSet::Best)) continue;
    ++studied;
    const bool differs = !compareLayouts(*by[RuleSet::Sequential], *by[RuleSet::Auto]).isSame ||
                         !compareLayouts(*by[RuleSet::Auto], *by[RuleSet::Best]).isSame;
    const TypeByRules* row = rowOf(**all, type.methodTable);
    EXPECT_EQ(row && row->differs, differs) << type.name;
    if (!row) continue;
    differing += differs;
    EXPECT_EQ(row->sequentialBytes, by[RuleSet::Sequential]->unitBytes()) << type.name;
    EXPECT_EQ(row->autoBytes, by[RuleSet::Auto]->unitBytes()) << type.name;
    EXPECT_EQ(row->bestBytes, by[RuleSet::Best]->unitBytes()) << type.name;
  }
  EXPECT_GT(studied, 20u);
  EXPECT_GT(differing, 3u);
  EXPECT_LT(differing, studied);
}

TEST(LayoutsByRules, SavingsAreThoseOfTheHeap) {
  const Snapshot snapshot = openSnapshot(dumpPath("shop-10"));
  NotedProgress progress;
  const auto all = layoutsByRules(snapshot, &progress, {});
  ASSERT_TRUE(all);
  const auto waste = wasteOf(snapshot, layoutsOf(snapshot), nullptr, {});
  ASSERT_TRUE(waste);
  std::size_t saving = 0;
  for (const WasteRow& row : waste->rows) {
    const TypeByRules* found = rowOf(**all, row.methodTable);
    EXPECT_EQ(found ? found->savedBytes : 0, row.savedByBest) << row.type;
    saving += row.savedByBest > 0;
  }
  EXPECT_GT(saving, 3u);
  EXPECT_TRUE(std::ranges::is_sorted(progress.fractions));
  ASSERT_FALSE(progress.fractions.empty());
  EXPECT_DOUBLE_EQ(progress.fractions.back(), 1);
}

TEST(LayoutsByRules, TheyAreLaidOutOnceForADump) {
  const Snapshot snapshot = openSnapshot(dumpPath("shop-10"));
  std::stop_source stopped;
  stopped.request_stop();
  const auto cancelled = layoutsByRules(snapshot, nullptr, stopped.get_token());
  ASSERT_FALSE(cancelled);
  EXPECT_TRUE(cancelled.error().isCancelled());
  const auto first = layoutsByRules(snapshot, nullptr, {});
  const auto second = layoutsByRules(snapshot, nullptr, stopped.get_token());
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
}

}  // namespace
}  // namespace heapscape::engine
