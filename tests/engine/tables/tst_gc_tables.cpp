// SPDX-License-Identifier: MIT
// What the GC keeps and has noted, and its gaps, as rows.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "named_cell.h"
#include "tables/gap_tables.h"
#include "tables/gc_tables.h"

namespace heapscape::engine {
namespace {

using test::cellOf;
using test::redactedCellOf;
using test::textIn;

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

GapNeighbour neighbourOf(const char* type, std::uint64_t gapBytes) {
  return {.typeName = type, .methodTable = Address{0x7f10}, .gaps = 2, .gapBytes = gapBytes, .example = Address{0x40}};
}

GenerationGaps gapsOf(std::uint32_t heap, Generation generation, std::vector<GapNeighbour> neighbours) {
  GenerationGaps gaps;
  gaps.heap = heap;
  gaps.generation = generation;
  gaps.neighbours = std::move(neighbours);
  return gaps;
}

GenerationBudget budgetOf(std::uint32_t heap, std::uint32_t generation, std::int64_t left, float survival) {
  GenerationBudget budget;
  budget.heap = heap;
  budget.generation = generation;
  budget.budgetLeftBytes = left;
  budget.survival = survival;
  return budget;
}

GcReport reportOfTwoHeaps() {
  GcReport report;
  report.gaps = {gapsOf(0, Generation::Gen0, {}), gapsOf(0, Generation::Gen2, {neighbourOf("A", 64)}),
                 gapsOf(1, Generation::Gen0, {neighbourOf("B", 48), neighbourOf("C", 24)})};
  for (std::uint32_t heap = 0; heap < 2; ++heap)
    for (std::uint32_t generation = 0; generation < 5; ++generation)
      report.figures.budgets.push_back(budgetOf(heap, generation, 1'000 * heap + generation, 0.5F));
  return report;
}

GenerationFigures withSurvival(float survival) {
  return {{}, budgetOf(0, 0, 0, survival)};
}

TEST(GenerationFigureRows, EachHasTheBudgetOfItsHeapAndGeneration) {
  const std::vector<GenerationFigures> rows = listGenerationFigures(reportOfTwoHeaps());
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(cellOf(generationFiguresTable(), rows[0], "budgetLeft"), Cell(std::int64_t{0}));
  EXPECT_EQ(cellOf(generationFiguresTable(), rows[1], "budgetLeft"), Cell(std::int64_t{2}));
  EXPECT_EQ(cellOf(generationFiguresTable(), rows[2], "budgetLeft"), Cell(std::int64_t{1'000}));
}

TEST(GenerationFigureRows, WithoutFiguresOfTheGcTheyAreUnknown) {
  GcReport report = reportOfTwoHeaps();
  report.figures.budgets.clear();
  for (const GenerationFigures& row : listGenerationFigures(report)) {
    EXPECT_FALSE(row.budget);
    for (const char* column : {"budget", "budgetLeft", "survival", "survivedBytes", "pinnedSurvivedBytes",
                               "promotedBytes", "sizeAfterLast", "fragmentationAfterLast", "lastCollection"})
      EXPECT_TRUE(cellOf(generationFiguresTable(), row, column).isUnknown()) << column;
    EXPECT_TRUE(cellOf(generationFiguresTable(), row, "bytes").isThere());
  }
}

TEST(GenerationFigureRows, AnOverspentBudgetIsNegative) {
  const GenerationFigures row{{}, budgetOf(0, 0, std::numeric_limits<std::int64_t>::min(), 0)};
  EXPECT_EQ(toString(cellOf(generationFiguresTable(), row, "budgetLeft")), "-9223372036854775808");
}

TEST(GenerationFigureRows, SurvivalThatIsNoNumberIsUnknown) {
  EXPECT_EQ(cellOf(generationFiguresTable(), withSurvival(0.25F), "survival"), Cell(0.25));
  EXPECT_EQ(cellOf(generationFiguresTable(), withSurvival(0), "survival"), Cell(0.0));
  for (const float survival : {std::nanf(""), std::numeric_limits<float>::infinity()})
    EXPECT_TRUE(cellOf(generationFiguresTable(), withSurvival(survival), "survival").isUnknown());
}

TEST(GenerationFigureRows, ShareOfFreeBytesIsOfAll) {
  GenerationFigures row;
  EXPECT_EQ(cellOf(generationFiguresTable(), row, "share"), Cell(0.0)) << "an empty generation";
  row.gaps.bytes = 400;
  row.gaps.freeBytes = 100;
  EXPECT_EQ(cellOf(generationFiguresTable(), row, "share"), Cell(0.25));
  row.gaps.bytes = row.gaps.freeBytes = kMost;
  EXPECT_EQ(cellOf(generationFiguresTable(), row, "share"), Cell(1.0));
}

TEST(GapRows, AreThoseOfAllGenerationsInTheirOrder) {
  EXPECT_TRUE(listGaps({}).empty());
  const std::vector<GapRow> rows = listGaps(reportOfTwoHeaps());
  ASSERT_EQ(rows.size(), 3u) << "a generation without neighbours has no row";
  const Table table = gapsTable().over(rows);
  EXPECT_EQ(textIn(table, 0, "type"), "A");
  EXPECT_EQ(textIn(table, 0, "generation"), "gen2");
  EXPECT_EQ(textIn(table, 0, "heap"), "0");
  EXPECT_EQ(textIn(table, 1, "type"), "B");
  EXPECT_EQ(textIn(table, 2, "gapBytes"), "24");
  EXPECT_EQ(textIn(table, 2, "heap"), "1");
}

TEST(GapRows, AGenerationHasItsNeighboursAsAListOfItsOwn) {
  const Table table = generationFiguresTable().with(listGenerationFigures(reportOfTwoHeaps()));
  ASSERT_EQ(table.inner(2).size(), 1u);
  const Table neighbours = table.inner(2).front();
  EXPECT_EQ(neighbours.description->noun, "betweenGaps");
  ASSERT_EQ(neighbours.rows, 2u);
  EXPECT_EQ(textIn(neighbours, 1, "type"), "C");
  EXPECT_EQ(table.inner(0).front().rows, 0u);
}

TEST(Collections, MannerIsTheFirstThatHolds) {
  RecordedCollection collection;
  EXPECT_EQ(mannerOf(collection), CollectionManner::Sweeping);
  collection.isCompacting = true;
  EXPECT_EQ(mannerOf(collection), CollectionManner::Compacting);
  collection.isBackground = true;
  EXPECT_EQ(mannerOf(collection), CollectionManner::Background);
  EXPECT_EQ(cellOf(recordedCollectionsTable(), collection, "how"), Cell("background"));
  EXPECT_STREQ(toString(CollectionManner::Compacting), "compacting");
  EXPECT_STREQ(toString(CollectionManner::Sweeping), "sweeping");
}

TEST(Collections, TheProgramStandsStillForBothPauses) {
  RecordedCollection collection;
  EXPECT_EQ(pauseOf(collection), 0u);
  collection.pauseMicroseconds = {1'200, 34};
  EXPECT_EQ(pauseOf(collection), 1'234u);
  EXPECT_EQ(cellOf(recordedCollectionsTable(), collection, "pauseMicroseconds"), Cell(Cell::Numbers{1'200, 34}));
  EXPECT_EQ(cellOf(recordedCollectionsTable(), collection, "pause"), Cell(std::uint64_t{1'234}));
}

TEST(Collections, EachHasItsGenerations) {
  RecordedCollection collection;
  collection.generations = {{1, 2, 3, 4}, {5, 6, 7, kMost}};
  const Table table = recordedCollectionsTable().with(std::vector{RecordedCollection{}, collection});
  EXPECT_EQ(table.inner(0).front().rows, 0u);
  const Table generations = table.inner(1).front();
  ASSERT_EQ(generations.rows, 2u);
  EXPECT_EQ(textIn(generations, 0, "sizeBefore"), "1");
  EXPECT_EQ(textIn(generations, 0, "fragmentationBefore"), "2");
  EXPECT_EQ(textIn(generations, 1, "sizeAfter"), "7");
  EXPECT_EQ(textIn(generations, 1, "fragmentationAfter"), "18446744073709551615");
}

TEST(CollectionCounts, AreOfTheGenerationsThatAreCounted) {
  EXPECT_TRUE(listCollectionCounts({}).empty()) << "not known is not none";
  GcReport report = reportOfTwoHeaps();
  for (GenerationBudget& budget : report.figures.budgets) budget.collectionCount = 90 - budget.generation;
  const std::vector<CollectionCount> counts = listCollectionCounts(report);
  ASSERT_EQ(counts.size(), 3u) << "the large and the pinned heap are collected with gen2";
  for (std::uint32_t generation = 0; generation < 3; ++generation) {
    EXPECT_EQ(counts[generation].generation, generation);
    EXPECT_EQ(counts[generation].count, 90u - generation);
  }
}

TEST(GcSettingRows, OnlyNumbersAreNoContents) {
  GcSetting setting{.name = "GCName", .value = "/home/alice/gc.so", .number = {}, .key = "DOTNET_GCName"};
  EXPECT_TRUE(redactedCellOf(gcSettingsTable(), setting, "value").isUnknown());
  EXPECT_EQ(cellOf(gcSettingsTable(), setting, "value"), Cell("/home/alice/gc.so"));
  EXPECT_TRUE(cellOf(gcSettingsTable(), setting, "number").isUnknown());
  setting.value = "0x0";
  setting.number = 0;
  EXPECT_EQ(redactedCellOf(gcSettingsTable(), setting, "value"), Cell("0x0")) << "0 is a number, too";
  EXPECT_EQ(redactedCellOf(gcSettingsTable(), setting, "key"), Cell("DOTNET_GCName"));
}

TEST(GcSettingRows, SayWhereTheyWereMade) {
  GcSetting setting;
  EXPECT_EQ(cellOf(gcSettingsTable(), setting, "from"), Cell("environment"));
  setting.source = GcSettingSource::Configuration;
  EXPECT_EQ(cellOf(gcSettingsTable(), setting, "from"), Cell("runtimeconfig"));
}

TEST(OutOfMemoryRows, ReasonsThatNoRuntimeHadAreUnknown) {
  OutOfMemoryRecord record;
  for (const std::int32_t reason : {-1, 100, std::numeric_limits<std::int32_t>::min()}) {
    record.reason = record.getMemoryFailure = reason;
    EXPECT_EQ(cellOf(outOfMemoryTable(), record, "reason"), Cell("unknown")) << reason;
    EXPECT_EQ(cellOf(outOfMemoryTable(), record, "memoryFailure"), Cell("unknown")) << reason;
  }
}

TEST(FreeRegionRows, WaitForUseOrForRelease) {
  FreeRegions regions{.list = "heap 0", .kind = "basic", .regions = 3, .bytes = 1 << 22, .committedBytes = 0};
  EXPECT_EQ(cellOf(freeRegionsTable(), regions, "waitsFor"), Cell("use"));
  regions.isForRelease = true;
  EXPECT_EQ(cellOf(freeRegionsTable(), regions, "waitsFor"), Cell("release"));
}

}  // namespace
}  // namespace heapscape::engine
