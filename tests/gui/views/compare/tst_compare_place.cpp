// SPDX-License-Identifier: MIT
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "models/cells/roles.h"
#include "support/dumps.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/compare/compare_place.h"
#include "views/compare/comparison_head.h"
#include "views/compare/difference_icicle.h"
#include "views/compare/film/film_reel.h"
#include "views/compare/growth_chart.h"
#include "views/compare/order_banner.h"
#include "widgets/choice_bar.h"
#include "widgets/layout_diagram/side_by_side_canvas.h"
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

  /// A copy that was written so long before another one; a repository's files have whatever time they were fetched at.
  QString dump(const QString& name, int secondsEarlier = 0) {
    const QString path = m_folder.filePath(name);
    if (!QFile::exists(path)) QFile::copy(dataFile(QStringLiteral("growth/") + name), path);
    QFile file(path);
    if (file.open(QIODevice::ReadWrite))
      file.setFileTime(QDateTime::fromSecsSinceEpoch(1'700'000'000 - secondsEarlier),
                       QFileDevice::FileModificationTime);
    return path;
  }
  QString before(int secondsEarlier = 0) { return dump(QStringLiteral("before-10.core.zst"), secondsEarlier); }
  QString after(int secondsEarlier = 0) { return dump(QStringLiteral("after-10.core.zst"), secondsEarlier); }

  bool openBoth(Scene& scene) {
    const QString other = after();
    if (!scene.openUntilRetained(before())) return false;
    scene.place.compareWith(other);
    return compared(scene);
  }

  static QStringList shownOrder(Scene& scene) {
    return {scene.part<DumpChip>("comparisonBefore")->dump(), scene.part<DumpChip>("comparisonAfter")->dump()};
  }
  const QStringList m_rightOrder{QStringLiteral("before-10.core.zst"), QStringLiteral("after-10.core.zst")};
  const QStringList m_wrongOrder{QStringLiteral("after-10.core.zst"), QStringLiteral("before-10.core.zst")};

  static void showPart(Scene& scene, int part) {
    scene.place.findChild<QToolButton*>(QStringLiteral("comparisonPart%1").arg(part))->click();
  }

  QTemporaryDir m_folder;

 private Q_SLOTS:
  void asks_for_another_dump_once_retained_sizes_are_known() {
    Scene scene(PlaceId::Compare);
    QVERIFY(!scene.part<QPushButton>(QStringLiteral("comparisonPick"))->isEnabled());
    QVERIFY(scene.openUntilRetained(dataFile(QStringLiteral("growth/after-10.core.zst"))));
    QTRY_VERIFY(scene.part<QPushButton>(QStringLiteral("comparisonPick"))->isEnabled());
  }

  void offers_the_dumps_that_were_open_of_late() {
    Scene scene(PlaceId::Compare);
    const QString open = before();
    const QString other = after();
    auto* pick = scene.part<QPushButton>(QStringLiteral("comparisonPick"));
    QVERIFY(!pick->menu());
    scene.place.setRecentDumps({open, QStringLiteral("/opt/shop.dll"), other, QStringLiteral("/gone.core")});
    QVERIFY(scene.openUntilRetained(open));
    QTRY_VERIFY(pick->isEnabled());
    QVERIFY(pick->menu());
    const auto offered = [&](const QString& name) {
      QList<QAction*> found = pick->menu()->actions();
      found.removeIf([&](const QAction* action) { return action->text() != name; });
      return found.size() == 1 ? found.front() : nullptr;  // once, though it is of late and of the same folder
    };
    QTRY_VERIFY(offered(other.section(QLatin1Char('/'), -1)));
    QVERIFY(!offered(open.section(QLatin1Char('/'), -1)));
    QVERIFY(!offered(QStringLiteral("shop.dll")));
    QTRY_VERIFY(!offered(QStringLiteral("gone.core"))->isEnabled());
    QTRY_VERIFY(offered(QStringLiteral("after-10.core.zst"))->isEnabled());
    offered(QStringLiteral("after-10.core.zst"))->trigger();
    QVERIFY(compared(scene));
    QCOMPARE(scene.cell(QStringLiteral("changedTypes"), 0, 0), QStringLiteral("Growth.Session"));
  }

  void offers_the_dumps_of_the_same_folder() {
    Scene scene(PlaceId::Compare);
    auto* pick = scene.part<QPushButton>(QStringLiteral("comparisonPick"));
    scene.place.setRecentDumps({});
    const QString older = m_folder.filePath(QStringLiteral("before-9.core.zst"));
    QVERIFY(QFile::copy(before(), older));
    QVERIFY(QFile::exists(after()));
    QVERIFY(scene.openUntilRetained(before()));
    QTRY_VERIFY(pick->isEnabled());
    QTRY_VERIFY(pick->menu());
    QStringList names;
    for (const QAction* action : pick->menu()->actions()) names << action->text();
    QVERIFY2(names.contains(QStringLiteral("after-10.core.zst")), qPrintable(names.join(QLatin1Char(' '))));
    QVERIFY(!names.contains(QStringLiteral("before-10.core.zst")));
    QCOMPARE(names.front(), QStringLiteral("before-9.core.zst"));  // it is named as the open one is
    QFile::remove(older);
    QVERIFY(!names.join(QLatin1Char(' ')).contains(QStringLiteral(".json")));
    // The page itself offers them where one reads what it is for.
    QPushButton* invites = nullptr;
    for (QPushButton* button : scene.place.findChild<StatePanel*>()->findChildren<QPushButton*>())
      if (button->isVisible()) invites = button;
    QVERIFY(invites);
    QCOMPARE(invites->text(), QStringLiteral("Compare with…"));
    QTest::mouseClick(invites, Qt::LeftButton);
    QTRY_VERIFY(pick->menu()->isVisible());
    pick->menu()->close();
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

  void no_column_of_the_types_is_cut_by_what_stands_beside_them() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    const QTableView& types = scene.table(QStringLiteral("changedTypes"));
    const auto isWhole = [&] { return types.horizontalHeader()->length() <= types.viewport()->width(); };
    const QWidget* objects = &scene.table(QStringLiteral("comparedObjects"));
    const auto areBelow = [&] {
      return objects->mapTo(&scene.place, QPoint()).y() > types.mapTo(&scene.place, QPoint(0, types.height())).y();
    };
    scene.place.resize(950, 760);  // 1440 x 900 beside the inspector
    QTRY_VERIFY(areBelow());
    QTRY_VERIFY2(
        isWhole(),
        qPrintable(QStringLiteral("%1 of %2").arg(types.horizontalHeader()->length()).arg(types.viewport()->width())));
    QVERIFY(scene.part<GrowthChart>(QString())->isVisible());
    scene.place.resize(2000, 760);
    QTRY_VERIFY(!areBelow());
    QTRY_VERIFY(isWhole());
  }

  void dumps_without_a_difference_say_so_on_every_page() {
    Scene scene(PlaceId::Compare);
    const QString copy = m_folder.filePath(QStringLiteral("copy-10.core.zst"));
    QVERIFY(QFile::copy(before(), copy));
    QVERIFY(scene.openUntilRetained(before()));
    scene.place.compareWith(copy);
    QTRY_VERIFY_WITH_TIMEOUT(scene.part<QPushButton>(QStringLiteral("comparisonSwap"))->isEnabled(), kPatienceMs);
    QTRY_VERIFY(shows(scene.place, QStringLiteral("Every type has as many bytes in both dumps.")));
    QVERIFY(shows(scene.place, QStringLiteral("Pick a type")));  // whose objects are to be listed
    QVERIFY(!scene.part<GrowthChart>(QString())->isVisible());
    for (const int part : {0, 1, 2, 4, 5, 6}) {
      showPart(scene, part);
      QTRY_VERIFY2(shows(scene.place, QStringLiteral("No difference")), qPrintable(QString::number(part)));
      QVERIFY(!shows(scene.place, QStringLiteral("No dump is open")));
      QVERIFY(!shows(scene.place, QStringLiteral("No match")));
    }
    QVERIFY(!shows(scene.place, QStringLiteral("Before and after")));
    // All of them are one click away.
    showPart(scene, 0);
    QPushButton* all = nullptr;
    for (QPushButton* button : scene.place.findChildren<QPushButton*>())
      if (button->isVisible() && button->text().startsWith(QStringLiteral("Show all "))) all = button;
    QVERIFY(all);
    all->click();
    QTRY_VERIFY(scene.lines(QStringLiteral("changedTypes")) > 50);
    QFile::remove(copy);
  }

  void a_suspect_of_the_later_dump_tells_what_it_held_before() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    const QString list = QStringLiteral("changedInsights");
    QTRY_VERIFY(scene.lines(list) > 0);
    const int before = scene.column(list, QStringLiteral("Before")),
              title = scene.column(list, QStringLiteral("Insight"));
    int line = 0;
    while (line < scene.lines(list) &&
           !scene.cell(list, line, title).startsWith(QStringLiteral("static Growth.Server.sessions holds")))
      ++line;
    QVERIFY(line < scene.lines(list));
    QVERIFY2(!scene.cell(list, line, before).isEmpty(), qPrintable(scene.cell(list, line, title)));
  }

  void what_roots_lead_to_is_called_live_as_everywhere() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    const QString figures = scene.part<ElidedText>(QStringLiteral("comparisonFigures"))->text();
    QVERIFY2(figures.contains(QStringLiteral(" Live ")), qPrintable(figures));
  }

  void says_what_it_compares_where_buttons_leave_no_room() {
    Scene scene(PlaceId::Compare);
    scene.place.resize(800, 500);
    QVERIFY(openBoth(scene));
    for (const char* chip : {"comparisonBefore", "comparisonAfter"}) {
      for (const ElidedText* text : scene.part<DumpChip>(chip)->findChildren<ElidedText*>())
        QTRY_VERIFY2(text->width() >= text->sizeHint().width(), qPrintable(text->text()));
    }
    QCOMPARE(shownOrder(scene), m_rightOrder);
    QVERIFY(shows(scene.place, QStringLiteral("after · .NET 10.0.12")) ||
            scene.part<DumpChip>("comparisonAfter")->accessibleName().contains(QStringLiteral(".NET 10.0.12")));
  }

  void the_open_dump_is_before_where_nothing_tells_and_says_that_it_may_be_otherwise() {
    Scene scene(PlaceId::Compare);
    const QString other = before();
    QVERIFY(scene.openUntilRetained(after()));
    scene.place.compareWith(other);
    QVERIFY(compared(scene));
    QCOMPARE(shownOrder(scene), m_wrongOrder);
    const auto* doubt = scene.part<ElidedText>("comparisonDoubt");
    QVERIFY(doubt->text().contains(QStringLiteral("swap")));
    QTest::mouseClick(scene.part<QPushButton>("comparisonSwap"), Qt::LeftButton);
    QTRY_COMPARE(shownOrder(scene), m_rightOrder);
    QTRY_VERIFY(doubt->text().isEmpty());
  }

  void files_that_were_clearly_written_at_other_times_tell_the_order() {
    Scene scene(PlaceId::Compare);
    const QString other = before(3600);
    QVERIFY(scene.openUntilRetained(after()));
    scene.place.compareWith(other);
    QVERIFY(compared(scene));
    QCOMPARE(shownOrder(scene), m_rightOrder);
    QVERIFY(scene.part<ElidedText>("comparisonDoubt")->text().isEmpty());
  }

  void swapping_keeps_the_focus_on_its_button() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    auto* swap = scene.part<QPushButton>("comparisonSwap");
    scene.place.activateWindow();
    swap->setFocus();
    QTest::keyClick(swap, Qt::Key_Space);
    QTRY_COMPARE(shownOrder(scene), m_wrongOrder);
    QVERIFY(swap->isVisible() && swap->isEnabled());
    QCOMPARE(scene.place.focusWidget(), swap);
  }

  void a_dump_that_is_dragged_beyond_the_other_is_swapped_with_it() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    auto* chip = scene.part<DumpChip>("comparisonBefore");
    const auto drag = [chip](int way) {
      const QPoint grip(10, chip->height() / 2);
      QTest::mousePress(chip, Qt::LeftButton, {}, grip);
      QTest::mouseMove(chip, grip + QPoint(way / 2, 0));
      QTest::mouseMove(chip, grip + QPoint(way - way / 2, 0));  // it has moved with the pointer
      QTest::mouseRelease(chip, Qt::LeftButton, {}, grip);
    };
    const QRect place = chip->geometry();
    drag(20);
    QCOMPARE(chip->geometry(), place);
    QCOMPARE(shownOrder(scene), m_rightOrder);
    drag(2 * chip->width());
    QTRY_COMPARE(shownOrder(scene), m_wrongOrder);
  }

  void the_order_goes_into_the_trend() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    QTest::mouseClick(scene.part<QPushButton>("comparisonSwap"), Qt::LeftButton);
    QTRY_COMPARE(shownOrder(scene), m_wrongOrder);
    Q_EMIT scene.place.findChild<ComparisonHead*>()->morePicked({dataFile(QStringLiteral("growth/after-9.core.zst"))});
    QTRY_VERIFY(scene.table(QStringLiteral("filmTypes")).isVisible());
    QStringList row;
    for (int i = 0; i < 3; ++i)
      row << QFileInfo(scene.part<FilmDumpBox>(QStringLiteral("filmDump%1").arg(i))->path()).fileName();
    QCOMPARE(row, m_wrongOrder + QStringList{QStringLiteral("after-9.core.zst")});
  }

  void who_asks_for_more_dumps_keeps_the_focus_there() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    auto* more = scene.part<QPushButton>("comparisonMore");
    more->setFocus();
    Q_EMIT scene.place.findChild<ComparisonHead*>()->morePicked({dataFile(QStringLiteral("growth/after-9.core.zst"))});
    QCOMPARE(scene.place.window()->focusWidget(), scene.part<QPushButton>("filmAdd"));
    QTRY_VERIFY(scene.table(QStringLiteral("filmTypes")).isVisible());
    QCOMPARE(scene.place.window()->focusWidget(), scene.part<QPushButton>("filmAdd"));
    auto* end = scene.part<QPushButton>("filmEnd");
    end->setFocus();
    end->click();
    QCOMPARE(scene.place.window()->focusWidget(), scene.part<QPushButton>("comparisonPick"));
  }

  void owners_and_roots_of_both_stand_beside_each_other() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    for (const auto& [part, list] : {std::pair(1, "changedOwners"), std::pair(2, "changedRoots")}) {
      showPart(scene, part);
      const QString name = QLatin1String(list);
      QTRY_VERIFY(scene.table(name).isVisible() && scene.lines(name) > 0);
      QCOMPARE(scene.cell(name, 0, 0), QStringLiteral("static Growth.Server.sessions"));
      const int growth = scene.column(name, QStringLiteral("Growth"));
      QVERIFY(scene.cell(name, 0, growth).startsWith(QLatin1Char('+')) ||
              scene.cell(name, 0, growth).contains(QStringLiteral("MB")));
    }
  }

  void the_dominators_of_both_show_where_it_grew() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    showPart(scene, 3);
    auto* picture = scene.part<DifferenceIcicle>("differenceIcicle");
    QTRY_VERIFY(picture->isVisible() && picture->itemCount() > 3);
    QCOMPARE(picture->itemText(0).title, QStringLiteral("All roots"));
    std::optional<std::size_t> sessions;
    for (std::size_t item = 0; item < picture->itemCount(); ++item)
      if (picture->itemText(item).title == QStringLiteral("Growth.Session")) sessions = item;
    QVERIFY(sessions);
    QVERIFY(picture->itemText(*sessions).facts.first().startsWith(QStringLiteral("Grown: +")));
    // A click goes into it, Escape out again.
    const QRectF part = picture->itemRect(*sessions);
    QTest::mouseClick(picture, Qt::LeftButton, {}, part.center().toPoint());
    QVERIFY(picture->focusShape() != 0);
    picture->setFocus();
    for (int i = 0; i < 10 && picture->focusShape() != 0; ++i) QTest::keyClick(picture, Qt::Key_Escape);
    QCOMPARE(picture->focusShape(), 0u);
  }

  void objects_of_both_dumps_say_in_place_why_they_are_alive() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    const QString list = QStringLiteral("comparedObjects");
    QTRY_VERIFY(scene.lines(list) >= 3000);
    QVERIFY(!scene.table(QStringLiteral("comparedWay")).isVisible());
    const int dump = scene.column(list, QStringLiteral("Dump"));
    for (const QString& name : m_rightOrder) {
      const int line = scene.lineWith(list, dump, name);
      QVERIFY2(line >= 0, qPrintable(name));
      scene.table(list).setCurrentIndex(scene.table(list).model()->index(line, 0));
      QTRY_VERIFY(shows(scene.place, QStringLiteral("Why is it alive in %1?").arg(name)));
      QTRY_COMPARE(scene.part<ElidedText>("comparedWayRoot")->text(),
                   QStringLiteral("Root: static Growth.Server.sessions"));
      QTRY_VERIFY(scene.lines(QStringLiteral("comparedWay")) > 1);
    }
  }

  void a_changed_layout_stands_before_and_after_side_by_side() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    showPart(scene, 6);
    const auto* diagram = scene.place.findChild<SideBySideDiagram*>();
    QTRY_VERIFY(diagram->isVisible());
    QTRY_VERIFY(diagram->matches().count() > 0);
    QTest::mouseDClick(scene.table(QStringLiteral("changedLayouts")).viewport(), Qt::LeftButton, {}, QPoint(20, 10));
    QCOMPARE(scene.navigator.location().place, PlaceId::Compare);  // and not elsewhere
  }

  void lists_say_what_they_are_sorted_by() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openBoth(scene));
    const QString list = QStringLiteral("changedTypes");
    const QHeaderView* heading = scene.table(list).horizontalHeader();
    QVERIFY(heading->isSortIndicatorShown());
    QCOMPARE(heading->sortIndicatorSection(), scene.column(list, QStringLiteral("Growth")));
    QCOMPARE(heading->sortIndicatorOrder(), Qt::DescendingOrder);
    // What has shrunk has a bar as what has grown has.
    const int last = scene.lines(list) - 1;
    const QModelIndex cell = scene.table(list).model()->index(last, heading->sortIndicatorSection());
    QVERIFY(cell.data(kIsNegativeRole).toBool());
    QVERIFY(cell.data(kShareRole).toDouble() > 0);
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
    showPart(scene, 4);
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
    QVERIFY(scene.openUntilRetained(after()));
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
