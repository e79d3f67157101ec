// SPDX-License-Identifier: MIT
#include <QTest>
#include <numeric>

#include "print/print_item.h"
#include "support/window_test.h"

namespace heapscape::gui {

class PrintFlowTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void itemsFollowEachOtherWithTheirSpace();
  void noSpaceAtTheTopOfASheet();
  void headingsGoWithWhatFollows();
  void tablesRepeatTheirHead();
  void whatIsTooHighHasItsOwnSheet();
  void whatCannotStayTogetherIsDivided();
  void shortColumnsAreNotCutForLongOnes();
  void figuresComeBeforeWords();
  void columnsNeverTakeMoreThanTheRoom();
};

void PrintFlowTest::itemsFollowEachOtherWithTheirSpace() {
  const std::vector<FlowItem> items{{.height = 10}, {.height = 20, .spaceBefore = 5}};
  const auto places = flowed(items, 100);
  QVERIFY((places == std::vector<FlowPlace>{{0, 0, 0}, {1, 0, 15}}));
}

void PrintFlowTest::noSpaceAtTheTopOfASheet() {
  const std::vector<FlowItem> items{{.height = 90, .spaceBefore = 50}, {.height = 20, .spaceBefore = 5}};
  const auto places = flowed(items, 100);
  QVERIFY((places == std::vector<FlowPlace>{{0, 0, 0}, {1, 1, 0}}));
}

void PrintFlowTest::headingsGoWithWhatFollows() {
  const std::vector<FlowItem> items{
      {.height = 70}, {.height = 10, .keepsWithNext = true}, {.height = 10, .keepsWithNext = true}, {.height = 30}};
  const auto places = flowed(items, 100);
  QVERIFY((places == std::vector<FlowPlace>{{0, 0, 0}, {1, 1, 0}, {2, 1, 10}, {3, 1, 20}}));
}

void PrintFlowTest::tablesRepeatTheirHead() {
  std::vector<FlowItem> items{{.height = 10, .keepsWithNext = true}};
  for (int row = 0; row < 20; ++row) items.push_back({.height = 10, .heading = 0});
  const auto places = flowed(items, 100);
  std::size_t rows = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool isFirstOfSheet = i == 0 || places[i].sheet != places[i - 1].sheet;
    QCOMPARE(places[i].item == 0, isFirstOfSheet);
    QVERIFY(places[i].y + 10 <= 100);
    rows += places[i].item != 0;
  }
  QCOMPARE(rows, std::size_t{20});
  QCOMPARE(places.back().sheet, std::size_t{2});
}

void PrintFlowTest::whatIsTooHighHasItsOwnSheet() {
  const std::vector<FlowItem> items{{.height = 10}, {.height = 300}, {.height = 10}};
  const auto places = flowed(items, 100);
  QVERIFY((places == std::vector<FlowPlace>{{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}));
}

void PrintFlowTest::whatCannotStayTogetherIsDivided() {
  std::vector<FlowItem> items(30, {.height = 10, .keepsWithNext = true});
  for (const FlowPlace& place : flowed(items, 100)) QVERIFY(place.y + 10 <= 100);
}

void PrintFlowTest::shortColumnsAreNotCutForLongOnes() {
  const std::vector<ColumnNeed> needs{{30, true}, {1000, true}, {500, true}};
  const auto widths = fittedColumns(needs, 300, 40);
  QCOMPARE(widths[0], 30.0);
  QCOMPARE(widths[1], 135.0);
  QCOMPARE(widths[2], 135.0);
}

void PrintFlowTest::figuresComeBeforeWords() {
  const std::vector<ColumnNeed> needs{{1000, true}, {60, false}, {80, false}};
  const auto widths = fittedColumns(needs, 300, 40);
  QCOMPARE(widths[1], 60.0);
  QCOMPARE(widths[2], 80.0);
  QCOMPARE(widths[0], 160.0);
}

void PrintFlowTest::columnsNeverTakeMoreThanTheRoom() {
  const std::vector<ColumnNeed> needs{{1000, true}, {500, false}, {500, false}, {500, false}, {10, true}};
  const auto widths = fittedColumns(needs, 300, 40);
  QVERIFY(std::accumulate(widths.begin(), widths.end(), 0.0) <= 300.001);
  for (const double width : widths) QVERIFY(width > 0);
}

HEAPSCAPE_WINDOW_TEST(PrintFlowTest)

}  // namespace heapscape::gui

#include "tst_print_flow.moc"
