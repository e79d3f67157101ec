// SPDX-License-Identifier: MIT
// Several dumps in a row, against what each says by itself.
#include "insight/trend/trend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "session/roots/roots_query.h"
#include "support/builders/heap_in_memory.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

SampledDump filmed(const Snapshot& snapshot, const std::string& path, bool withInsights) {
  auto frame = takeSample(snapshot, {.withInsights = withInsights}, nullptr, {});
  if (!frame) throw std::runtime_error("the dump has no frame");
  return {path, std::make_shared<const DumpSample>(std::move(*frame)), std::nullopt};
}

template <class Rows>
const auto* rowNamed(const Rows& rows, std::string_view name) {
  const auto row = std::ranges::find(rows, name, [](const auto& each) { return std::string_view(each.name); });
  return row == rows.end() ? nullptr : &*row;
}

/// The growing program three times: early, late, and late on another runtime.
struct GrowthFilm {
  std::vector<std::string> paths{packedDumpPath("growth/before-10"), packedDumpPath("growth/after-10"),
                                 packedDumpPath("growth/after-9")};
  std::vector<Snapshot> dumps;
  Trend trend;

  GrowthFilm() {
    std::vector<SampledDump> film;
    for (const std::string& path : paths) {
      dumps.push_back(openSnapshot(path, Stage::Retained));
      film.push_back(filmed(dumps.back(), path, true));
    }
    trend = trendOf(film);
  }
};

const GrowthFilm& growthFilm() {
  static const GrowthFilm film;
  return film;
}

std::uint64_t countOfType(const Snapshot& dump, std::string_view name) {
  const TypeId type = findType(dump, name);
  return type.isNone() ? 0 : dump.typeCounts().count[type.value];
}

TEST(Trend, HasOfEachTypeWhatEachDumpSays) {
  const GrowthFilm& film = growthFilm();
  const TypeTrend* session = rowNamed(film.trend.types, "Growth.Session");
  ASSERT_TRUE(session);
  EXPECT_EQ(session->series.counts, (std::vector<std::uint64_t>{1000, 21'000, 21'000}));
  EXPECT_EQ(session->series.bytes, (std::vector<std::uint64_t>{1000 * 104, 21'000 * 104, 21'000 * 104}));
  EXPECT_EQ(session->series.verdict, TrendVerdict::GrewOnce);
  EXPECT_EQ(session->series.slope, 10'000 * 104);
  EXPECT_EQ(&film.trend.types.front(), session) << "the steepest";
  for (const char* name : {"Growth.NewForm", "Growth.OldForm", "Growth.Draft", "System.String"}) {
    const TypeTrend* type = rowNamed(film.trend.types, name);
    ASSERT_TRUE(type) << name;
    for (std::size_t i = 0; i < film.dumps.size(); ++i)
      EXPECT_EQ(type->series.counts[i], countOfType(film.dumps[i], name)) << name << " in dump " << i;
  }
}

TEST(Trend, AddsUpToEachHeap) {
  const GrowthFilm& film = growthFilm();
  for (std::size_t i = 0; i < film.dumps.size(); ++i) {
    const ObjectTotals totals = film.dumps[i].totals();
    std::uint64_t objects = 0, bytes = 0, owned = 0, ownedObjects = 0;
    for (const TypeTrend& type : film.trend.types) {
      objects += type.series.counts[i];
      bytes += type.series.bytes[i];
    }
    EXPECT_EQ(objects, totals.objects);
    EXPECT_EQ(bytes, totals.bytes);
    for (const OwnerTrend& owner : film.trend.owners) {
      ownedObjects += owner.series.counts[i];
      owned += owner.series.bytes[i];
    }
    EXPECT_EQ(ownedObjects, totals.objects - totals.freeObjects) << "each object has one owner";
    EXPECT_EQ(owned, totals.bytes - totals.freeBytes);
    EXPECT_EQ(film.trend.dumps[i].bytes, totals.bytes - totals.freeBytes);
  }
}

TEST(Trend, HasOfEachStaticWhatItsObjectRetains) {
  const GrowthFilm& film = growthFilm();
  std::size_t compared = 0;
  for (std::size_t i = 0; i < film.dumps.size(); ++i) {
    const HeldRoots held = listHeldRoots(film.dumps[i], {}).value();
    for (const HeldRoot& root : held.roots) {
      if (root.root.kind != RootKind::Static) continue;
      const RootTrend* trend = rowNamed(film.trend.roots, root.root.name);
      ASSERT_TRUE(trend) << root.root.name;
      if (trend->series.counts[i] != 1) continue;  // of a name that was loaded twice
      EXPECT_EQ(trend->series.bytes[i], root.objectRetainedBytes) << root.root.name;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100u);
}

TEST(Trend, CountsEveryRootOfADump) {
  const GrowthFilm& film = growthFilm();
  for (std::size_t i = 0; i < film.dumps.size(); ++i) {
    std::uint64_t roots = 0;
    for (const RootTrend& root : film.trend.roots) roots += root.series.counts[i];
    EXPECT_EQ(roots, film.dumps[i].roots().roots.size());
  }
}

TEST(Trend, HasOfEachInsightWhatEachDumpSays) {
  const GrowthFilm& film = growthFilm();
  for (std::size_t i = 0; i < film.dumps.size(); ++i) {
    const InsightList list = findInsights(film.dumps[i], {}, nullptr, {}).value();
    std::uint64_t bytes = 0, ofTrend = 0;
    for (const Insight& insight : list.insights) bytes += insight.bytes;
    for (const InsightTrend& insight : film.trend.insights) ofTrend += insight.series.bytes[i];
    EXPECT_EQ(ofTrend, bytes);
    EXPECT_EQ(film.trend.dumps[i].wasteBytes, list.wasteBytes);
  }
  const auto strings = std::ranges::find(film.trend.insights, "plan: standard", &InsightTrend::contents);
  ASSERT_NE(strings, film.trend.insights.end());
  // 200 equal strings of 56 bytes in the first dump, 2,000 in the others, beside the literal that they are copies of.
  EXPECT_EQ(strings->series.bytes, (std::vector<std::uint64_t>{200 * 56, 2000 * 56, 2000 * 56}));
}

TEST(Trend, SaysThatTheRuntimesDiffer) {
  const Trend& trend = growthFilm().trend;
  ASSERT_EQ(trend.notes.size(), 1u);
  EXPECT_NE(trend.notes[0].find("several versions of .NET: 10."), std::string::npos) << trend.notes[0];
  EXPECT_TRUE(trend.isComplete);
}

TEST(Trend, SaysThatTheProgramsDiffer) {
  const GrowthFilm& film = growthFilm();
  const Trend trend = trendOf(
      std::array{filmed(film.dumps[0], "growth.core", false), filmed(retainedDump("shop-10"), "shop.core", false)});
  EXPECT_TRUE(std::ranges::any_of(trend.notes, [](const std::string& note) {
    return note.find("growth.core and shop.core have no assembly") != std::string::npos;
  }));
}

TEST(Trend, OfADumpWithItselfIsLevel) {
  const SampledDump dump = filmed(growthFilm().dumps[0], "a.core", true);
  const Trend trend = trendOf(std::array{dump, dump, dump});
  const auto isLevel = [](const auto& row) {
    return row.series.verdict == TrendVerdict::Level && row.series.slope == 0 && row.series.growth() == 0;
  };
  EXPECT_TRUE(std::ranges::all_of(trend.types, isLevel));
  EXPECT_TRUE(std::ranges::all_of(trend.owners, isLevel));
  EXPECT_TRUE(std::ranges::all_of(trend.roots, isLevel));
  EXPECT_TRUE(std::ranges::all_of(trend.insights, isLevel));
  EXPECT_TRUE(trend.notes.empty());
}

/// A program's heap with so many objects of each type.
Snapshot heapOf(const std::map<std::string, int>& types) {
  HeapInMemory heap;
  const std::uint32_t handles = heap.addGroup("Handles");
  const std::uint32_t strong = heap.addGroup("strong handles", handles);
  for (const auto& [name, objects] : types) {
    const TypeId type = heap.addType(name);
    for (int i = 0; i < objects; ++i)
      heap.addRoot(RootKind::StrongHandle, heap.addObject(type), "strong handle", strong);
  }
  return heap.snapshot();
}

Trend trendOfHeaps(const std::vector<std::map<std::string, int>>& heaps) {
  std::vector<SampledDump> film;
  for (const auto& types : heaps) film.push_back(filmed(heapOf(types), std::to_string(film.size()) + ".core", false));
  return trendOf(film);
}

TEST(Trend, TellsWhatGrowsSteadilyFromWhatComesAndGoes) {
  const Trend trend = trendOfHeaps({{{"Leak", 10}, {"Burst", 1}, {"Cache", 5}, {"Gone", 9}},
                                    {{"Leak", 20}, {"Burst", 90}, {"Cache", 5}},
                                    {{"Leak", 30}, {"Burst", 2}, {"Cache", 5}, {"Late", 4}}});
  const auto verdict = [&](const char* name) { return rowNamed(trend.types, name)->series.verdict; };
  EXPECT_EQ(verdict("Leak"), TrendVerdict::GrowsSteadily);
  EXPECT_EQ(verdict("Burst"), TrendVerdict::ComesAndGoes);
  EXPECT_EQ(verdict("Cache"), TrendVerdict::Level);
  EXPECT_EQ(verdict("Gone"), TrendVerdict::Shrinks);
  EXPECT_EQ(verdict("Late"), TrendVerdict::New);
  EXPECT_EQ(trend.types.front().name, "Leak") << "the steepest first";
  EXPECT_EQ(rowNamed(trend.types, "Leak")->series.slope, 240);
  EXPECT_EQ(rowNamed(trend.types, "Gone")->series.counts, (std::vector<std::uint64_t>{9, 0, 0}));
  EXPECT_EQ(rowNamed(trend.types, "Leak")->retained, (std::vector<std::uint64_t>{240, 480, 720}));
}

TEST(Trend, AddsUpHandlesByTheTypeOfTheirObjects) {
  const Trend trend = trendOfHeaps({{{"Leak", 10}, {"Cache", 5}}, {{"Leak", 20}, {"Cache", 5}}});
  const RootTrend* leak = rowNamed(trend.roots, "strong handle → Leak");
  ASSERT_TRUE(leak);
  EXPECT_EQ(leak->series.counts, (std::vector<std::uint64_t>{10, 20}));
  EXPECT_EQ(leak->series.bytes, (std::vector<std::uint64_t>{240, 480}));
}

TEST(Trend, NamesTheSameOwnerHoweverManyObjectsItIs) {
  const Trend trend = trendOfHeaps({{{"Order", 1}}, {{"Order", 3}}});
  ASSERT_EQ(trend.owners.size(), 1u);
  EXPECT_EQ(trend.owners[0].name, "strong handles");
  EXPECT_EQ(trend.owners[0].series.counts, (std::vector<std::uint64_t>{1, 3}));
}

TEST(Trend, NamesRootsOfThreadsAsOtherDumpsDo) {
  HeapInMemory heap;
  const TypeId type = heap.addType("Node");
  const std::uint32_t threads = heap.addGroup("Threads"), worker = heap.addGroup("thread 5 \"worker\"", threads);
  const std::uint32_t stack = heap.addGroup("stack", worker), statics = heap.addGroup("thread statics", worker);
  heap.addRoot(RootKind::Stack, heap.addObject(type), "thread 5 \"worker\": Shop.Work, rbp-0x18", stack);
  heap.addRoot(RootKind::Stack, heap.addObject(type), "thread 5 \"worker\": Shop.Work, rbp-0x20", stack);
  heap.addRoot(RootKind::ThreadStatic, heap.addObject(type), "thread 5: static Shop.cache", statics);
  const SampledDump dump = filmed(heap.snapshot(), "a.core", false);
  const Trend trend = trendOf(std::array{dump, dump});
  ASSERT_EQ(trend.roots.size(), 2u);
  ASSERT_TRUE(rowNamed(trend.roots, "thread 5 \"worker\""));
  EXPECT_EQ(rowNamed(trend.roots, "thread 5 \"worker\"")->series.counts, (std::vector<std::uint64_t>{2, 2}));
  ASSERT_TRUE(rowNamed(trend.roots, "static Shop.cache"));
  EXPECT_EQ(rowNamed(trend.roots, "static Shop.cache")->kind, RootKind::ThreadStatic);
}

TEST(Trend, CountsEachByteOfARootOnce) {
  HeapInMemory heap;
  const TypeId type = heap.addType("Node");
  const std::uint32_t outer = heap.addObject(type), inner = heap.addObject(type);
  heap.addReference(outer, inner);
  const std::uint32_t statics = heap.addGroup("Statics"), ofShop = heap.addGroup("Shop", statics);
  heap.addRoot(RootKind::Static, outer, "static Shop.head", ofShop);
  heap.addRoot(RootKind::Static, outer, "static Shop.head", ofShop);  // of a name that was loaded twice
  const SampledDump dump = filmed(heap.snapshot(), "a.core", false);
  const Trend trend = trendOf(std::array{dump, dump});
  ASSERT_EQ(trend.roots.size(), 1u);
  EXPECT_EQ(trend.roots[0].series.counts, (std::vector<std::uint64_t>{2, 2}));
  EXPECT_EQ(trend.roots[0].series.bytes, (std::vector<std::uint64_t>{48, 48}));
}

TEST(Trend, KeepsThePlaceOfADumpThatCannotBeRead) {
  std::vector<SampledDump> film{filmed(heapOf({{"Leak", 10}}), "0.core", false),
                                {"1.core", nullptr, Error{ErrorCode::FileUnreadable, "There is no such file."}},
                                filmed(heapOf({{"Leak", 30}}), "2.core", false)};
  const Trend trend = trendOf(film);
  ASSERT_EQ(trend.dumps.size(), 2u);
  EXPECT_EQ(trend.dumps[1].place, 2u);
  ASSERT_EQ(trend.unread.size(), 1u);
  EXPECT_EQ(trend.unread[0].path, "1.core");
  EXPECT_EQ(trend.unread[0].place, 1u);
  EXPECT_FALSE(trend.isComplete);
  EXPECT_EQ(rowNamed(trend.types, "Leak")->series.slope, 240) << "20 objects over two steps";
}

TEST(FilmDump, NamesWhatCannotBeReadAndStopsWhereItIsAsked) {
  const auto fails = [](const std::string&) -> Outcome<Snapshot> {
    return failure(ErrorCode::NoHeap, "The dump has no heap.");
  };
  const auto dump = sampleDump("a.core", fails, {}, nullptr, {});
  ASSERT_TRUE(dump);
  EXPECT_FALSE(dump->sample);
  EXPECT_EQ(dump->error->what, "The dump has no heap.");
  const auto stops = [](const std::string&) -> Outcome<Snapshot> { return tl::unexpected(Unfinished::cancelled()); };
  EXPECT_FALSE(sampleDump("a.core", stops, {}, nullptr, {}));
}

}  // namespace
}  // namespace heapscape::test
