// SPDX-License-Identifier: MIT
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <vector>

#include "models/cells/roles.h"
#include "support/dumps.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/compare/compare_place.h"
#include "views/compare/growth_chart.h"
#include "widgets/choice_bar.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"

using namespace heapscape;
using namespace heapscape::gui;
using namespace heapscape::gui::test;

/// The place Compare on two real dumps of one program.
class ComparePlaceTest : public QObject {
  Q_OBJECT

 private:
  using Scene = PlaceScene<ComparePlace>;

  static bool compared(Scene& scene) {
    return QTest::qWaitFor([&] { return scene.part<QPushButton>(QStringLiteral("comparisonSwap"))->isEnabled(); },
                           kPatienceMs) &&
           QTest::qWaitFor([&] { return scene.lines(QStringLiteral("changedTypes")) > 0; }, kPatienceMs);
  }

  static bool openBoth(Scene& scene) {
    if (!scene.openUntilRetained(dataFile(QStringLiteral("growth/after-10.core.zst")))) return false;
    scene.place.compareWith(dataFile(QStringLiteral("growth/before-10.core.zst")));
    return compared(scene);
  }

 private Q_SLOTS:
  void asks_for_another_dump_once_retained_sizes_are_known() {
    Scene scene(PlaceId::Compare);
    QVERIFY(!scene.part<QPushButton>(QStringLiteral("comparisonPick"))->isEnabled());
    QVERIFY(scene.openUntilRetained(dataFile(QStringLiteral("growth/after-10.core.zst"))));
    QTRY_VERIFY(scene.part<QPushButton>(QStringLiteral("comparisonPick"))->isEnabled());
  }

  void offers_the_dumps_that_were_open_of_late() {
    Scene scene(PlaceId::Compare);
    const QString open = dataFile(QStringLiteral("growth/after-10.core.zst"));
    const QString other = dataFile(QStringLiteral("growth/before-10.core.zst"));
    auto* pick = scene.part<QPushButton>(QStringLiteral("comparisonPick"));
    QVERIFY(!pick->menu());
    scene.place.setRecentDumps({open, QStringLiteral("/opt/shop.dll"), other, QStringLiteral("/gone.core")});
    QVERIFY(scene.openUntilRetained(open));
    QTRY_VERIFY(pick->isEnabled());
    QVERIFY(pick->menu());
    const QList<QAction*> offered = pick->menu()->actions();
    QCOMPARE(offered.size(), 4);  // two, a line, and any other file
    QCOMPARE(offered[0]->text(), QStringLiteral("before-10.core.zst"));
    QTRY_VERIFY(offered[0]->isEnabled() && !offered[1]->isEnabled());
    offered[0]->trigger();
    QVERIFY(compared(scene));
    QCOMPARE(scene.cell(QStringLiteral("changedTypes"), 0, 0), QStringLiteral("Growth.Session"));
  }

  void has_room_for_its_lists_where_the_window_is_small() {
    Scene scene(PlaceId::Compare);
    scene.place.resize(596, 500);  // 900 x 600 beside the inspector
    QVERIFY(openBoth(scene));
    QTRY_VERIFY(scene.lines(QStringLiteral("comparedObjects")) >= 3000);
    const QTableView& types = scene.table(QStringLiteral("changedTypes"));
    const int growth = scene.column(QStringLiteral("changedTypes"), QStringLiteral("Growth"));
    const auto rightOfGrowth = [&] { return types.columnViewportPosition(growth) + types.columnWidth(growth); };
    QTRY_VERIFY2_WITH_TIMEOUT(
        rightOfGrowth() <= types.viewport()->width(),
        qPrintable(QStringLiteral("%1 of %2").arg(rightOfGrowth()).arg(types.viewport()->width())), 5000);
    // What stands over the list of objects does not lie over each other.
    const QWidget* panel = scene.table(QStringLiteral("comparedObjects")).parentWidget();
    while (!qobject_cast<const RowsPanel*>(panel)) panel = panel->parentWidget();
    const auto isOverlapping = [panel] {
      std::vector<QRect> parts;
      for (const QWidget* part : panel->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        if (!part->isVisible() || part->size().isEmpty()) continue;
        const QRect room = part->geometry();
        if (room.height() < part->heightForWidth(room.width())) return true;
        if (std::ranges::any_of(parts, [&](const QRect& other) { return other.intersects(room); })) return true;
        parts.push_back(room);
      }
      return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(!isOverlapping(), 5000);
    QVERIFY(!scene.part<GrowthChart>(QString())->isVisible());
    scene.place.resize(1100, 760);
    QTRY_VERIFY(scene.part<GrowthChart>(QString())->isVisible());
  }

  void says_what_it_compares_where_buttons_leave_no_room() {
    Scene scene(PlaceId::Compare);
    scene.place.resize(800, 500);
    QVERIFY(openBoth(scene));
    const auto* question = scene.part<ElidedText>(QStringLiteral("comparisonQuestion"));
    QTRY_VERIFY(question->width() >= question->sizeHint().width());
    QVERIFY(question->text().endsWith(QStringLiteral("to after-10.core.zst (.NET 10.0.12)")));
  }

  void shows_the_planted_leak_first_and_its_objects() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    QCOMPARE(scene.cell(QStringLiteral("changedTypes"), 0, 0), QStringLiteral("Growth.Session"));
    QTRY_VERIFY(scene.lines(QStringLiteral("comparedObjects")) >= 3000);  // 2,000 of the open one, all 1,000 before
    QVERIFY(scene.part<ElidedText>(QStringLiteral("comparisonFigures"))
                ->text()
                .contains(QStringLiteral("487 KB → 2.59 MB")));
  }

  void swaps_before_and_after_without_opening_again() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    QTest::mouseClick(scene.part<QPushButton>(QStringLiteral("comparisonSwap")), Qt::LeftButton);
    QVERIFY(compared(scene));
    QTRY_VERIFY(scene.cell(QStringLiteral("changedTypes"), 0, 0) == QStringLiteral("Growth.Draft"));
    const int last = scene.lines(QStringLiteral("changedTypes")) - 1;
    QCOMPARE(scene.cell(QStringLiteral("changedTypes"), last, 0), QStringLiteral("Growth.Session"));
  }

  void has_figures_insights_and_layouts() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    QTRY_VERIFY(scene.lines(QStringLiteral("changedFigures")) > 10);
    QTRY_VERIFY(scene.lines(QStringLiteral("changedInsights")) > 0);
    QTRY_COMPARE(scene.lines(QStringLiteral("changedLayouts")), 1);
    QCOMPARE(scene.cell(QStringLiteral("changedLayouts"), 0, 0), QStringLiteral("Growth.Account"));
  }

  void figures_stand_to_the_right_and_are_sorted_by_number() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    const QString list = QStringLiteral("changedFigures");
    QTRY_VERIFY(scene.lines(list) > 10);
    scene.place.findChild<QToolButton*>(QStringLiteral("comparisonPart1"))->click();
    const int difference = scene.column(list, QStringLiteral("Difference"));
    const QModelIndex cell = scene.table(list).model()->index(0, difference);
    QVERIFY((cell.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight) != 0);
    QVERIFY(scene.lineWith(list, 1, QStringLiteral("Objects")) >= 0);  // not "gcUsed"
    scene.clickHeading(list, difference);
    const auto number = [&](int line) {
      return scene.table(list).model()->index(line, difference).data(kPlainRole).toString().toLongLong();
    };
    const auto isSorted = [&] {
      for (int line = 1; line < scene.lines(list); ++line)
        if (number(line - 1) < number(line)) return false;
      return number(0) > 0;
    };
    QTRY_VERIFY(isSorted());
  }

  void picks_a_type_by_the_keys() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    auto* chart = scene.part<GrowthChart>(QStringLiteral("growthChart"));
    const QTableView& types = scene.table(QStringLiteral("changedTypes"));
    QTest::keyClick(chart, Qt::Key_Down);
    QTest::keyClick(chart, Qt::Key_Down);
    const QString second = chart->itemText(chart->currentItem().value()).title;
    QVERIFY(second != QStringLiteral("Growth.Session"));
    QTest::keyClick(chart, Qt::Key_Return);
    QTRY_COMPARE(types.currentIndex().siblingAtColumn(0).data().toString(), second);
  }

  void picks_a_type_by_its_bar() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    auto* chart = scene.part<GrowthChart>(QStringLiteral("growthChart"));
    QVERIFY(chart->accessibleDescription().contains(QStringLiteral("Growth.Session +1.98 MB")));
    const QTableView& types = scene.table(QStringLiteral("changedTypes"));
    const auto picked = [&] { return types.currentIndex().siblingAtColumn(0).data().toString(); };
    QTRY_COMPARE(picked(), QStringLiteral("Growth.Session"));
    QTest::mouseClick(chart, Qt::LeftButton, {}, QPoint(20, 2 * chart->height() / 13));  // one of thirteen bars
    QTRY_VERIFY(!picked().isEmpty() && picked() != QStringLiteral("Growth.Session"));
  }

  void says_why_a_file_cannot_be_compared_with() {
    Scene scene(PlaceId::Compare);
    QVERIFY(scene.openUntilRetained(dataFile(QStringLiteral("growth/after-10.core.zst"))));
    QTRY_VERIFY(scene.part<QPushButton>(QStringLiteral("comparisonPick"))->isEnabled());
    scene.place.compareWith(dataFile(QStringLiteral("growth/before-10.smaps.zst")));
    const auto isFailed = [&] {
      for (const StatePanel* panel : scene.place.findChildren<StatePanel*>())
        if (panel->isVisible() && panel->state() == StatePanel::State::Failed) return true;
      return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isFailed(), kPatienceMs);
  }

  void lets_the_other_dump_go_when_another_is_opened() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    const int mapped = mappedDumps();
    scene.place.clear();
    scene.bridge.close();
    QTRY_VERIFY_WITH_TIMEOUT(mappedDumps() <= mapped - 2, kPatienceMs);
  }
};

HEAPSCAPE_WINDOW_TEST(ComparePlaceTest)
#include "tst_compare_place.moc"
