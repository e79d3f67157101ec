// SPDX-License-Identifier: MIT
#include <QTest>

#include "support/window_test.h"
#include "views/compare/film/film_rows.h"

using namespace heapscape::gui;

/// Where the points of a sparkline lie.
class SparklineTest : public QObject {
  Q_OBJECT

  static std::vector<QPointF> pointsOf(const std::vector<std::uint64_t>& values) {
    return sparklinePoints(values, {10, 5, 100, 20});
  }

 private Q_SLOTS:
  void go_from_left_to_right_with_the_largest_at_the_top() {
    const auto points = pointsOf({0, 50, 100});
    QCOMPARE(points.size(), std::size_t{3});
    QCOMPARE(points[0], QPointF(10, 25));
    QCOMPARE(points[1], QPointF(60, 15));
    QCOMPARE(points[2], QPointF(110, 5));
  }

  void lie_at_the_bottom_where_there_is_nothing() {
    for (const QPointF& point : pointsOf({0, 0})) QCOMPARE(point.y(), 25.0);
    QVERIFY(pointsOf({}).empty());
    QCOMPARE(pointsOf({7}).front(), QPointF(10, 5));
  }
};

HEAPSCAPE_WINDOW_TEST(SparklineTest)
#include "tst_sparkline.moc"
