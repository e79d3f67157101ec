// SPDX-License-Identifier: MIT
#include <QTest>

#include "support/window_test.h"
#include "views/compare/growth_chart.h"

using namespace heapscape;
using namespace heapscape::gui;

/// Where the bars of growth lie, without pixels.
class GrowthBarsTest : public QObject {
  Q_OBJECT

 private:
  static engine::TypeChange type(const char* name, std::uint64_t before, std::uint64_t after) {
    engine::TypeChange change;
    change.name = name;
    change.bytes = {before, after};
    return change;
  }

 private Q_SLOTS:
  void take_the_ends_of_the_order() {
    const auto bars =
        growthBars({type("A", 0, 50), type("B", 10, 20), type("C", 5, 5), type("D", 9, 0), type("E", 90, 0)}, 1);
    QCOMPARE(bars.size(), std::size_t{2});
    QCOMPARE(bars[0].type, std::string("A"));
    QCOMPARE(bars[1].type, std::string("E"));
    QCOMPARE(bars[1].row, 4u);
    QVERIFY(growthBars({type("C", 5, 5)}, 8).empty());
  }

  void grow_to_the_right_and_shrink_to_the_left_on_one_scale() {
    const auto bars = growthBars({type("A", 0, 300), type("B", 0, 100), type("C", 100, 0)});
    const GrowthPicture picture = layOutGrowth(bars, {800, 200}, 24, 60);
    QCOMPARE(picture.bars.size(), std::size_t{3});
    QVERIFY(picture.bars[0].bar.left() >= picture.axis);
    QVERIFY(picture.bars[2].bar.right() <= picture.axis + 0.5);
    QVERIFY(std::abs(picture.bars[0].bar.width() - 3 * picture.bars[1].bar.width()) < 1);
    QVERIFY(std::abs(picture.bars[2].bar.width() - picture.bars[1].bar.width()) < 1);
  }

  void stay_inside_the_picture_at_any_size() {
    const auto bars =
        growthBars({type("A", 0, ~0ull >> 2), type("B", 0, 1), type("C", 1, 0), type("D", ~0ull >> 3, 0)});
    for (const QSizeF size : {QSizeF(300, 60), QSizeF(800, 400), QSizeF(2000, 100)}) {
      const GrowthPicture picture = layOutGrowth(bars, size, 24, 40);
      for (const GrowthBarShape& shape : picture.bars) {
        for (const QRectF& part : {shape.name, shape.bar, shape.figure})
          QVERIFY(part.left() >= -1 && part.right() <= size.width() + 1 && part.bottom() <= size.height());
        QVERIFY(shape.bar.width() >= 1);
        QVERIFY(!shape.name.intersects(shape.bar) && !shape.figure.adjusted(1, 0, -1, 0).intersects(shape.name));
      }
    }
  }
};

HEAPSCAPE_WINDOW_TEST(GrowthBarsTest)
#include "tst_growth_bars.moc"
