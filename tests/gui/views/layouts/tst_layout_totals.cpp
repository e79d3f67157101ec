// SPDX-License-Identifier: MIT
#include <QTest>

#include "layout/layout_items.h"
#include "support/hand_made_layouts.h"
#include "support/window_test.h"
#include "views/layouts/layout_totals.h"

using namespace heapscape;
using namespace heapscape::gui;

namespace {

QString joined(const std::vector<LayoutFigure>& figures) {
  QStringList texts;
  for (const LayoutFigure& figure : figures) texts << figure.value + QLatin1Char(' ') + figure.caption;
  return texts.join(QStringLiteral(" | "));
}

QString joined(const std::vector<LayoutChip>& chips) {
  QStringList texts;
  for (const LayoutChip& chip : chips) texts << chip.text;
  return texts.join(QStringLiteral(" | "));
}

}  // namespace

class LayoutTotalsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale::c()); }

  void paddingSaysOfWhat() {
    const QString text = joined(layoutFigures(handmade::order(), {1000, 3000}));
    QVERIFY2(text.contains(QStringLiteral("32 B an object")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("13 B in fields")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("3 B padding · 9.4% of the object, 18.8% of the 16 B for fields")),
             qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("2.93 KB padding in the heap's 1,000 objects")), qPrintable(text));
  }

  void typeWithoutObjectsSaysSo() {
    QVERIFY(joined(layoutFigures(handmade::order(), {})).endsWith(QStringLiteral("none on the heap")));
  }

  void valueTypeSaysBothSizes() {
    const QString text = joined(layoutFigures(handmade::unionOfFields(), {1, 0}));
    QVERIFY2(text.startsWith(QStringLiteral("8 B unboxed · 24 B in a box")), qPrintable(text));
  }

  void layoutThatWasNotKeptIsNamed() {
    engine::TypeLayout layout = handmade::order();
    layout.declaredKind = engine::LayoutKind::Sequential;
    layout.references = {{0, 8}};
    const auto chips = layoutChips(layout);
    QVERIFY(joined(chips).contains(QStringLiteral("declared sequential, laid out auto")));
    QVERIFY(chips[1].tip.contains(QStringLiteral("references")));
  }

  void keptLayoutIsNamedOnce() {
    QCOMPARE(joined(layoutChips(handmade::order())), QStringLiteral("class | auto layout"));
  }

  void textHasALineForEachStretch() {
    const engine::TypeLayout layout = handmade::priced();
    const QString text = layoutAsText(layout, buildLayoutItems(layout, false), {2, 14});
    const QStringList lines = text.split(QLatin1Char('\n'));
    QVERIFY(lines.front() == QStringLiteral("Zoo.Priced"));
    QVERIFY2(text.contains(QStringLiteral("\n      -8       8  object header\n")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("\n      16      16  Price : Zoo.Price\n")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("\n      17       7    padding\n")), qPrintable(text));
  }
};

HEAPSCAPE_WINDOW_TEST(LayoutTotalsTest)
#include "tst_layout_totals.moc"
