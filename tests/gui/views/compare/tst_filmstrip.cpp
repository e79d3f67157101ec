// SPDX-License-Identifier: MIT
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "models/rows/pinned_rows.h"
#include "models/rows/rows_table.h"
#include "support/dumps.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/compare/compare_place.h"
#include "views/compare/comparison_head.h"
#include "views/compare/film/film_reel.h"
#include "views/compare/film/film_rows.h"
#include "views/compare/film/film_view.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"

using namespace heapscape;
using namespace heapscape::gui;
using namespace heapscape::gui::test;

/// Three real dumps of one program in a row.
class FilmstripTest : public QObject {
  Q_OBJECT

 private:
  using Scene = PlaceScene<ComparePlace>;

  const QString m_early = dataFile(QStringLiteral("growth/before-10.core.zst"));
  const QString m_late = dataFile(QStringLiteral("growth/after-10.core.zst"));
  const QString m_onNet9 = dataFile(QStringLiteral("growth/after-9.core.zst"));
  const QString m_types = QStringLiteral("filmTypes");

  static bool isShown(Scene& scene) { return scene.table(QStringLiteral("filmTypes")).isVisible(); }

  static QStringList shownDumps(Scene& scene) {
    QStringList names;
    for (int i = 0;; ++i) {
      const auto* box = scene.part<FilmDumpBox>(QStringLiteral("filmDump%1").arg(i));
      if (!box) return names;
      names << QFileInfo(box->path()).fileName();
    }
  }

  /// Moves the named dump to a place by its menu.
  static void moveTo(Scene& scene, const QString& name, int place) {
    int from = static_cast<int>(shownDumps(scene).indexOf(name));
    while (from != place) {
      const int action = from > place ? 1 : 2;
      auto* box = scene.part<FilmDumpBox>(QStringLiteral("filmDump%1").arg(from));
      box->findChild<QMenu*>(QStringLiteral("filmDumpActions"))->actions().at(action)->trigger();
      from += from > place ? -1 : 1;
    }
  }

  bool openRow(Scene& scene) {
    if (!scene.openUntilRetained(m_late)) return false;
    scene.place.takeFiles({m_early, m_onNet9});
    if (!QTest::qWaitFor([&] { return isShown(scene) && scene.lines(m_types) > 0; }, kPatienceMs)) return false;
    moveTo(scene, QStringLiteral("before-10.core.zst"), 0);
    moveTo(scene, QStringLiteral("after-9.core.zst"), 2);
    return QTest::qWaitFor([&] { return scene.bridge.isAtRest() && scene.lines(m_types) > 0; }, kPatienceMs);
  }

  QString cellOf(Scene& scene, const QString& list, const QString& name, const char* field) {
    const int line = scene.lineWith(list, 0, name);
    const auto* table = static_cast<RowsTable*>(&scene.table(list));
    return line < 0 ? QString() : scene.cell(list, line, table->sectionOf(field));
  }

 private Q_SLOTS:
  void puts_several_dumps_in_a_row() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openRow(scene));
    QCOMPARE(shownDumps(scene), QStringList({QStringLiteral("before-10.core.zst"), QStringLiteral("after-10.core.zst"),
                                             QStringLiteral("after-9.core.zst")}));
    QCOMPARE(scene.cell(m_types, 0, 0), QStringLiteral("Growth.Session"));
    QCOMPARE(cellOf(scene, m_types, QStringLiteral("Growth.Session"), "verdict"), QStringLiteral("grew once"));
    QCOMPARE(cellOf(scene, m_types, QStringLiteral("Growth.Session"), "slope"), QStringLiteral("1,016 KB"));
    QVERIFY(!scene.part<QPushButton>("comparisonPick")->isVisible());
    QVERIFY(scene.part<ElidedText>("filmNotes")->text().contains(QStringLiteral("several versions of .NET")));
  }

  void a_card_is_dragged_to_another_place() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openRow(scene));
    auto* box = scene.part<FilmDumpBox>("filmDump0");
    const QPoint grip(20, box->height() / 2);
    QTest::mousePress(box, Qt::LeftButton, {}, grip);
    for (int i = 0; i < 4; ++i) QTest::mouseMove(box, grip + QPoint(box->width(), 0));
    QTest::mouseRelease(box, Qt::LeftButton, {}, grip);
    QTRY_COMPARE(shownDumps(scene).last(), QStringLiteral("before-10.core.zst"));
    QCOMPARE(shownDumps(scene).first(), QStringLiteral("after-10.core.zst"));
  }

  void says_the_figures_of_a_sparkline_in_words() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openRow(scene));
    const auto* table = static_cast<RowsTable*>(&scene.table(m_types));
    const QModelIndex cell = table->model()->index(0, table->sectionOf("trend"));
    QCOMPARE(cell.data(kSparklineRole).value<QList<quint64>>(), QList<quint64>({104'000, 2'184'000, 2'184'000}));
    for (const int role : {int{Qt::ToolTipRole}, int{Qt::AccessibleTextRole}})
      QVERIFY(cell.data(role).toString().startsWith(
          QStringLiteral("before-10.core.zst: 1,000 objects, 104,000 bytes\nafter-10.core.zst: 21,000 objects, ")));
    QVERIFY(qobject_cast<SparklineDelegate*>(table->itemDelegateForColumn(table->sectionOf("trend"))));
  }

  void can_be_pinned_with_its_sparklines_as_text() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openRow(scene));
    const engine::ReviewTable pinned = pinnedRows(scene.table(m_types));
    QVERIFY(!pinned.rows.empty());
    QCOMPARE(pinned.rows.front().at(1).text, std::string("▁██"));
  }

  void has_owners_roots_and_insights() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openRow(scene));
    int part = 0;
    for (const char* list : {"filmTypes", "filmOwners", "filmRoots", "filmInsights"}) {
      scene.part<QToolButton>(QStringLiteral("filmPart%1").arg(part++))->click();
      QTRY_VERIFY(scene.lines(QLatin1String(list)) > 0);
      QVERIFY(scene.table(QLatin1String(list)).isVisible());
    }
  }

  void sorts_and_filters_by_verdict() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openRow(scene));
    QWidget* around = scene.table(m_types).parentWidget();
    while (around && !qobject_cast<RowsPanel*>(around)) around = around->parentWidget();
    auto* panel = qobject_cast<RowsPanel*>(around);
    QVERIFY(panel);
    const int all = scene.lines(m_types);
    panel->setFilter(QStringLiteral("verdict = shrinks"));
    QTRY_VERIFY(scene.lines(m_types) < all && scene.lines(m_types) > 0);
    QVERIFY(scene.lineWith(m_types, 0, QStringLiteral("Growth.Draft")) >= 0);
    QVERIFY(scene.lineWith(m_types, 0, QStringLiteral("Growth.Session")) < 0);
    const auto* table = static_cast<RowsTable*>(&scene.table(m_types));
    scene.clickHeading(m_types, table->sectionOf("first"));
    QTRY_COMPARE(scene.cell(m_types, 0, 0), QStringLiteral("Growth.Draft"));
  }

  void a_row_leads_to_its_type_in_the_open_dump() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openRow(scene));
    const int line = scene.lineWith(m_types, 0, QStringLiteral("Growth.Session"));
    scene.table(m_types).setCurrentIndex(scene.table(m_types).model()->index(line, 0));
    const engine::Address picked = scene.navigator.location().selection.methodTable;
    QVERIFY(picked);
    QCOMPARE(scene.snapshot().typeName(scene.snapshot().typeOf(picked)), std::string("Growth.Session"));
  }

  void keeps_the_rest_if_a_file_is_no_dump() {
    Scene scene(PlaceId::Compare);
    QVERIFY(scene.openUntilRetained(m_late));
    scene.place.takeFiles({m_early, dataFile(QStringLiteral("growth/before-10.smaps.zst"))});
    QTRY_VERIFY_WITH_TIMEOUT(isShown(scene) && scene.lines(m_types) > 0, kPatienceMs);
    QVERIFY(scene.part<ElidedText>("filmNotes")->text().contains(QStringLiteral("before-10.smaps.zst cannot be read")));
    QCOMPARE(shownDumps(scene).size(), 3);
  }

  void takes_dumps_that_are_dropped() {
    Scene scene(PlaceId::Compare);
    QVERIFY(scene.openUntilRetained(m_late));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(m_early), QUrl::fromLocalFile(m_onNet9)});
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&scene.place, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&scene.place, &drop);
    QTRY_VERIFY_WITH_TIMEOUT(isShown(scene) && scene.lines(m_types) > 0, kPatienceMs);
    QCOMPARE(shownDumps(scene).size(), 3);
  }

  void stops_reading_and_shows_what_was_read() {
    const QString slow = QDir::temp().filePath(QStringLiteral("film-slow.core.zst"));
    QVERIFY(writeSlowDump(slow));
    Scene scene(PlaceId::Compare);
    QVERIFY(scene.openUntilRetained(m_late));
    scene.place.takeFiles({m_early, m_onNet9});
    QTRY_VERIFY_WITH_TIMEOUT(isShown(scene) && scene.lines(m_types) > 0, kPatienceMs);
    scene.place.takeFiles({slow});
    const auto stopButton = [&]() -> QPushButton* {
      for (QPushButton* button : scene.place.findChildren<QPushButton*>())
        if (button->isVisible() && button->text() == QStringLiteral("Stop")) return button;
      return nullptr;
    };
    QTRY_VERIFY(stopButton());
    QTest::mouseClick(stopButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(isShown(scene), kPatienceMs);
    QCOMPARE(shownDumps(scene).size(), 3);
    QFile::remove(slow);
  }

  void stays_when_another_of_its_dumps_is_opened_and_goes_with_any_other() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openRow(scene));
    scene.place.clear();
    QVERIFY(scene.openUntilRetained(m_early));
    QTRY_VERIFY_WITH_TIMEOUT(isShown(scene) && scene.lines(m_types) > 0, kPatienceMs);
    scene.place.clear();
    QVERIFY(scene.openUntilRetained(dataFile(QStringLiteral("shop-10.core.zst"))));
    QTRY_VERIFY(scene.part<QPushButton>("comparisonPick")->isVisible());
    QVERIFY(scene.place.findChild<FilmView*>()->isEmpty());
  }

  void reads_on_when_another_of_its_dumps_is_opened_meanwhile() {
    Scene scene(PlaceId::Compare);
    QVERIFY(scene.openUntilRetained(m_late));
    scene.place.takeFiles({m_early, m_onNet9});
    scene.place.clear();
    QVERIFY(scene.openUntilRetained(m_early));
    QTRY_VERIFY_WITH_TIMEOUT(isShown(scene) && scene.lines(m_types) > 0, kPatienceMs);
    QCOMPARE(shownDumps(scene).size(), 3);
  }

  void takes_a_dump_out_and_puts_another_in_its_place() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openRow(scene));
    scene.part<FilmDumpBox>("filmDump1")
        ->findChild<QMenu*>(QStringLiteral("filmDumpActions"))
        ->actions()
        .at(3)
        ->trigger();
    QTRY_COMPARE(scene.cell(m_types, 0, 0), QStringLiteral("Growth.Session"));
    QTRY_COMPARE(cellOf(scene, m_types, QStringLiteral("Growth.Session"), "slope"), QStringLiteral("1.98 MB"));
    scene.place.takeFiles({m_late});
    QTRY_COMPARE_WITH_TIMEOUT(shownDumps(scene).last(), QStringLiteral("after-10.core.zst"), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(cellOf(scene, m_types, QStringLiteral("Growth.Session"), "slope"),
                              QStringLiteral("1,016 KB"), kPatienceMs);
  }

  void puts_two_that_are_compared_in_a_row_with_others() {
    Scene scene(PlaceId::Compare);
    QVERIFY(scene.openUntilRetained(m_late));
    scene.place.takeFiles({m_early});
    auto* more = scene.part<QPushButton>("comparisonMore");
    QTRY_VERIFY_WITH_TIMEOUT(more->isEnabled() && more->isVisible(), kPatienceMs);
    Q_EMIT scene.place.findChild<ComparisonHead*>()->morePicked({m_onNet9});
    QTRY_VERIFY_WITH_TIMEOUT(isShown(scene) && scene.lines(m_types) > 0, kPatienceMs);
    QCOMPARE(shownDumps(scene).size(), 3);
  }

  void ends_with_a_click() {
    Scene scene(PlaceId::Compare);
    QVERIFY(openRow(scene));
    QTest::mouseClick(scene.part<QPushButton>("filmEnd"), Qt::LeftButton);
    QVERIFY(scene.part<QPushButton>("comparisonPick")->isVisible());
    QVERIFY(shownDumps(scene).isEmpty() || !isShown(scene));
  }

  void keeps_no_dump_open_but_the_one_of_the_window() {
    Scene scene(PlaceId::Compare);
    QVERIFY(scene.openUntilRetained(m_late));
    const int mapped = mappedDumps();
    scene.place.takeFiles({m_early, m_onNet9});
    QTRY_VERIFY_WITH_TIMEOUT(isShown(scene) && scene.lines(m_types) > 0, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(mappedDumps(), mapped, kPatienceMs);
  }
};

HEAPSCAPE_WINDOW_TEST(FilmstripTest)
#include "tst_filmstrip.moc"
