// SPDX-License-Identifier: MIT
// What long work tells of how far it is: from nothing to all, never back, and in steps that can be followed.
// bench/progress holds it against the time that it takes.
#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <map>

#include "insight/insight.h"
#include "insight/trend/dump_sample.h"
#include "query/objects/key_order.h"
#include "query/objects/object_search.h"
#include "session/heap/heap_check.h"
#include "session/open/retained_stage.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr auto kDump = "flaws-10";

/// Of each activity the share that it began with, in their order, and the largest step between two reports.
struct Course {
  std::vector<std::pair<std::string, double>> begins;
  std::map<std::string, int> told;
  double largestStep = 0;

  double beginOf(const std::string& activity) const {
    const auto found = std::ranges::find(begins, activity, &std::pair<std::string, double>::first);
    return found == begins.end() ? -1 : found->second;
  }
};

Course courseOf(const std::vector<Progress>& reports) {
  Course course;
  double last = 0;
  for (const Progress& progress : reports) {
    EXPECT_GE(progress.fraction, last) << progress.activity;
    EXPECT_LE(progress.fraction, 1) << progress.activity;
    if (course.begins.empty() || course.begins.back().first != progress.activity)
      course.begins.emplace_back(progress.activity, progress.fraction);
    ++course.told[progress.activity];
    course.largestStep = std::max(course.largestStep, progress.fraction - last);
    last = progress.fraction;
  }
  EXPECT_DOUBLE_EQ(last, 1);
  return course;
}

ObjectSearch sortedBy(ObjectField field, bool descending = true) {
  ObjectSearch search;
  search.sortBy = referenceTo(field);
  search.descending = descending;
  search.limit = SIZE_MAX;
  search.rows = 1;
  return search;
}

TEST(ToldProgress, ASortIsNotAllButDoneWhenAllIsFound) {
  const Snapshot& snapshot = retainedDump(kDump);
  for (const ObjectField field : {ObjectField::Size, ObjectField::Type, ObjectField::Retained, ObjectField::Gen}) {
    RecordingListener listener;
    ASSERT_TRUE(findObjects(snapshot, sortedBy(field), &listener, {}));
    const Course course = courseOf(listener.reports);
    EXPECT_EQ(course.begins.size(), 2u);
    EXPECT_EQ(course.beginOf(kSearchingObjects), 0);
    EXPECT_LT(course.beginOf(kSortingObjects), 0.6);
    EXPECT_GT(course.told.at(kSortingObjects), 50);
    EXPECT_LT(course.largestStep, 0.15);
  }
}

TEST(ToldProgress, ASearchThatFindsLittleIsHardlyASort) {
  RecordingListener listener;
  ObjectSearch search = sortedBy(ObjectField::Size);
  search.query = *makeQuery("size > 100000", objectSchema());
  ASSERT_TRUE(findObjects(retainedDump(kDump), search, &listener, {}));
  EXPECT_GT(courseOf(listener.reports).beginOf(kSortingObjects), 0.9);
}

TEST(ToldProgress, SortingInPartsGivesTheOrderOfSortingAll) {
  const Snapshot& snapshot = retainedDump(kDump);
  const FoundObjects all = findObjects(snapshot, {}, nullptr, {}).value();
  ASSERT_GT(all.ids.size(), 10'000u) << "fewer are not sorted in parts";
  for (const ObjectField field : {ObjectField::Size, ObjectField::Type, ObjectField::Retained, ObjectField::Address}) {
    for (const bool descending : {false, true}) {
      const ObjectSearch search = sortedBy(field, descending);
      const std::vector<std::uint32_t> order = findObjects(snapshot, search, nullptr, {})->order;
      ASSERT_EQ(order.size(), all.ids.size());
      ObjectSearch described = search;
      described.columns = {referenceTo(field)};
      const auto rows = describeObjects(snapshot, described, order, {}).value();
      // What is equal is in the order of addresses, which ids are in.
      for (std::size_t i = 1; i < rows.size(); ++i) {
        const QueryValue &before = rows[i - 1].columns[0], &after = rows[i].columns[0];
        const bool isWrong = descending ? isBefore(before, after) : isBefore(after, before);
        const bool isEqual = !isBefore(before, after) && !isBefore(after, before);
        ASSERT_FALSE(after.isThere() && isWrong) << i;
        ASSERT_FALSE(isEqual && order[i - 1] > order[i]) << i;
      }
    }
  }
}

// Numbers, and texts that only their last letters tell apart.
LargeArray<KeyedPlace> manyKeys(SortKeys& maker) {
  LargeArray<KeyedPlace> keys(400'000);
  for (std::uint64_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t mixed = i * 0x9E3779B97F4A7C15u >> 40;
    const QueryValue text = QueryValue::ofText("they begin alike, " + std::to_string(mixed));
    keys[i] = KeyedPlace(maker.keyOf(i % 2 ? QueryValue::ofNumber(mixed) : text));
  }
  return keys;
}

TEST(ToldProgress, PuttingValuesInOrderTellsHowFarItIs) {
  SortKeys maker;
  std::vector<double> told;
  // On one thread, so that nobody finds another one telling.
  tbb::task_arena(1).execute(
      [&] { placesInOrder(manyKeys(maker), SIZE_MAX, false, [&](double share) { told.push_back(share); }, {}); });
  ASSERT_GT(told.size(), 30u);
  double last = 0;
  for (const double share : told) {
    EXPECT_GT(share, last);
    EXPECT_LT(share - last, 0.15);
    last = share;
  }
  EXPECT_EQ(last, 1);
}

TEST(ToldProgress, PuttingValuesInOrderEndsWhenItIsStopped) {
  SortKeys maker;
  std::stop_source source;
  double last = 0;
  placesInOrder(
      manyKeys(maker), SIZE_MAX, true,
      [&](double share) {
        last = share;
        if (share > 0.1) source.request_stop();
      },
      source.get_token());
  EXPECT_GT(last, 0.1);
  EXPECT_LT(last, 0.5);
}

TEST(ToldProgress, WhoHoldsWhatTakesItsTimeInEveryStep) {
  RecordingListener listener;
  ASSERT_TRUE(addRetained(openedDump(kDump), {}, &listener, {}));
  const Course course = courseOf(listener.reports);
  EXPECT_EQ(course.beginOf("listing the roots"), 0);
  EXPECT_LT(course.beginOf("reading references"), 0.05);
  EXPECT_GT(course.beginOf("finding dominators"), 0.2);
  EXPECT_LT(course.beginOf("finding dominators"), 0.4);
  EXPECT_GT(course.beginOf("adding up retained sizes"), 0.7);
  EXPECT_LT(course.largestStep, 0.3);  // of a small heap one thread may read all chunks but the first
}

TEST(ToldProgress, InsightsAndChecksTellFromWithin) {
  RecordingListener insights;
  ASSERT_TRUE(findInsights(retainedDump(kDump), {}, &insights, {}));
  EXPECT_LT(courseOf(insights.reports).largestStep, 0.2);
  RecordingListener frame;
  ASSERT_TRUE(takeSample(retainedDump(kDump), {}, &frame, {}));
  EXPECT_LT(courseOf(frame.reports).largestStep, 0.2);
  RecordingListener check;
  ASSERT_TRUE(checkHeap(retainedDump(kDump), &check, {}));
  courseOf(check.reports);
}

}  // namespace
}  // namespace heapscape::engine
