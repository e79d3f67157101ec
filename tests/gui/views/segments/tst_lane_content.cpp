// SPDX-License-Identifier: MIT
#include <QTest>

#include "support/window_test.h"
#include "views/segments/lane_content.h"
#include "widgets/hover_bubble.h"
#include "widgets/text/elided_text.h"

using namespace heapscape::gui;
using namespace heapscape::engine;

namespace {

constexpr Address kLaneContentStart{0x10000};
constexpr std::size_t kGen1 = 1;
constexpr std::size_t kGen2 = 2;

MapCell cellOf(std::uint32_t gen1, std::uint32_t gen2, std::uint32_t freeBytes) {
  MapCell cell;
  cell.usedBytes[kGen1] = gen1;
  cell.usedBytes[kGen2] = gen2;
  cell.freeBytes = freeBytes;
  return cell;
}

LaneContent contentOf(std::vector<MapCell> cells, std::uint64_t bytes) {
  LaneContent content;
  content.question.window = {kLaneContentStart, kLaneContentStart + bytes};
  content.question.cells = cells.size();
  content.cells = std::move(cells);
  return content;
}

}  // namespace

class LaneContentTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void heightIsTheUsedShareAndColourTheGeneration() {
    const LaneContent content =
        contentOf({cellOf(100, 0, 0), cellOf(25, 25, 50), cellOf(0, 0, 100), cellOf(0, 0, 0)}, 400);
    const AddressScale scale(kLaneContentStart, {0, 400}, 50, 4);
    const auto runs = densityRuns(content, scale, 50, 54, 1, 20);
    QCOMPARE(runs.size(), std::size_t{4});
    QCOMPARE(runs[0].used[kGen1], 20);
    QCOMPARE(runs[0].free, 0);
    QCOMPARE(runs[1].used[kGen1], 5);
    QCOMPARE(runs[1].used[kGen2], 5);
    QCOMPARE(runs[1].free, 10);
    QCOMPARE(runs[2].free, 20);
    QCOMPARE(runs[3].unknown, 20);
  }

  void equalNeighboursAreDrawnAsOne() {
    const LaneContent content = contentOf(std::vector<MapCell>(1000, cellOf(100, 0, 0)), 100'000);
    const AddressScale scale(kLaneContentStart, {0, 100'000}, 0, 1000);
    const auto runs = densityRuns(content, scale, 0, 1000, 1, 20);
    QCOMPARE(runs.size(), std::size_t{1});
    QCOMPARE(runs[0].left, 0.0);
    QCOMPARE(runs[0].right, 1000.0);
  }

  void littleThatIsThereDoesNotVanish() {
    const LaneContent content = contentOf({cellOf(1, 0, 9'999)}, 10'000);
    const auto runs = densityRuns(content, AddressScale(kLaneContentStart, {0, 10'000}, 0, 1), 0, 1, 1, 20);
    QCOMPARE(runs[0].used[kGen1], 1);
    QCOMPARE(runs[0].free, 19);
  }

  void aColumnIsNeverHigherThanItsLane() {
    MapCell cell;
    cell.usedBytes = {16, 17, 17, 17, 17, 16};
    const auto runs = densityRuns(contentOf({cell}, 100), AddressScale(kLaneContentStart, {0, 100}, 0, 1), 0, 1, 1, 4);
    int height = runs[0].free + runs[0].unknown;
    for (const int part : runs[0].used) height += part;
    QCOMPARE(height, 4);
  }

  void whatIsHighlightedStandsOutHoweverLittleItIs() {
    MapCell cell;
    cell.usedBytes[kGen1] = 1;
    cell.paleBytes[kGen2] = 9'999;
    LaneContent content = contentOf({cell}, 10'000);
    const AddressScale scale(kLaneContentStart, {0, 10'000}, 0, 1);
    content.question.paint.highlight = std::make_shared<const MapHighlight>();
    const auto runs = densityRuns(content, scale, 0, 1, 1, 20);
    QCOMPARE(runs[0].used[kGen1], 5);
    QCOMPARE(runs[0].pale[kGen2], 15);
    content.cells.front().usedBytes = {};
    const auto without = densityRuns(content, scale, 0, 1, 1, 20);
    QCOMPARE(without[0].used[kGen1], 0);
    QCOMPARE(without[0].pale[kGen2], 20);
  }

  void pinsStandWhereTheyAreAndApart() {
    std::vector<MapCell> cells(100);
    for (const std::size_t cell : {10u, 11u, 12u, 50u}) cells[cell].pinned = 1;
    const LaneContent content = contentOf(std::move(cells), 1000);
    const AddressScale scale(kLaneContentStart, {0, 1000}, 0, 100);
    QCOMPARE(pinPlaces(content, scale, 0, 100, 6), (std::vector<double>{10.5, 50.5}));
    QCOMPARE(pinPlaces(content, scale, 0, 100, 1), (std::vector<double>{10.5, 11.5, 12.5, 50.5}));
    QVERIFY(pinPlaces(content, scale, 60, 100, 6).empty());
  }

  void addressFindsTheObjectThatHoldsIt() {
    LaneContent content;
    content.objects = {{ObjectId{0}, {0x100}, 24, 24, TypeId{1}, SegmentId{0}, Generation::Gen0},
                       {ObjectId{1}, {0x118}, 30, 32, TypeId{2}, SegmentId{0}, Generation::Gen0},
                       {ObjectId{2}, {0x200}, 24, 24, TypeId{3}, SegmentId{0}, Generation::Gen0}};
    QCOMPARE(content.objectAt({0x117})->type, TypeId{1});
    QCOMPARE(content.objectAt({0x118})->type, TypeId{2});
    QVERIFY(!content.objectAt({0x138}));
    QVERIFY(!content.objectAt({0x99}));
    QCOMPARE(content.objectAt({0x200})->type, TypeId{3});
  }

  void shortNamesLeaveNamespacesOutEverywhere() {
    QCOMPARE(shortTypeName("System.String"), QStringLiteral("String"));
    QCOMPARE(shortTypeName("System.Collections.Generic.Dictionary<System.String, Zoo.Order>+Entry[]"),
             QStringLiteral("Dictionary<String, Order>+Entry[]"));
    QCOMPARE(shortTypeName("Free"), QStringLiteral("Free"));
    QCOMPARE(shortTypeName(""), QString());
  }

  void aBubbleStaysInsideAndLeavesThePointerFree() {
    const QRect bounds(0, 0, 800, 600);
    const QSize bubble(200, 80);
    for (const QPoint point : {QPoint(10, 10), QPoint(790, 590), QPoint(400, 300), QPoint(790, 5)}) {
      const QRect place(bubblePosition(point, bubble, bounds), bubble);
      QVERIFY(bounds.contains(place));
      QVERIFY(!place.contains(point));
    }
  }
};

HEAPSCAPE_WINDOW_TEST(LaneContentTest)
#include "tst_lane_content.moc"
