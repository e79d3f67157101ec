// SPDX-License-Identifier: MIT
// What the sample program says that it planted: all of it is to be found, to the byte, and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "engine/insight/flawed_heap.h"
#include "insight/detectors/detectors.h"
#include "insight/insight_ledger.h"
#include "query/objects/object_search.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

bool isOf(const Insight& insight, const Planted& planted) {
  return toString(insight.kind) == planted.kind && !insight.isFramework &&
         (insight.subject == planted.subject || (insight.subject.empty() && insight.contents == planted.subject));
}

class PlantedFlaws : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Of, PlantedFlaws,
                         testing::Values("flaws-8", "flaws-9", "flaws-10", "flaws-11", "flaws-suspended-11",
                                         "flaws-10-server"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(PlantedFlaws, AreAllFoundToTheByte) {
  const InsightList& list = insightsOf(GetParam());
  const std::vector<Planted> planted = plantedIn(GetParam());
  ASSERT_GT(planted.size(), 30u);
  for (const Planted& one : planted) {
    const auto found = std::ranges::find_if(list.insights, [&](const Insight& insight) { return isOf(insight, one); });
    ASSERT_NE(found, list.insights.end()) << one.kind << " " << one.subject;
    EXPECT_EQ(found->bytes, one.bytes) << one.kind << " " << one.subject;
    EXPECT_EQ(found->objects, one.objects) << one.kind << " " << one.subject;
    if (one.owner.empty()) continue;
    // Where the way from the root is the point, it begins there.
    ASSERT_FALSE(found->owners.empty() && found->path.empty()) << one.kind << " " << one.subject;
    EXPECT_EQ(found->owners.empty() ? found->path.front() : found->owners.front().name, one.owner)
        << one.kind << " " << one.subject;
  }
}

TEST_P(PlantedFlaws, AreAllThatIsWorthTelling) {
  const std::vector<Planted> planted = plantedIn(GetParam());
  for (const Insight& insight : insightsOf(GetParam()).insights) {
    const bool isSmall = insight.bytes && insight.bytes < InsightOptions{}.minimumBytes;
    if (isSmall || insight.isFramework) continue;
    EXPECT_TRUE(std::ranges::any_of(planted, [&](const Planted& one) { return isOf(insight, one); }))
        << toString(insight.kind) << " " << insight.subject << " " << insight.title << ": " << insight.bytes;
  }
}

TEST_P(PlantedFlaws, NameAllOfTheirObjects) {
  const Snapshot snapshot = openSnapshot(dumpPath(GetParam()), Stage::Objects);
  const std::uint64_t all = snapshot.totals().objects;
  for (const Insight& insight : insightsOf(GetParam()).insights) {
    if (insight.kind == InsightKind::GenericGrowth) continue;
    SCOPED_TRACE(insight.title);
    EXPECT_TRUE(std::ranges::adjacent_find(insight.ids, std::greater_equal()) == insight.ids.end());
    EXPECT_TRUE(insight.ids.empty() || insight.ids.back() < all);
    // Elements and fields are no objects of their own: these are what is around them.
    if (insight.kind == InsightKind::PaddingWaste) {
      EXPECT_FALSE(insight.ids.empty());
      continue;
    }
    EXPECT_EQ(insight.ids.size(), insight.objects);
    const bool areItems = insight.kind != InsightKind::SmallObjects && insight.kind != InsightKind::Suspect &&
                          insight.kind != InsightKind::TimerLeak;
    for (const InsightItem& item : insight.items) {
      const auto id = idOfObject(snapshot, item.object);
      EXPECT_TRUE(!areItems || (id && std::ranges::binary_search(insight.ids, *id))) << toString(item.object);
    }
  }
}

/// Each byte once, by noting for each object how much of it was claimed.
TEST_P(PlantedFlaws, AddUpWithoutCountingAByteTwice) {
  const Snapshot snapshot = openSnapshot(dumpPath(GetParam()), Stage::Retained);
  StageProgress progress(nullptr, "", 0, 1);
  const auto input = InsightInput::make(snapshot, 1, progress, {});
  ASSERT_TRUE(input);
  FoundInsights found;
  FindingList findings;
  std::vector<WeighedDetector> detectors = makeDetectors();
  ASSERT_TRUE(runDetectors(detectors, **input, found, findings, progress, {}));
  std::ranges::stable_sort(found.insights, {}, [](const FoundInsight& one) { return one.insight.kind; });

  const Contents& contents = snapshot.contents();
  const Retention& retention = *contents.retention;
  std::vector<std::uint64_t> claimed(contents.graph->objectCount());
  std::uint64_t waste = 0, leak = 0;
  for (const FoundInsight& one : found.insights) {
    std::uint64_t named = 0, alone = 0;
    const auto take = [&](std::uint32_t object, std::uint64_t bytes) {
      const std::uint64_t taken = std::min(bytes, contents.graph->bytesOf(object) - claimed[object]);
      claimed[object] += taken;
      alone += taken;
      named += bytes;
    };
    for (const Claim& claim : one.claims) take(claim.object, claim.units * 8);
    for (const std::uint32_t copy : one.copies ? one.insight.ids : std::vector<std::uint32_t>()) {
      if (copy != one.copies->staying) take(copy, std::uint64_t{one.copies->units} * 8);
    }
    for (const std::uint32_t top : one.dominating) {
      const std::uint32_t first = retention.tree.numberOf(top);
      for (std::uint32_t i = 0; i < retention.sizes.objects[first]; ++i) {
        const std::uint32_t vertex = retention.tree.vertexOf(first + i);
        if (retention.tree.isObject(vertex)) take(vertex, contents.graph->bytesOf(vertex));
      }
    }
    if (named) {
      EXPECT_EQ(named, one.insight.bytes) << one.insight.title;
    }
    const std::uint64_t counted = named ? alone : one.insight.bytes;
    if (one.insight.meaning == InsightMeaning::Waste) waste += counted;
    if (one.insight.meaning == InsightMeaning::Leak) leak += counted;
  }
  const InsightList& list = insightsOf(GetParam());
  EXPECT_EQ(list.wasteBytes, waste);
  EXPECT_EQ(list.leakBytes, leak);
  EXPECT_GT(waste, 500'000u);
  EXPECT_GT(leak, 500'000u);
}

/// What these are about is not bytes of the heap, so no threshold hides them.
bool isAlwaysTold(InsightKind kind) {
  return kind == InsightKind::PoorHashing || kind == InsightKind::StuckLoadContext ||
         kind == InsightKind::GenericGrowth || kind == InsightKind::FinalizerBehind;
}

TEST(Insights, AreLeftOutBelowTheThresholdButCounted) {
  const Snapshot snapshot = openSnapshot(dumpPath("flaws-10"), Stage::Retained);
  const auto some = findInsights(snapshot, {.minimumBytes = 40'000}, nullptr, {});
  ASSERT_TRUE(some);
  const InsightList& all = insightsOf("flaws-10");
  std::uint64_t small = 0, smallBytes = 0;
  for (const Insight& insight : all.insights) {
    if (!insight.bytes || insight.bytes >= 40'000 || isAlwaysTold(insight.kind)) continue;
    ++small;
    smallBytes += insight.bytes;
  }
  EXPECT_EQ(some->smallInsights, small);
  EXPECT_EQ(some->smallBytes, smallBytes);
  EXPECT_EQ(some->insights.size() + small, all.insights.size());
  EXPECT_TRUE(std::ranges::any_of(some->insights, [](const Insight& insight) {
    return insight.kind == InsightKind::StuckLoadContext && insight.bytes && insight.bytes < 40'000;
  }));
  EXPECT_TRUE(std::ranges::is_sorted(some->insights, std::greater(), &Insight::bytes));
}

TEST(Insights, OfAKindAreTheSameWithoutTheOthers) {
  const Snapshot snapshot = openSnapshot(dumpPath("flaws-10"), Stage::Retained);
  const InsightList some = lookFor(snapshot, {InsightKind::OversizedCollections});
  ASSERT_FALSE(some.insights.empty());
  for (const Insight& insight : some.insights) {
    EXPECT_EQ(insight.kind, InsightKind::OversizedCollections);
    EXPECT_EQ(insight.sharedBytes, 0u);
    const Insight* same = findInsight(insightsOf("flaws-10"), insight.kind, insight.subject);
    ASSERT_TRUE(same) << insight.subject;
  }
  EXPECT_EQ(some.leakBytes, 0u);
}

TEST(Insights, NeedRetainedSizes) {
  EXPECT_FALSE(findInsights(openSnapshot(dumpPath("flaws-10"), Stage::Layouts), {}, nullptr, {}));
}

/// Asks to stop when progress has come to a fraction.
class StoppingSink : public ProgressSink {
 public:
  explicit StoppingSink(double at) : m_at(at) {}
  void progressed(const Progress& progress) override {
    EXPECT_GE(progress.fraction, m_last);
    m_last = progress.fraction;
    if (m_last >= m_at) source.request_stop();
  }
  std::stop_source source;

 private:
  double m_at, m_last = 0;
};

TEST(Insights, CanBeCancelledAtAnyTime) {
  const Snapshot snapshot = openSnapshot(dumpPath("flaws-10"), Stage::Retained);
  for (const double at : {0.0, 0.1, 0.3, 0.5, 0.7, 0.9}) {
    StoppingSink sink(at);
    const auto list = findInsights(snapshot, {}, &sink, sink.source.get_token());
    ASSERT_TRUE(sink.source.stop_requested()) << at;
    ASSERT_FALSE(list) << at;
    EXPECT_TRUE(list.error().isCancelled());
  }
}

TEST(InsightKinds, HaveNamesThatLeadBack) {
  for (int i = 0; i <= static_cast<int>(InsightKind::Suspect); ++i) {
    const auto kind = static_cast<InsightKind>(i);
    EXPECT_EQ(enumNamed<InsightKind>(toString(kind)), kind);
  }
  EXPECT_FALSE(enumNamed<InsightKind>("nonsense"));
}

}  // namespace
}  // namespace heapscape::test
