// SPDX-License-Identifier: MIT
#include <QFont>
#include <QTest>

#include "support/window_test.h"
#include "views/segments/segment_map_geometry.h"

using namespace heapscape::gui;
using heapscape::engine::SegmentId;

namespace {

std::vector<Lane> manyLanes(std::uint32_t count, std::uint32_t heaps) {
  std::vector<Lane> lanes;
  for (std::uint32_t index = 0; index < count; ++index)
    lanes.push_back({SegmentId{index}, index * heaps / count, 4096});
  return lanes;
}

MapMetrics metricsFor(QSize size, std::size_t lanes, std::size_t headings) {
  const QFontMetrics metrics{QFont()};
  return MapMetrics::of(metrics, metrics, size, lanes, headings);
}

}  // namespace

class SegmentMapGeometryTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void rowsNeverOverlapAndLeaveNoGap_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("count");
    QTest::newRow("few") << QSize(1000, 700) << 6;
    QTest::newRow("many") << QSize(1000, 700) << 471;
    QTest::newRow("small window") << QSize(420, 300) << 21;
    QTest::newRow("4K") << QSize(3840, 2160) << 40;
  }

  void rowsNeverOverlapAndLeaveNoGap() {
    QFETCH(QSize, size);
    QFETCH(int, count);
    const auto lanes = manyLanes(static_cast<std::uint32_t>(count), 4);
    std::vector<bool> isZoomed(lanes.size());
    isZoomed[2] = true;
    const MapGeometry geometry = layoutMap(lanes, isZoomed, metricsFor(size, lanes.size(), 4), size.width());
    QCOMPARE(geometry.headings.size(), std::size_t{4});
    std::vector<QRect> rows;
    for (const HeadingRow& heading : geometry.headings) rows.push_back(heading.row);
    for (const LaneRow& lane : geometry.lanes) rows.push_back(lane.row);
    std::sort(rows.begin(), rows.end(), [](const QRect& left, const QRect& right) { return left.top() < right.top(); });
    int y = 0;
    for (const QRect& row : rows) {
      QCOMPARE(row.top(), y);
      y = row.bottom() + 1;
    }
    QCOMPARE(geometry.height, y);
  }

  void aPictureHasWholeRowsBelowEachOther() {
    const auto lanes = manyLanes(40, 4);
    const MapGeometry geometry =
        layoutMap(lanes, std::vector<bool>(lanes.size()), metricsFor({1000, 400}, lanes.size(), 4), 1000);
    for (int top = 0; top < geometry.height; top += 7) {
      const std::vector<PicturedRow> rows = picturedRows(geometry, top, top + 400);
      int y = 0;
      std::uint32_t heap = 99;
      for (const PicturedRow& row : rows) {
        const QRect& place = row.isHeading ? geometry.headings[row.index].row : geometry.lanes[row.index].row;
        QCOMPARE(row.y, y);
        y += place.height();
        if (row.isHeading) {
          heap = geometry.headings[row.index].heap;
        } else {
          QVERIFY(place.top() >= top && place.bottom() < top + 400);
          QCOMPARE(lanes[row.index].heap, heap);
        }
      }
      QVERIFY(y <= 400);
      QVERIFY(!rows.empty() || top + 60 > geometry.height);
    }
    QVERIFY(picturedRows({}, 0, 400).empty());
  }

  void partsOfARowStandSideBySide() {
    for (const QSize size : {QSize(480, 300), QSize(1000, 700), QSize(3840, 2160)}) {
      const auto lanes = manyLanes(5, 1);
      const MapGeometry geometry = layoutMap(lanes, {}, metricsFor(size, 5, 1), size.width());
      for (const LaneRow& lane : geometry.lanes) {
        QVERIFY(lane.label.right() < lane.bar.left());
        QVERIFY(lane.bar.right() < lane.figures[0].left());
        QVERIFY(lane.figures[0].right() < lane.figures[1].left() && lane.figures[1].right() < lane.figures[2].left());
        QVERIFY(lane.figures[2].right() < size.width());
        QVERIFY(lane.row.contains(lane.bar));
        QVERIFY(lane.row.height() >= 24);
      }
    }
  }

  void aZoomedLaneGetsMoreRoom() {
    const auto lanes = manyLanes(100, 1);
    std::vector<bool> isZoomed(lanes.size());
    isZoomed[7] = true;
    const MapGeometry geometry = layoutMap(lanes, isZoomed, metricsFor({1000, 700}, 100, 1), 1000);
    QVERIFY(geometry.lanes[7].row.height() > geometry.lanes[6].row.height());
  }

  void aPointFindsItsLane() {
    const auto lanes = manyLanes(471, 4);
    const MapGeometry geometry = layoutMap(lanes, {}, metricsFor({1000, 700}, 471, 4), 1000);
    for (const LaneRow& lane : geometry.lanes) {
      QCOMPARE(geometry.laneAt(lane.row.top()), std::optional(lane.lane));
      QCOMPARE(geometry.laneAt(lane.row.bottom()), std::optional(lane.lane));
    }
    for (const HeadingRow& heading : geometry.headings) QVERIFY(!geometry.laneAt(heading.row.center().y()));
    QVERIFY(!geometry.laneAt(geometry.height + 5));
    QVERIFY(!geometry.laneAt(-5));
  }
};

HEAPSCAPE_WINDOW_TEST(SegmentMapGeometryTest)
#include "tst_segment_map_geometry.moc"
