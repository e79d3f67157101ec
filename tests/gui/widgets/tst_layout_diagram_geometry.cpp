// SPDX-License-Identifier: MIT
#include <QTest>
#include <algorithm>

#include "layout/layout_items.h"
#include "support/hand_made_layouts.h"
#include "support/window_test.h"
#include "widgets/layout_diagram/layout_diagram_geometry.h"

using namespace heapscape;
using namespace heapscape::gui;
using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

namespace {

DiagramMetrics plainMetrics() {
  DiagramMetrics metrics;
  metrics.byteWidth = 10;
  metrics.lineHeight = 20;
  metrics.captionHeight = 15;
  metrics.inset = 2;
  metrics.gap = 0;
  metrics.rulerHeight = 0;
  metrics.gutterWidth = 0;
  metrics.bracketWidth = 100;
  return metrics;
}

struct Diagram {
  LayoutItems items;
  std::vector<bool> isOpen;
  DiagramGeometry geometry;

  Diagram(const engine::TypeLayout& layout, bool isUnboxed, bool opensAll = false,
          const DiagramMetrics& metrics = plainMetrics())
      : items(buildLayoutItems(layout, isUnboxed)) {
    for (const LayoutItem& item : items.items) isOpen.push_back(opensAll && item.canOpen());
    geometry = layOutDiagram(items, isOpen, metrics);
  }

  const DiagramBox* box(const char* name) const {
    const auto found =
        std::ranges::find_if(geometry.boxes, [&](const DiagramBox& box) { return items[box.item].name == name; });
    return found == geometry.boxes.end() ? nullptr : &*found;
  }

  const DiagramBox* padding() const {
    const auto found = std::ranges::find_if(
        geometry.boxes, [&](const DiagramBox& box) { return items[box.item].part == LayoutPart::Padding; });
    return found == geometry.boxes.end() ? nullptr : &*found;
  }
};

}  // namespace

class LayoutDiagramGeometryTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyEightBytesAreARow() {
    const Diagram diagram(handmade::order(), false);
    QCOMPARE(diagram.geometry.rows.size(), std::size_t{4});
    QCOMPARE(diagram.geometry.rows.front().begin, -8);
    QCOMPARE(diagram.geometry.rows.back().end, 24);
    QCOMPARE(diagram.geometry.rows[2].rect, QRectF(0, 40, 80, 20));
  }

  void fieldCoversItsBytes() {
    const Diagram diagram(handmade::order(), false);
    QCOMPARE(diagram.box("Customer")->parts, std::vector<QRectF>{QRectF(0, 40, 80, 20)});
    QCOMPARE(diagram.box("Id")->parts, std::vector<QRectF>{QRectF(0, 60, 40, 20)});
    QCOMPARE(diagram.box("Paid")->parts, std::vector<QRectF>{QRectF(40, 60, 10, 20)});
    QCOMPARE(diagram.padding()->parts, std::vector<QRectF>{QRectF(50, 60, 30, 20)});
  }

  void fieldAtAnOddOffsetRunsOverTwoRows() {
    engine::TypeLayout layout = handmade::unionOfFields();
    layout.valueSize = layout.fieldsBytes = 16;
    layout.fields = {handmade::field("tag", 0, 1), handmade::field("amount", 5, 8)};
    const Diagram diagram(layout, true);
    const std::vector<QRectF> expected{QRectF(50, 0, 30, 20), QRectF(0, 20, 50, 20)};
    QCOMPARE(diagram.box("amount")->parts, expected);
  }

  void closedValueHidesItsFields() {
    const Diagram diagram(handmade::priced(), false);
    QVERIFY(diagram.box("Price"));
    QVERIFY(!diagram.box("Amount"));
    QVERIFY(!diagram.padding());
  }

  void openValueFramesItsFieldsUnderACaption() {
    const Diagram diagram(handmade::priced(), false, true);
    const DiagramBox& price = *diagram.box("Price");
    QVERIFY(price.isOpen);
    QCOMPARE(price.parts.size(), std::size_t{2});
    QCOMPARE(price.parts[0].height(), 35.0);  // a caption and a line
    QCOMPARE(price.parts[1].height(), 22.0);  // a line and the frame's edge
    const QRectF currency = diagram.box("Currency")->parts.front();
    QVERIFY(price.parts[0].contains(currency));
    QCOMPARE(currency.top(), price.parts[0].top() + 15);
    QCOMPARE(currency.left(), price.parts[0].left() + 2);
    QVERIFY(price.parts[0].contains(diagram.padding()->parts.front()));
    QVERIFY(price.parts[1].contains(diagram.box("Amount")->parts.front()));
  }

  void outerBoxesComeBeforeInnerOnes() {
    const Diagram diagram(handmade::priced(), false, true);
    QVERIFY(diagram.box("Price") < diagram.box("Currency"));
    QCOMPARE(boxAt(diagram.geometry, diagram.box("Amount")->parts.front().center()), diagram.box("Amount"));
  }

  void overlappingFieldsNeverHideEachOther() {
    const Diagram diagram(handmade::unionOfFields(), true);
    QCOMPARE(diagram.geometry.boxes.size(), std::size_t{4});
    for (const DiagramBox& box : diagram.geometry.boxes) {
      QVERIFY(box.isOverlapping);
      for (const DiagramBox& other : diagram.geometry.boxes) {
        if (&box == &other) continue;
        QVERIFY(!box.parts.front().intersects(other.parts.front()));
      }
    }
    QCOMPARE(diagram.box("top")->parts.front().left(), 70.0);
    QCOMPARE(diagram.box("top")->parts.front().width(), 10.0);
    QVERIFY(diagram.geometry.rows.front().rect.height() >= 60);
  }

  void fieldsThatDoNotOverlapHaveTheWholeHeight() {
    const Diagram diagram(handmade::order(), false);
    for (const DiagramBox& box : diagram.geometry.boxes) {
      QVERIFY(!box.isOverlapping);
      QCOMPARE(box.parts.front().height(), 20.0);
    }
  }

  void giantFieldIsFolded() {
    engine::TypeLayout layout = handmade::order();
    layout.fields = {handmade::value("bytes", "Zoo.Bytes", 0, 65536, {})};
    layout.paddings.clear();
    layout.levels.clear();
    layout.baseSize = 65552;
    const Diagram diagram(layout, false);
    QVERIFY(diagram.geometry.rows.size() < 10);
    const auto folded = std::ranges::find(diagram.geometry.rows, true, &DiagramRow::isFolded);
    QVERIFY(folded != diagram.geometry.rows.end());
    QCOMPARE(folded->end - folded->begin, std::int64_t{65536 - 16});
    QVERIFY(diagram.geometry.size.height() < 300);
    QCOMPARE(diagram.box("bytes")->parts.size(), diagram.geometry.rows.size() - 2);
  }

  void manyFieldsAreLaidOutInTime() {
    engine::TypeLayout layout = handmade::order();
    layout.fields.clear();
    layout.paddings.clear();
    for (std::uint32_t index = 0; index < 65'000; ++index) layout.fields.push_back(handmade::field("f", index * 8, 8));
    layout.baseSize = 65'000 * 8 + 16;
    layout.fieldsBytes = 65'000 * 8;
    QElapsedTimer timer;
    timer.start();
    const Diagram diagram(layout, false);
    QCOMPARE(diagram.geometry.rows.size(), std::size_t{65'002});
    QVERIFY(timer.elapsed() < 5000);
  }

  void barPutsAllBytesInOneLine() {
    DiagramMetrics metrics = plainMetrics();
    metrics.isBar = true;
    const Diagram diagram(handmade::order(), false, false, metrics);
    QCOMPARE(diagram.geometry.rows.size(), std::size_t{1});
    QCOMPARE(diagram.box("Id")->parts.front(), QRectF(240, 0, 40, 20));
    QCOMPARE(diagram.geometry.bytes.width(), 320.0);
  }

  void bracketSpansItsLevelAndNamesDoNotCollide() {
    engine::TypeLayout layout = handmade::order();
    layout.levels = {{"Zoo.Base", {}, 0, 8}, {"Zoo.Middle", {}, 8, 4}, {"Zoo.Order", {}, 12, 1}};
    const Diagram diagram(layout, false);
    const auto& brackets = diagram.geometry.brackets;
    QCOMPARE(brackets.size(), std::size_t{3});
    QVERIFY(brackets[0].from.y() >= 40 && brackets[0].to.y() <= 60);
    QVERIFY(brackets[1].from.y() >= 60 && brackets[1].to.y() <= 70);  // half of the row
    QVERIFY(brackets[2].from.y() >= 70);
    for (std::size_t level = 1; level < brackets.size(); ++level) {
      QVERIFY(!brackets[level].label.intersects(brackets[level - 1].label));
    }
    QVERIFY(diagram.geometry.size.height() >= brackets.back().label.bottom());
  }

  void emptyValueHasNoRows() {
    engine::TypeLayout layout = handmade::unionOfFields();
    layout.fields.clear();
    layout.valueSize = layout.fieldsBytes = 0;
    QVERIFY(Diagram(layout, true).geometry.boxes.empty());
  }
};

HEAPSCAPE_WINDOW_TEST(LayoutDiagramGeometryTest)
#include "tst_layout_diagram_geometry.moc"
