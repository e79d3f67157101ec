// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "base/figures.h"
#include "insight/comparison/compare_snapshots.h"
#include "insight/comparison/dominator_difference.h"
#include "insight/comparison/dump_order.h"
#include "insight/comparison/owner_changes.h"
#include "session/objects/retained_query.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

Snapshot opened(const std::string& name) {
  return openSnapshot(dumpPath(name), Stage::Retained);
}

Comparison compared(const Snapshot& before, const Snapshot& after, const ComparisonOptions& options = {}) {
  auto comparison = compareSnapshots(before, after, options, nullptr, {});
  if (!comparison) throw std::runtime_error("the dumps were not compared");
  return std::move(*comparison);
}

/// The growing program, early and late; rebuilt in between, or on another runtime.
struct Growth {
  Snapshot before = opened("growth/before-10");
  Snapshot rebuilt = opened("growth/after-10");
  Snapshot onNet9 = opened("growth/after-9");
  Snapshot onNet11 = opened("growth/after-11");
};

const Growth& growth() {
  static const Growth dumps;
  return dumps;
}

const TypeChange* findType(const Comparison& comparison, std::string_view name) {
  const auto found = std::ranges::find(comparison.types, name, &TypeChange::name);
  return found == comparison.types.end() ? nullptr : &*found;
}

const FigureChange* findFigure(const Comparison& comparison, std::string_view group, std::string_view name) {
  for (const FigureChange& figure : comparison.figures)
    if (figure.group == group && figure.name == name) return &figure;
  return nullptr;
}

void expectReconciled(const Comparison& comparison, const Snapshot& before, const Snapshot& after) {
  Change count, bytes;
  std::int64_t grown = 0;
  for (const TypeChange& type : comparison.types) {
    count.before += type.count.before;
    count.after += type.count.after;
    bytes.before += type.bytes.before;
    bytes.after += type.bytes.after;
    grown += type.bytes.difference();
  }
  EXPECT_EQ(count.before, before.totals().objects);
  EXPECT_EQ(count.after, after.totals().objects);
  EXPECT_EQ(bytes.before, before.totals().bytes);
  EXPECT_EQ(bytes.after, after.totals().bytes);
  EXPECT_EQ(grown, comparison.bytes.difference());
}

TEST(Comparison, has_the_planted_leak_in_its_first_row) {
  for (const Snapshot& after : {growth().rebuilt, growth().onNet9, growth().onNet11}) {
    const Comparison comparison = compared(growth().before, after, {.withInsights = false});
    const TypeChange& first = comparison.types.front();
    EXPECT_EQ(first.name, "Growth.Session");
    EXPECT_EQ(first.count.before, 1000u);
    EXPECT_EQ(first.count.after, 21'000u);
    EXPECT_EQ(first.bytes.difference(), 20'000 * 104);
    EXPECT_EQ(first.retained.difference(), 20'000 * 104);
  }
}

TEST(Comparison, adds_up_to_the_difference_of_the_heaps) {
  const Growth& dumps = growth();
  expectReconciled(compared(dumps.before, dumps.rebuilt, {.withInsights = false}), dumps.before, dumps.rebuilt);
  expectReconciled(compared(dumps.before, dumps.onNet9, {.withInsights = false}), dumps.before, dumps.onNet9);
  expectReconciled(compared(dumps.onNet9, dumps.before, {.withInsights = false}), dumps.onNet9, dumps.before);
  expectReconciled(compared(dumps.before, dumps.onNet11, {.withInsights = false}), dumps.before, dumps.onNet11);
}

TEST(Comparison, finds_new_gone_and_shrunken_types_of_a_rebuilt_program) {
  const Comparison comparison = compared(growth().before, growth().rebuilt, {.withInsights = false});
  ASSERT_TRUE(findType(comparison, "Growth.NewForm"));
  EXPECT_TRUE(findType(comparison, "Growth.NewForm")->isNew());
  EXPECT_EQ(findType(comparison, "Growth.NewForm")->count.after, 50u);
  ASSERT_TRUE(findType(comparison, "Growth.OldForm"));
  EXPECT_TRUE(findType(comparison, "Growth.OldForm")->isGone());
  ASSERT_TRUE(findType(comparison, "Growth.Draft"));
  EXPECT_EQ(findType(comparison, "Growth.Draft")->count.difference(), -400);
  EXPECT_EQ(comparison.types.back().name, "Growth.Draft");  // shrunk most
}

TEST(Comparison, matches_every_type_of_one_dump_with_itself) {
  const Comparison comparison = compared(growth().before, growth().before);
  for (const TypeChange& type : comparison.types) {
    EXPECT_EQ(type.count.before, type.count.after) << type.name;
    EXPECT_EQ(type.retained.before, type.retained.after) << type.name;
  }
  for (const FigureChange& figure : comparison.figures)
    EXPECT_EQ(figure.value.difference(), 0) << figure.group << " " << figure.name;
  for (const InsightChange& insight : comparison.insights) EXPECT_EQ(insight.bytes.difference(), 0) << insight.title;
  EXPECT_TRUE(comparison.layouts.empty());
}

TEST(Comparison, counts_handles_and_threads_that_were_made_in_between) {
  const Comparison comparison = compared(growth().before, growth().rebuilt, {.withInsights = false});
  ASSERT_TRUE(findFigure(comparison, "Handles", "pinned"));
  EXPECT_EQ(findFigure(comparison, "Handles", "pinned")->value.difference(), 7);
  EXPECT_EQ(findFigure(comparison, "Threads", "managed threads")->value.difference(), 2);
  EXPECT_EQ(findFigure(comparison, "Modules", "modules")->value.difference(), 0);
  EXPECT_EQ(findFigure(comparison, "Heap", "objects")->value.after,
            growth().rebuilt.totals().objects - growth().rebuilt.totals().freeObjects);
  std::uint64_t mapped = 0;
  for (const FigureChange& figure : comparison.figures)
    if (figure.group == "Process memory" && figure.name != "mapped" && figure.name != "reserved only" &&
        figure.name != "in memory or swapped out, at least")
      mapped += figure.value.after;
  EXPECT_EQ(mapped, findFigure(comparison, "Process memory", "mapped")->value.after);
}

TEST(Comparison, tells_what_became_of_the_fields_of_a_changed_type) {
  const Comparison comparison = compared(growth().before, growth().rebuilt, {.withInsights = false});
  ASSERT_EQ(comparison.layouts.size(), 1u);
  const LayoutChange& account = comparison.layouts.front();
  EXPECT_EQ(account.type, "Growth.Account");
  EXPECT_EQ(account.instanceBytes.before, 24u);
  EXPECT_EQ(account.instanceBytes.after, 48u);
  EXPECT_EQ(account.objects, 300u);
  const auto has = [&](std::string_view field) {
    return std::ranges::find(account.fields, field) != account.fields.end();
  };
  EXPECT_TRUE(has("+ Discount: System.Decimal at 16"));
  EXPECT_TRUE(has("- Code: System.Int16 at 4"));
  EXPECT_TRUE(has("~ Id: System.Int32 → System.Int64"));
}

TEST(Comparison, finds_the_insight_that_grew) {
  const Comparison comparison = compared(growth().before, growth().rebuilt);
  EXPECT_GT(comparison.insightThreshold, 0u);
  const auto strings = std::ranges::find_if(comparison.insights, [](const InsightChange& insight) {
    return insight.kind == InsightKind::DuplicateStrings && insight.contents == "plan: standard";
  });
  ASSERT_NE(strings, comparison.insights.end());
  // 200 equal strings of 56 bytes before, 2,000 after: all but one are waste.
  EXPECT_EQ(strings->bytes.difference(), 1800 * 56);
}

// It held less than a suspect has to: that is no reason to call it new, nor gone the other way round.
TEST(Comparison, tells_of_a_suspect_what_it_holds_where_it_is_none) {
  const auto suspectOf = [](const Comparison& comparison) {
    return std::ranges::find_if(comparison.insights, [](const InsightChange& insight) {
      return insight.kind == InsightKind::Suspect && insight.subject == "static Growth.Server.sessions";
    });
  };
  const auto bytesOf = [](const Snapshot& snapshot) {
    const auto root = std::ranges::find(snapshot.roots().roots, "static Growth.Server.sessions", &RootRow::name);
    return *retainedBytesAt(snapshot, root->object);
  };
  const Snapshot &before = growth().before, &after = growth().rebuilt;
  const Comparison grown = compared(before, after), shrunk = compared(after, before);
  ASSERT_NE(suspectOf(grown), grown.insights.end());
  EXPECT_EQ(suspectOf(grown)->bytes.before, bytesOf(before));
  EXPECT_EQ(suspectOf(grown)->bytes.after, bytesOf(after));
  EXPECT_EQ(suspectOf(grown)->objects.difference(), 0);
  ASSERT_NE(suspectOf(shrunk), shrunk.insights.end());
  EXPECT_EQ(suspectOf(shrunk)->bytes.after, bytesOf(before));
  const auto share = [](const Snapshot& snapshot, std::uint64_t bytes) {
    return std::to_string(percentOf(bytes, snapshot.retainedTotals().reachableBytes)) + "%";
  };
  EXPECT_EQ(suspectOf(shrunk)->title, "static Growth.Server.sessions holds " + share(before, bytesOf(before)) +
                                          " of what is live, " + share(after, bytesOf(after)) + " before");
}

TEST(Comparison, adds_up_insights_of_one_subject) {
  InsightList before, after;
  before.insights.resize(1);
  before.insights[0].subject = "A";
  before.insights[0].bytes = 10;
  after.insights.resize(2, before.insights[0]);
  const auto changes = compareInsights(before, after);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].bytes.before, 10u);
  EXPECT_EQ(changes[0].bytes.after, 20u);
}

TypeChange typeOf(const std::string& name, std::uint64_t before, std::uint64_t after) {
  TypeChange type;
  type.name = name;
  type.count = type.bytes = {before, after};
  return type;
}

TEST(Comparison, has_free_space_neither_first_nor_last) {
  std::vector<TypeChange> types{typeOf("Shrunk", 50, 10), typeOf("Free", 0, 9000), typeOf("Grown", 10, 50)};
  types[1].isFree = true;
  sortByGrowth(types, GrowthColumn::Bytes);
  EXPECT_EQ(types[0].name, "Grown");
  EXPECT_EQ(types[2].name, "Shrunk");
  EXPECT_EQ(growthOf(types[1], GrowthColumn::Bytes), 0);
}

TEST(Comparison, guesses_which_type_moved_to_another_namespace) {
  std::vector<TypeChange> types{
      typeOf("Shop.Customer", 5, 0), typeOf("Shop.Model.Customer", 0, 5), typeOf("Shop.Pair<Shop.A>", 1, 0),
      typeOf("Pair<Shop.A>", 0, 1),  typeOf("Shop.Note", 1, 0),           typeOf("Shop.A.Note", 0, 1),
      typeOf("Shop.B.Note", 0, 1),   typeOf("Shop.Order", 1, 1),          typeOf("Shop.Old.Order", 0, 1)};
  guessMovedTypes(types);
  EXPECT_EQ(types[1].perhapsWas, "Shop.Customer");
  EXPECT_EQ(types[3].perhapsWas, "Shop.Pair<Shop.A>");
  EXPECT_EQ(types[5].perhapsWas, "") << "there are two that it may be";
  EXPECT_EQ(types[8].perhapsWas, "") << "the other one is still there";
}

TEST(Comparison, says_of_which_modules_only_one_dump_has_names) {
  const Snapshot named = openSnapshot(dumpPath("shop-10"), Stage::Segments);
  const Snapshot unnamed = openSnapshot(dumpPath("shop-10-gcore"), Stage::Segments);
  const FindingList gaps = findComparisonGaps(named, unnamed);
  ASSERT_EQ(gaps.items().size(), 1u);
  EXPECT_NE(gaps.items().front().message.find("later dump has no names"), std::string::npos);
  EXPECT_EQ(findComparisonGaps(unnamed, unnamed).items().size(), 0u);
  EXPECT_EQ(findComparisonGaps(named, named).items().size(), 0u);
}

TEST(Comparison, needs_retained_sizes_and_can_be_stopped) {
  const Snapshot early = openSnapshot(dumpPath("growth/before-10"), Stage::Layouts);
  EXPECT_FALSE(compareSnapshots(early, growth().before, {}, nullptr, {}));
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = compareSnapshots(growth().before, growth().rebuilt, {}, nullptr, stop.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(stopped.error().isCancelled());
}

TEST(Comparison, owners_add_up_to_each_heap_and_the_leaks_owner_grew_most) {
  const auto changes = compareHolders(growth().before, growth().rebuilt, {});
  ASSERT_TRUE(changes);
  Change bytes;
  for (const OwnerChange& owner : changes->owners) {
    bytes.before += owner.bytes.before;
    bytes.after += owner.bytes.after;
  }
  EXPECT_EQ(bytes.before, growth().before.totals().bytes - growth().before.totals().freeBytes);
  EXPECT_EQ(bytes.after, growth().rebuilt.totals().bytes - growth().rebuilt.totals().freeBytes);
  EXPECT_EQ(changes->owners.front().name, "static Growth.Server.sessions");
  EXPECT_EQ(changes->roots.front().name, "static Growth.Server.sessions");
  EXPECT_TRUE(std::ranges::is_sorted(changes->owners, std::ranges::greater{},
                                     [](const OwnerChange& owner) { return owner.bytes.difference(); }));
}

TEST(Comparison, dominators_are_laid_over_each_other_to_the_byte) {
  const auto shapes = dominatorDifference(growth().before, growth().rebuilt, {}, {});
  ASSERT_TRUE(shapes);
  const DifferenceShape& whole = shapes->front();
  EXPECT_EQ(whole.retained.before, growth().before.retainedTotals().reachableBytes);
  EXPECT_EQ(whole.retained.after, growth().rebuilt.retainedTotals().reachableBytes);
  std::vector<std::uint64_t> inside(shapes->size());
  std::vector<Change> below(shapes->size());
  for (std::size_t i = 1; i < shapes->size(); ++i) {
    const DifferenceShape& shape = (*shapes)[i];
    const DifferenceShape& parent = (*shapes)[shape.parent];
    ASSERT_LT(shape.parent, i);
    EXPECT_EQ(shape.depth, parent.depth + 1);
    EXPECT_EQ(shape.firstByte, parent.firstByte + inside[shape.parent]) << "side by side";
    inside[shape.parent] += shape.bytes;
    below[shape.parent].before += shape.retained.before;
    below[shape.parent].after += shape.retained.after;
  }
  for (std::size_t i = 0; i < shapes->size(); ++i) {
    EXPECT_LE(inside[i], (*shapes)[i].bytes) << (*shapes)[i].name;
    EXPECT_LE(below[i].before, (*shapes)[i].retained.before) << (*shapes)[i].name;
    EXPECT_LE(below[i].after, (*shapes)[i].retained.after) << (*shapes)[i].name;
  }
  const auto leak = std::ranges::find(*shapes, "Growth.Session", &DifferenceShape::name);
  ASSERT_NE(leak, shapes->end());
  EXPECT_GT(leak->retained.difference(), 1'900'000);
}

TEST(Comparison, of_a_dump_with_itself_nothing_has_changed) {
  const auto shapes = dominatorDifference(growth().before, growth().before, {}, {});
  ASSERT_TRUE(shapes);
  for (const DifferenceShape& shape : *shapes) EXPECT_EQ(shape.retained.difference(), 0) << shape.name;
  const auto changes = compareHolders(growth().before, growth().before, {});
  ASSERT_TRUE(changes);
  for (const RootChange& root : changes->roots) EXPECT_EQ(root.bytes.difference(), 0) << root.name;
  EXPECT_EQ(orderOf(growth().before, growth().before).source, OrderSource::Nothing);
}

}  // namespace
}  // namespace heapscape::engine
