// SPDX-License-Identifier: MIT
#include <QTest>
#include <algorithm>

#include "support/window_test.h"
#include "views/generations/generation_stacks.h"

using namespace heapscape::gui;
using namespace heapscape::engine;

namespace {

std::vector<GenerationRow> workstation() {
  return {{Generation::Gen0, 0, {258, 23'688, 2, 104}},
          {Generation::Gen1, 0, {23'607, 1'233'176, 3'009, 147'768}},
          {Generation::Large, 0, {2, 200'056, 1, 32}}};
}

std::vector<GenerationRow> server() {
  return {{Generation::Gen0, 0, {10, 1'000, 1, 100}},
          {Generation::Gen1, 0, {20, 3'000, 0, 0}},
          {Generation::Gen0, 2, {5, 500, 5, 500}},
          {Generation::Large, 3, {1, 1'950, 0, 0}}};
}

std::uint64_t bytesOf(const std::vector<GenerationRow>& rows) {
  std::uint64_t bytes = 0;
  for (const GenerationRow& row : rows) bytes += row.totals.bytes;
  return bytes;
}

}  // namespace

class GenerationStacksTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

  void barsTogetherHoldWhatTheRowsHold() {
    for (const auto& rows : {workstation(), server()}) {
      QCOMPARE(stacksOfGenerations(rows, Measure::Bytes).total(), bytesOf(rows));
    }
    std::uint64_t objects = 0;
    for (const GenerationRow& row : server()) objects += row.totals.objects;
    QCOMPARE(stacksOfGenerations(server(), Measure::Objects).total(), objects);
  }

  void oneHeapIsShownByGeneration() {
    const StackTable table = stacksOfGenerations(workstation(), Measure::Bytes);
    QCOMPARE(table.bars.size(), std::size_t{3});
    QCOMPARE(table.bars[1].scope.generation, std::optional(Generation::Gen1));
    QVERIFY(!table.bars[1].scope.heap);
    QCOMPARE(table.barTotal(1), 1'233'176u);
  }

  void severalHeapsAreShownByHeap() {
    const StackTable table = stacksOfGenerations(server(), Measure::Bytes);
    QCOMPARE(table.bars.size(), std::size_t{3});
    QCOMPARE(table.bars[1].scope.heap, std::optional<std::uint32_t>(2));
    QCOMPARE(table.barTotal(0), 4'000u);
    QCOMPARE(table.largestBar(), 4'000u);
  }

  void freeSpaceIsAPartOfItsOwnAndLast() {
    const StackTable table = stacksOfGenerations(server(), Measure::Bytes);
    QVERIFY(!table.parts.back().generation);
    QCOMPARE(table.parts.back().values, (std::vector<std::uint64_t>{100, 500, 0}));
  }

  void garbageIsAPartBesideWhatIsLive() {
    const std::vector<RetainedTotals> reach{
        {200, 20'000, 56, 3'584}, {20'000, 1'000'000, 598, 85'408}, {2, 200'024, 0, 0}};
    const StackTable table = stacksOfGenerations(workstation(), Measure::Bytes, reach);
    QCOMPARE(table.total(), bytesOf(workstation()));
    const auto garbage = std::ranges::find_if(
        table.parts, [](const StackPart& part) { return part.isGarbage && part.generation == Generation::Gen1; });
    QVERIFY(garbage != table.parts.end());
    QCOMPARE(garbage->values, (std::vector<std::uint64_t>{0, 85'408, 0}));
    QCOMPARE((garbage - 1)->values[1], 1'000'000u);
    QCOMPARE(partName(*garbage), QStringLiteral("gen1, garbage"));
    QVERIFY2(
        std::ranges::none_of(
            table.parts, [](const StackPart& part) { return part.isGarbage && part.generation == Generation::Large; }),
        "what nothing is garbage in has no part of it");
    const StackTable objects = stacksOfGenerations(workstation(), Measure::Objects, reach);
    QCOMPARE(objects.total(), stacksOfGenerations(workstation(), Measure::Objects).total());
    const StackTable alone = stacksOfGenerations(workstation(), Measure::Garbage, reach);
    QCOMPARE(alone.total(), 3'584u + 85'408u);
    QVERIFY(std::ranges::all_of(alone.parts, &StackPart::isGarbage));
    QCOMPARE(alone.bars.size(), table.bars.size());
    QCOMPARE(measureText(2048, Measure::Garbage), QStringLiteral("2.00 KB"));
  }

  void spacesGoWithTheBarsOfTheirGenerations() {
    const std::vector<GenerationSpace> spaces{{4 << 20, 1 << 20, 2 << 20}, {8 << 20, {}, {}}, {1 << 20, {}, {}}};
    StackTable table = stacksOfGenerations(workstation(), Measure::Bytes);
    addSpaces(table, workstation(), spaces);
    QCOMPARE(table.spaces.size(), std::size_t{3});
    QCOMPARE(table.spaces[0].committed, std::uint64_t{4 << 20});
    QCOMPARE(table.spaces[0].due.value_or(0), std::uint64_t{1 << 20});
    QCOMPARE(table.spaces[1].committed, std::uint64_t{8 << 20});
    QVERIFY(!table.spaces[1].due);
    StackTable heaps = stacksOfGenerations(server(), Measure::Bytes);
    addSpaces(heaps, server(), {{100, 50, 60}, {200, 70, 80}, {300, {}, {}}, {400, {}, {}}});
    QCOMPARE(heaps.spaces[0].committed, std::uint64_t{300});
    QVERIFY2(!heaps.spaces[0].due, "a bar of several generations is due at no one size");
    StackTable objects = stacksOfGenerations(workstation(), Measure::Objects);
    addSpaces(objects, workstation(), spaces);
    QVERIFY(objects.spaces.empty());
  }

  void aSizeStandsAmongTheBarsByItsLogarithm() {
    std::vector<SizeBucket> buckets{{24, 31}, {32, 63}, {64, 127}};
    QCOMPARE(placeOfSize(buckets, 32).value_or(-1), 1.0);
    QCOMPARE(placeOfSize(buckets, 64).value_or(-1), 2.0);
    const double middle = placeOfSize(buckets, 45).value_or(-1);
    QVERIFY2(middle > 1.45 && middle < 1.55, "half of an octave");
    QVERIFY(!placeOfSize(buckets, 128));
  }

  void aPointOfABarFindsItsPart() {
    const StackTable table = stacksOfGenerations(server(), Measure::Bytes);
    const auto gen0 = table.partAt(0, 899);
    QVERIFY(gen0 && table.parts[*gen0].generation == Generation::Gen0);
    const auto gen1 = table.partAt(0, 900);
    QVERIFY(gen1 && table.parts[*gen1].generation == Generation::Gen1);
    const auto freeSpace = table.partAt(0, 3'950);
    QVERIFY(freeSpace && !table.parts[*freeSpace].generation);
    QVERIFY(!table.partAt(0, 4'000));
    QVERIFY(!table.partAt(9, 1));
    QVERIFY(!table.partAt(0, -1));
  }

  void aPartStandsForItsHeapAndGeneration() {
    const StackTable table = stacksOfGenerations(server(), Measure::Bytes);
    const HeapScope part = table.scopeOf(0, table.partAt(0, 950));
    QCOMPARE(part.heap, std::optional<std::uint32_t>(0));
    QCOMPARE(part.generation, std::optional(Generation::Gen1));
    const HeapScope whole = table.scopeOf(1, std::nullopt);
    QCOMPARE(whole.heap, std::optional<std::uint32_t>(2));
    QVERIFY(!whole.generation);
  }

  void aBucketStandsForItsSizes() {
    SizeBucket small{24, 31, {}, {}};
    small.objects[1] = 7;
    small.bytes[1] = 168;
    const SizeBucket larger{32, 63, {}, {}};
    const StackTable table = stacksOfSizes({small, larger}, Measure::Objects);
    QCOMPARE(table.total(), 7u);
    const HeapScope scope = table.scopeOf(0, table.partAt(0, 3));
    QCOMPARE(scope.minimumBytes, 24u);
    QCOMPARE(scope.maximumBytes, 31u);
    QCOMPARE(scope.generation, std::optional(Generation::Gen1));
    QCOMPARE(stacksOfSizes({small, larger}, Measure::Bytes).total(), 168u);
    small.garbageBytes[1] = 48;
    QCOMPARE(stacksOfSizes({small, larger}, Measure::Garbage).total(), 48u);
  }

  void balanceCountsHeapsWithoutObjects() {
    QVERIFY(!heapBalance(workstation(), 1));
    const auto balance = heapBalance(server(), 4);
    QVERIFY(balance);
    QCOMPARE(balance->largestHeap, 0u);
    QCOMPARE(balance->largestBytes, 3'900u);
    QCOMPARE(balance->smallestBytes, 0u);
    QVERIFY(balanceText(*balance).contains(QStringLiteral("nothing")));
  }

  void ticksAreRoundAndInside_data() {
    QTest::addColumn<double>("largest");
    for (const double largest : {1.0, 7.0, 1'085'408.0, 3.0e9, 14'600'953.0}) {
      QTest::addRow("%.0f", largest) << largest;
    }
  }

  void ticksAreRoundAndInside() {
    QFETCH(double, largest);
    for (const Measure measure : {Measure::Bytes, Measure::Objects}) {
      const auto ticks = niceTicks(largest, 5, measure);
      QVERIFY(ticks.size() >= 2 && ticks.size() <= 7);
      QCOMPARE(ticks.front(), 0.0);
      QVERIFY(ticks.back() <= largest * 1.001);
      QVERIFY(ticks.back() >= largest * 0.5);
      for (std::size_t tick = 1; tick < ticks.size(); ++tick) QCOMPARE(ticks[tick] - ticks[tick - 1], ticks[1]);
    }
  }

  void roundFiguresNeedNoZeros() {
    QCOMPARE(tickText(4096, Measure::Bytes), QStringLiteral("4 KB"));
    QCOMPARE(tickText(1.5 * 1024 * 1024, Measure::Bytes), QStringLiteral("1.5 MB"));
    QCOMPARE(tickText(512, Measure::Bytes), QStringLiteral("512 B"));
    QCOMPARE(tickText(10, Measure::Bytes), QStringLiteral("10 B"));
  }
};

HEAPSCAPE_WINDOW_TEST(GenerationStacksTest)
#include "tst_generation_stacks.moc"
