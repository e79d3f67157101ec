// SPDX-License-Identifier: MIT
// Layouts beside each other as rectangles and curves, without pixels.
#include <QTest>
#include <algorithm>

#include "support/hand_made_layouts.h"
#include "support/window_test.h"
#include "views/layouts/array_strip.h"
#include "widgets/layout_diagram/layout_diagram_geometry.h"
#include "widgets/layout_diagram/side_by_side_geometry.h"

using namespace heapscape;
using namespace heapscape::gui;
using engine::LayoutItem;
using engine::LayoutItems;

namespace {

SideBySideMetrics sideMetrics(bool isBar = false) {
  SideBySideMetrics metrics;
  metrics.diagram.isBar = isBar;
  metrics.diagram.byteWidth = 10;
  metrics.diagram.lineHeight = 20;
  metrics.diagram.captionHeight = 15;
  metrics.diagram.inset = 2;
  metrics.diagram.gap = 0;
  metrics.diagram.rulerHeight = 0;
  metrics.diagram.gutterWidth = 30;
  metrics.diagram.bracketWidth = 0;
  metrics.curveGutter = 40;
  metrics.headHeight = 50;
  metrics.headWidth = 100;
  return metrics;
}

/// order() with its two small fields the other way round.
engine::TypeLayout turnedOrder() {
  engine::TypeLayout layout = handmade::order();
  layout.fields = {handmade::field("Customer", 0, 8, engine::FieldKind::Reference, "Zoo.Customer"),
                   handmade::field("Paid", 8, 1, engine::FieldKind::Primitive, "System.Boolean"),
                   handmade::field("Id", 12, 4)};
  layout.paddings = {{9, 3, "Zoo.Order", false}};
  return layout;
}

struct Picture {
  std::vector<LayoutItems> items;
  std::vector<std::vector<bool>> isOpen;
  FieldMatches matches;
  SideBySideGeometry geometry;

  Picture(const std::vector<engine::TypeLayout>& layouts, const SideBySideMetrics& metrics, bool opensAll = false) {
    for (const engine::TypeLayout& layout : layouts) items.push_back(buildLayoutItems(layout, false));
    std::vector<const LayoutItems*> columns;
    std::vector<DiagramSource> sources;
    for (const LayoutItems& each : items) {
      columns.push_back(&each);
      std::vector<bool> open;
      for (const LayoutItem& item : each.items) open.push_back(opensAll && item.canOpen());
      isOpen.push_back(std::move(open));
    }
    matches = FieldMatches(columns);
    for (std::size_t column = 0; column < items.size(); ++column) sources.push_back({&items[column], &isOpen[column]});
    geometry = layOutSideBySide(sources, matches, metrics);
  }

  QRectF part(std::size_t column, const char* name) const {
    for (const DiagramBox& box : geometry.columns[column].boxes) {
      if (items[column][box.item].name == name) return box.parts.front();
    }
    return {};
  }

  const FieldCurve* curve(const char* name) const {
    const auto found = std::ranges::find_if(geometry.curves, [&](const FieldCurve& curve) {
      return items[curve.column][matches.itemOf(curve.column, curve.field)].name == name;
    });
    return found == geometry.curves.end() ? nullptr : &*found;
  }
};

}  // namespace

class SideBySideGeometryTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void columnsShareRowsAndScale() {
    const Picture picture({handmade::order(), turnedOrder()}, sideMetrics());
    const auto& columns = picture.geometry.columns;
    QCOMPARE(columns.size(), std::size_t{2});
    QCOMPARE(columns[0].rows.size(), columns[1].rows.size());
    for (std::size_t row = 0; row < columns[0].rows.size(); ++row) {
      QCOMPARE(columns[0].rows[row].begin, columns[1].rows[row].begin);
      QCOMPARE(columns[0].rows[row].rect.top(), columns[1].rows[row].rect.top());
      QCOMPARE(columns[0].rows[row].rect.size(), columns[1].rows[row].rect.size());
    }
  }

  void columnsAndHeadsDoNotOverlap() {
    const Picture picture({handmade::order(), turnedOrder(), handmade::order()}, sideMetrics());
    for (std::size_t column = 0; column < 3; ++column) {
      const QRectF bytes = picture.geometry.columns[column].bytes;
      QVERIFY(picture.geometry.heads[column].bottom() <= bytes.top());
      QCOMPARE(picture.geometry.heads[column].left(), bytes.left());
      if (column == 0) continue;
      QCOMPARE(bytes.left() - picture.geometry.columns[column - 1].bytes.right(), 40.0);
    }
    QVERIFY(picture.geometry.size.width() >= picture.geometry.columns.back().bytes.right());
  }

  void curvesJoinOnlyWhatHasMoved() {
    const Picture picture({handmade::order(), turnedOrder()}, sideMetrics());
    QCOMPARE(picture.geometry.curves.size(), std::size_t{2});
    QVERIFY(picture.curve("Id"));
    QVERIFY(picture.curve("Paid"));
    QVERIFY(!picture.curve("Customer"));
  }

  void curvesRunInTheGutterFromRowToRow() {
    const Picture picture({handmade::order(), turnedOrder()}, sideMetrics());
    const FieldCurve& curve = *picture.curve("Paid");
    QVERIFY(curve.from.x() > picture.geometry.columns[0].bytes.right());
    QVERIFY(curve.to.x() < picture.geometry.columns[1].bytes.left());
    QVERIFY(curve.from.x() < curve.to.x());
    const QRectF from = picture.part(0, "Paid");
    const QRectF to = picture.part(1, "Paid");
    QVERIFY(curve.from.y() > from.top() && curve.from.y() < from.bottom());
    QVERIFY(curve.to.y() > to.top() && curve.to.y() < to.bottom());
    // Two fields of one row have ends of their own.
    QVERIFY(curve.from.y() != picture.curve("Id")->from.y());
  }

  void shorterLayoutEndsEarlierInTheSameRows() {
    engine::TypeLayout shorter = handmade::order();
    shorter.fields.pop_back();
    shorter.fields.pop_back();
    shorter.paddings.clear();
    shorter.baseSize = 24;
    const Picture picture({handmade::order(), shorter}, sideMetrics());
    QCOMPARE(picture.geometry.columns[1].rows.size(), std::size_t{4});
    QVERIFY(picture.part(1, "Id").isEmpty());
    QCOMPARE(picture.part(0, "Customer").top(), picture.part(1, "Customer").top());
  }

  void openValuesKeepRowsAligned() {
    engine::TypeLayout moved = handmade::priced();
    moved.fields = {handmade::value("Price", "Zoo.Price", 0, 16,
                                    {handmade::field("Currency", 0, 1), handmade::field("Amount", 8, 8)}),
                    handmade::field("Name", 16, 8, engine::FieldKind::Reference, "System.String")};
    moved.paddings = {{1, 7, "Zoo.Price", true}};
    const Picture picture({handmade::priced(), moved}, sideMetrics(), true);
    for (std::size_t row = 0; row < picture.geometry.columns[0].rows.size(); ++row) {
      QCOMPARE(picture.geometry.columns[0].rows[row].rect.top(), picture.geometry.columns[1].rows[row].rect.top());
    }
    QVERIFY(picture.curve("Price"));
    QVERIFY(!picture.curve("Amount"));  // it went along with its value
  }

  void unionsStandInLanesInEveryColumn() {
    const Picture picture({handmade::unionOfFields(), handmade::unionOfFields()}, sideMetrics());
    for (const DiagramGeometry& column : picture.geometry.columns) {
      for (const DiagramBox& box : column.boxes) {
        for (const DiagramBox& other : column.boxes) {
          if (&box != &other) QVERIFY(!box.parts.front().intersects(other.parts.front()));
        }
      }
    }
    QVERIFY(picture.geometry.curves.empty());
  }

  void barsStandBelowEachOtherOnOneScale() {
    const Picture picture({handmade::order(), turnedOrder()}, sideMetrics(true));
    const QRectF upper = picture.geometry.columns[0].bytes;
    const QRectF lower = picture.geometry.columns[1].bytes;
    QCOMPARE(upper.left(), lower.left());
    QCOMPARE(upper.width(), lower.width());
    QCOMPARE(lower.top() - upper.bottom(), 40.0);
    QVERIFY(picture.geometry.heads[0].right() <= upper.left());
    const FieldCurve& curve = *picture.curve("Id");
    QVERIFY(curve.from.y() > upper.bottom() && curve.to.y() < lower.top());
    QCOMPARE(curve.to.x(), picture.part(1, "Id").center().x());
  }

  void sameNameOfABaseIsAnotherField() {
    engine::TypeLayout layout = handmade::order();
    layout.fields[2].name = "Id";
    layout.fields[2].declaringType = "Zoo.Base";
    const Picture picture({layout, layout}, sideMetrics());
    QCOMPARE(picture.matches.count(), 7u);  // header, method table, three fields, a padding of each column
  }

  void paddingsAreNeverTheSame() {
    const Picture picture({handmade::order(), handmade::order()}, sideMetrics());
    QCOMPARE(picture.matches.count(), 7u);
  }

  void pointFindsColumnAndItem() {
    const Picture picture({handmade::order(), turnedOrder()}, sideMetrics());
    const auto spot = spotAt(picture.geometry, picture.part(1, "Id").center());
    QVERIFY(spot);
    QCOMPARE(spot->column, std::size_t{1});
    QCOMPARE(picture.items[1][spot->item].name, std::string("Id"));
    QVERIFY(!spotAt(picture.geometry, {0, 0}));
  }

  void cacheLinesAreCrossedInside() {
    QVERIFY(!crossesCacheLine(56, 64));
    QCOMPARE(crossesCacheLine(60, 68), std::optional<std::int64_t>(64));
    QVERIFY(!crossesCacheLine(64, 128));
    QCOMPARE(crossesCacheLine(-8, 8), std::optional<std::int64_t>(0));
    QVERIFY(!crossesCacheLine(-8, 0));
  }

  void arrayElementsFollowEachOtherToScale() {
    const ArrayElements elements{24, 16, nullptr};
    const ArrayStripGeometry strip = layOutArrayStrip(elements, QRectF(0, 0, 960, 20), 5);
    QCOMPARE(strip.elements.size(), std::size_t{8});
    for (std::size_t index = 1; index < strip.elements.size(); ++index) {
      QCOMPARE(strip.elements[index].rect.left(), strip.elements[index - 1].rect.right());
    }
    QCOMPARE(strip.elements.back().rect.right(), 960.0);
    QCOMPARE(strip.lines.size(), std::size_t{3});
    QCOMPARE(strip.lines.front(), 48 * 5.0);  // the array's own 16 bytes come before
    // 16 … 40 … 64: the second ends at the line, the fifth crosses it at 128.
    QVERIFY(!strip.elements[1].straddles);
    QVERIFY(strip.elements[4].straddles);
  }

  void rhythmCountsOneWholeTurn() {
    const LineRhythm rhythm = lineRhythm({24, 16, nullptr});
    QCOMPARE(rhythm.elements, std::int64_t{8});
    QCOMPARE(rhythm.straddling, std::int64_t{2});
    QCOMPARE(lineRhythm({16, 16, nullptr}).straddling, std::int64_t{0});
    QCOMPARE(lineRhythm({128, 16, nullptr}).straddling, std::int64_t{0});
    QCOMPARE(lineRhythm({0, 16, nullptr}).elements, std::int64_t{1});
  }

  void paddingOfElementsIsDrawnInEach() {
    engine::TypeLayout layout = handmade::unionOfFields();
    layout.valueSize = layout.fieldsBytes = 16;
    layout.fields = {handmade::field("flag", 0, 1), handmade::field("amount", 8, 8)};
    layout.paddings = {{1, 7, "Zoo.Union", false}};
    const LayoutItems element = buildLayoutItems(layout, true);
    const ArrayStripGeometry strip = layOutArrayStrip({16, 16, &element}, QRectF(0, 0, 640, 20), 5);
    QCOMPARE(strip.paddings.size(), strip.elements.size());
    QCOMPARE(strip.paddings.front(), QRectF(strip.byteWidth, 0, 7 * strip.byteWidth, 20));
  }
};

HEAPSCAPE_WINDOW_TEST(SideBySideGeometryTest)
#include "tst_side_by_side_geometry.moc"
