// SPDX-License-Identifier: MIT
// Queries over types, objects and lists, as a person writes them.
#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

#include "models/cells/roles.h"
#include "models/query/query_edit.h"
#include "models/query/query_menu.h"
#include "models/rows/rows_table.h"
#include "query/objects/object_schema.h"
#include "support/place_scene.h"
#include "support/settings_folder.h"
#include "support/window_test.h"
#include "views/roots/roots_place.h"
#include "views/types/types_place.h"
#include "widgets/text/figures.h"

using namespace heapscape;
using namespace heapscape::gui;
using gui::test::kPatienceMs;

namespace {

CompletionPopup* popupOf(QWidget& place) {
  return place.window()->findChild<CompletionPopup*>(QStringLiteral("completions"));
}

QStringList offered(const CompletionPopup& popup) {
  QStringList texts;
  for (int row = 0; row < popup.count(); ++row) texts << popup.item(row)->text();
  return texts;
}

}  // namespace

class QueryEditTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(m_folder.isValid());
    m_types = std::make_unique<gui::test::PlaceScene<TypesPlace>>(PlaceId::Types);
    QVERIFY(m_types->openUntilRetained(gui::test::dataFile(QStringLiteral("shop-10.core.zst"))));
    QTRY_VERIFY_WITH_TIMEOUT(m_types->lines(QStringLiteral("typeTable")) > 0, kPatienceMs);
  }

  void cleanupTestCase() { m_types.reset(); }

  void init() {
    QSettings().clear();
    m_types->part<QTabWidget>(QStringLiteral("typesPages"))->setCurrentIndex(0);
    typeFilter().clear();
    m_types->place.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&m_types->place));
  }

  void queryNarrowsTheTypes() {
    typeFilter().setText(QStringLiteral("count = 2500 and type = Catalog.Order"));
    QTRY_COMPARE_WITH_TIMEOUT(m_types->lines(QStringLiteral("typeTable")), 1, kPatienceMs);
    typeFilter().setText(QStringLiteral("Catalog.OrderLine"));
    QTRY_VERIFY_WITH_TIMEOUT(m_types->lines(QStringLiteral("typeTable")) > 2, kPatienceMs);
  }

  void wrongQueryIsMarkedAndTheListStays() {
    typeFilter().setText(QStringLiteral("count > 2000"));
    QTRY_VERIFY_WITH_TIMEOUT(m_types->lines(QStringLiteral("typeTable")) < 10, kPatienceMs);
    const int before = m_types->lines(QStringLiteral("typeTable"));
    typeFilter().setText(QStringLiteral("cuont > 2000"));
    QTest::qWait(400);
    QVERIFY(typeFilter().error());
    QCOMPARE(typeFilter().error()->position, std::size_t{0});
    QVERIFY(typeFilter().accessibleDescription().contains(QStringLiteral("Did you mean count?")));
    QCOMPARE(typeFilter().text(), QStringLiteral("cuont > 2000"));
    QCOMPARE(m_types->lines(QStringLiteral("typeTable")), before);
    typeFilter().setText(QStringLiteral("count > 2000"));
    QTest::qWait(300);
    QVERIFY(!typeFilter().error() && typeFilter().accessibleDescription().isEmpty());
  }

  void aWrongQueryIsSaidInWordsAndCountsNoTypes() {
    typeFilter().setText(QStringLiteral("count > 2000"));
    QTRY_VERIFY_WITH_TIMEOUT(m_types->lines(QStringLiteral("typeTable")) < 10, kPatienceMs);
    typeFilter().setText(QStringLiteral("cuont > 2000"));
    isRefused(QStringLiteral("typeFilterError"), QStringLiteral("Did you mean count?"), QStringLiteral("typeTable"),
              QStringLiteral("typeTotals"));
    typeFilter().setText(QStringLiteral("count > 2000"));
    QTRY_VERIFY_WITH_TIMEOUT(m_types->table(QStringLiteral("typeTable")).isEnabled(), kPatienceMs);
    QVERIFY(!m_types->part<QLabel>("typeFilterError")->isVisible());
    QVERIFY(!m_types->part<QLabel>("typeTotals")->text().isEmpty());
  }

  void aWrongQueryListsAndCountsNoObjects() {
    QueryEdit& edit = showObjects();
    edit.setText(QStringLiteral("type = Catalog.Order"));
    QTRY_COMPARE_WITH_TIMEOUT(found().rowCount(), 2500, kPatienceMs);
    edit.setText(QStringLiteral("size >"));
    isRefused(QStringLiteral("objectQueryError"), QStringLiteral("A value is missing"), QStringLiteral("foundObjects"),
              QStringLiteral("objectTotals"));
    QVERIFY(!m_types->part<QToolButton>("objectsRetained")->isVisible());
    // As the go-to box and links ask.
    m_types->navigator.showObjectsOf(QStringLiteral("foo > 3"));
    isRefused(QStringLiteral("objectQueryError"), QStringLiteral("“foo”"), QStringLiteral("foundObjects"),
              QStringLiteral("objectTotals"));
    m_types->navigator.showObjectsOf(QStringLiteral("type = Catalog.Order"));
    QTRY_VERIFY_WITH_TIMEOUT(m_types->table(QStringLiteral("foundObjects")).isEnabled(), kPatienceMs);
    QCOMPARE(found().rowCount(), 2500);
    QVERIFY(m_types->part<QLabel>("objectTotals")->text().startsWith(countText(2500) + QStringLiteral(" objects")));
  }

  void aWrongQueryAfterNoMatchIsNoMatchNoMore() {
    QueryEdit& edit = showObjects();
    edit.setText(QStringLiteral("size < 0"));
    QTRY_COMPARE_WITH_TIMEOUT(found().rowCount(), 0, kPatienceMs);
    edit.setText(QStringLiteral("size <"));
    QTRY_VERIFY_WITH_TIMEOUT(gui::test::visibleTexts(m_types->place).contains(QStringLiteral("Not valid yet")),
                             kPatienceMs);
  }

  void aWrongQueryCountsNoInstances() {
    for (const engine::TypeRow& type : m_types->snapshot().types()) {
      if (type.name == "Catalog.Order") m_types->navigator.select({{}, type.methodTable, {}});
    }
    QTRY_VERIFY_WITH_TIMEOUT(m_types->lines(QStringLiteral("instances")) >= 1000, kPatienceMs);
    auto& edit = *m_types->part<QueryEdit>(QStringLiteral("instanceQuery"));
    edit.setText(QStringLiteral("size > many"));
    QTRY_VERIFY_WITH_TIMEOUT(m_types->part<QLabel>("instanceQueryError")->isVisible(), kPatienceMs);
    QVERIFY(!m_types->table(QStringLiteral("instances")).isEnabled());
    QVERIFY(gui::test::visibleTexts(m_types->place).contains(QStringLiteral("Instances")));  // and no count behind it
    edit.clear();
    QTRY_VERIFY_WITH_TIMEOUT(m_types->table(QStringLiteral("instances")).isEnabled(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_types->lines(QStringLiteral("instances")) >= 1000, kPatienceMs);
  }

  void aWrongQueryOverAListCountsNoRows() {
    gui::test::PlaceScene<RootsPlace> roots(PlaceId::Roots);
    QVERIFY(roots.openUntilRetained(gui::test::dataFile(QStringLiteral("shop-10.core.zst"))));
    roots.part<QTabWidget>(QStringLiteral("rootTabs"))->setCurrentIndex(3);
    QTRY_VERIFY_WITH_TIMEOUT(roots.lines(QStringLiteral("handles")) > 0, kPatienceMs);
    const int all = roots.lines(QStringLiteral("handles"));
    auto& edit = *roots.part<QueryEdit>(QStringLiteral("handlesFilter"));
    edit.setText(QStringLiteral("alive = true"));
    auto* error = roots.part<QLabel>("handlesFilterError");
    QTRY_VERIFY_WITH_TIMEOUT(error->isVisible() && error->text().contains(QStringLiteral("“alive”")), kPatienceMs);
    QVERIFY(!roots.table(QStringLiteral("handles")).isEnabled());
    QVERIFY(roots.part<QLabel>("handlesCount")->text().isEmpty());
    edit.clear();
    QTRY_VERIFY_WITH_TIMEOUT(roots.table(QStringLiteral("handles")).isEnabled(), kPatienceMs);
    QCOMPARE(roots.lines(QStringLiteral("handles")), all);
    QVERIFY(!error->isVisible() && !roots.part<QLabel>("handlesCount")->text().isEmpty());
  }

  void totalsAreNeverCut() {
    QueryEdit& edit = showObjects();
    edit.setText(QStringLiteral("size > 0"));
    QTRY_VERIFY_WITH_TIMEOUT(found().rowCount() > 2500, kPatienceMs);
    m_types->part<QToolButton>(QStringLiteral("objectsRetained"))->click();
    auto* totals = m_types->part<QLabel>(QStringLiteral("objectTotals"));
    QTRY_VERIFY_WITH_TIMEOUT(totals->text().contains(QStringLiteral("retained together")), kPatienceMs);
    const QSize size = m_types->place.size();
    for (const int width : {700, 900, 1100, 1700}) {
      m_types->place.resize(width, 700);
      QCoreApplication::processEvents();
      const QRect wanted =
          totals->fontMetrics().boundingRect(totals->contentsRect(), Qt::TextWordWrap | Qt::AlignLeft, totals->text());
      QVERIFY2(wanted.width() <= totals->width() && wanted.height() <= totals->height(), qPrintable(totals->text()));
    }
    m_types->place.resize(size);
  }

  void completesFieldsOperatorsAndValues() {
    QueryEdit& edit = showObjects();
    edit.setFocus();
    QTest::keyClicks(&edit, QStringLiteral("ty"));
    QTRY_VERIFY_WITH_TIMEOUT(popupOf(m_types->place) && popupOf(m_types->place)->isVisible(), kPatienceMs);
    QVERIFY(offered(*popupOf(m_types->place)).contains(QStringLiteral("type")));
    QTest::keyClick(&edit, Qt::Key_Tab);
    QCOMPARE(edit.text(), QStringLiteral("type "));
    QVERIFY(edit.hasFocus());
    QTest::keyClicks(&edit, QStringLiteral("= Catalog.Ord"));
    QTRY_VERIFY_WITH_TIMEOUT(offered(*popupOf(m_types->place)).contains(QStringLiteral("\"Catalog.Order\"")),
                             kPatienceMs);
    while (popupOf(m_types->place)->currentItem() == nullptr ||
           popupOf(m_types->place)->currentItem()->text() != QStringLiteral("\"Catalog.Order\""))
      QTest::keyClick(&edit, Qt::Key_Down);
    QTest::keyClick(&edit, Qt::Key_Return);
    QCOMPARE(edit.text(), QStringLiteral("type = \"Catalog.Order\" "));
    QTest::keyClicks(&edit, QStringLiteral("and field(\"Gi"));
    QTRY_VERIFY_WITH_TIMEOUT(offered(*popupOf(m_types->place)).contains(QStringLiteral("\"Gift\")")), kPatienceMs);
    QTest::keyClick(&edit, Qt::Key_Tab);
    QCOMPARE(edit.text(), QStringLiteral("type = \"Catalog.Order\" and field(\"Gift\") "));
    QTest::keyClicks(&edit, QStringLiteral("= true"));
    QTest::keyClick(&edit, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(found().rowCount() > 0 && found().rowCount() < 2500, kPatienceMs);
    QTest::keyClick(&edit, Qt::Key_Escape);
    QVERIFY(!popupOf(m_types->place)->isVisible());
  }

  void whatIsWrongIsSaidInWordsBesideWhatIsOffered() {
    QueryEdit& edit = showObjects();
    edit.clear();
    edit.setFocus();
    QTest::keyClicks(&edit, QStringLiteral("size > 60 and "));
    QTRY_VERIFY_WITH_TIMEOUT(popupOf(m_types->place) && popupOf(m_types->place)->count() > 1, kPatienceMs);
    const auto* warning = edit.findChild<QAction*>(QStringLiteral("queryWarning"));
    QTRY_VERIFY(warning->isVisible());
    QVERIFY(!warning->text().isEmpty());
    QCOMPARE(warning->toolTip(), warning->text());
    QTRY_VERIFY(offered(*popupOf(m_types->place)).front().contains(warning->text()));
    QTest::keyClick(&edit, Qt::Key_Escape);
    edit.clear();
  }

  void completionEndsWithAFinishedQuery() {
    QueryEdit& edit = showObjects();
    edit.clear();
    edit.setFocus();
    QTest::keyClicks(&edit, QStringLiteral("size > 1 KB"));
    QTRY_VERIFY_WITH_TIMEOUT(popupOf(m_types->place), kPatienceMs);
    QTest::keyClicks(&edit, QStringLiteral(" "));
    QTRY_VERIFY_WITH_TIMEOUT(m_types->bridge.isAtRest(), kPatienceMs);
    QVERIFY2(!popupOf(m_types->place)->isVisible(), "what is whole need not go on");
    QTest::keyClick(&edit, Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(popupOf(m_types->place)->isVisible(), kPatienceMs);
    QVERIFY(offered(*popupOf(m_types->place)).contains(QStringLiteral("and")));
    QTest::keyClicks(&edit, QStringLiteral("and ge"));
    QTRY_VERIFY_WITH_TIMEOUT(offered(*popupOf(m_types->place)).contains(QStringLiteral("gen")), kPatienceMs);
    QVERIFY(popupOf(m_types->place)->isVisible());
    QTest::keyClicks(&edit, QStringLiteral("n = gen2"));
    QTest::keyClick(&edit, Qt::Key_Return);  // before all that was asked is answered
    QTest::qWait(300);
    QTRY_VERIFY_WITH_TIMEOUT(m_types->bridge.isAtRest(), kPatienceMs);
    QVERIFY(!popupOf(m_types->place)->isVisible());
    QVERIFY(popupOf(m_types->place)->frameWidth() > 0);
  }

  void objectsAreFoundSortedAndAddedUp() {
    QueryEdit& edit = showObjects();
    edit.setText(QStringLiteral("type = Catalog.Order and field(\"State\") = Paid"));
    QTRY_COMPARE_WITH_TIMEOUT(found().rowCount(), 625, kPatienceMs);
    auto* totals = m_types->part<QLabel>(QStringLiteral("objectTotals"));
    QVERIFY2(totals->text().startsWith(QStringLiteral("625 objects")), qPrintable(totals->text()));
    QVERIFY(retainedAt(0) >= retainedAt(624));
    m_types->part<QToolButton>(QStringLiteral("objectsRetained"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(totals->text().contains(QStringLiteral("retained together")), kPatienceMs);
    m_types->clickHeading(QStringLiteral("foundObjects"), 0);
    QTRY_VERIFY_WITH_TIMEOUT(found().identityAt(0) < found().identityAt(1), kPatienceMs);
    m_types->table(QStringLiteral("foundObjects")).setCurrentIndex(found().index(3, 0));
    QVERIFY(m_types->navigator.location().selection.object == found().identityAt(3));
    edit.setText(QStringLiteral("size < 0"));
    QTRY_COMPARE_WITH_TIMEOUT(found().rowCount(), 0, kPatienceMs);
  }

  void instancesOfATypeAreNarrowed() {
    for (const engine::TypeRow& type : m_types->snapshot().types()) {
      if (type.name == "Catalog.Order") m_types->navigator.select({{}, type.methodTable, {}});
    }
    QTRY_VERIFY_WITH_TIMEOUT(m_types->lines(QStringLiteral("instances")) >= 1000, kPatienceMs);
    m_types->part<QueryEdit>(QStringLiteral("instanceQuery"))->setText(QStringLiteral("field(\"Id\") < 10"));
    QTRY_COMPARE_WITH_TIMEOUT(m_types->lines(QStringLiteral("instances")), 10, kPatienceMs);
    m_types->part<QueryEdit>(QStringLiteral("instanceQuery"))->clear();
    QTRY_VERIFY_WITH_TIMEOUT(m_types->lines(QStringLiteral("instances")) >= 1000, kPatienceMs);
  }

  void listsAreAskedByTheirColumns() {
    gui::test::PlaceScene<RootsPlace> roots(PlaceId::Roots);
    QVERIFY(roots.openUntilRetained(gui::test::dataFile(QStringLiteral("shop-10.core.zst"))));
    roots.part<QTabWidget>(QStringLiteral("rootTabs"))->setCurrentIndex(3);
    QTRY_VERIFY_WITH_TIMEOUT(roots.lines(QStringLiteral("handles")) > 0, kPatienceMs);
    const int all = roots.lines(QStringLiteral("handles"));
    const int kind = roots.column(QStringLiteral("handles"), QStringLiteral("Kind"));
    QVERIFY(kind >= 0);
    int same = 0;
    for (int line = 0; line < all; ++line)
      same += roots.cell(QStringLiteral("handles"), line, kind) == QStringLiteral("Strong");
    QVERIFY(same > 0);
    roots.part<QueryEdit>(QStringLiteral("handlesFilter"))->setText(QStringLiteral("kind = strong"));
    QTRY_COMPARE_WITH_TIMEOUT(roots.lines(QStringLiteral("handles")), same, kPatienceMs);
    roots.part<QueryEdit>(QStringLiteral("handlesFilter"))->setText(QStringLiteral("not kind = strong"));
    QTRY_COMPARE_WITH_TIMEOUT(roots.lines(QStringLiteral("handles")), all - same, kPatienceMs);
  }

  void viewsAreSavedAppliedRenamedAndForgotten() {
    QueryEdit& edit = showObjects();
    edit.setText(QStringLiteral("size > 100 KB"));
    QTRY_VERIFY_WITH_TIMEOUT(found().rowCount() > 0 && found().rowCount() < 10, kPatienceMs);
    const int few = found().rowCount();
    edit.keepView(QStringLiteral("Large & old"));
    QCOMPARE(savedViews(QStringLiteral("objects")).size(), std::size_t{1});
    edit.setText(QStringLiteral("type = Catalog.Order"));
    QTRY_COMPARE_WITH_TIMEOUT(found().rowCount(), 2500, kPatienceMs);

    QMenu menu;
    fillQueryMenu(menu, edit);
    QAction* saved = nullptr;
    for (QAction* action : menu.actions()) {
      if (action->text() == QStringLiteral("Large && old")) saved = action;
    }
    QVERIFY(saved);
    saved->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(found().rowCount(), few, kPatienceMs);
    QCOMPARE(edit.text(), QStringLiteral("size > 100 KB"));

    renameView(QStringLiteral("objects"), QStringLiteral("Large & old"), QStringLiteral("Big"));
    QCOMPARE(savedViews(QStringLiteral("objects")).front().name, QStringLiteral("Big"));
    QCOMPARE(savedViews(QStringLiteral("objects")).front().query, QStringLiteral("size > 100 KB"));
    QVERIFY(savedViews(QStringLiteral("types")).empty());
    forgetView(QStringLiteral("objects"), QStringLiteral("Big"));
    QVERIFY(savedViews(QStringLiteral("objects")).empty());
  }

  void rowsStayWhileTheNameOfAFieldIsWritten() {
    m_types->navigator.goTo(PlaceId::Types);
    m_types->part<QTabWidget>(QStringLiteral("typesPages"))->setCurrentIndex(0);
    QTableView& table = m_types->table(QStringLiteral("typeTable"));
    QueryEdit& edit = typeFilter();
    edit.clear();
    QTRY_VERIFY_WITH_TIMEOUT(table.isVisible() && table.isEnabled() && table.model()->rowCount() > 100, kPatienceMs);
    const int all = table.model()->rowCount();
    m_types->place.activateWindow();
    edit.setFocus();
    QTRY_VERIFY(edit.hasFocus());
    QTest::keyClicks(&edit, QStringLiteral("retaine"));  // in no name, but the beginning of a field's
    QTRY_VERIFY_WITH_TIMEOUT(!table.isEnabled(), kPatienceMs);
    QVERIFY(table.isVisible());
    QCOMPARE(table.model()->rowCount(), all);
    QTest::keyClicks(&edit, QStringLiteral("d > 0"));
    QTRY_VERIFY_WITH_TIMEOUT(table.isEnabled() && table.model()->rowCount() < all, kPatienceMs);
    QTest::keyClicks(&edit, QStringLiteral("x"));  // wrong, dimmed as well
    edit.setText(QStringLiteral("no such name"));
    QTRY_VERIFY_WITH_TIMEOUT(!table.isVisible(), kPatienceMs);
    edit.clear();
  }

  void helpNamesAllFields() {
    const QString text = queryHelpText(engine::objectSchema());
    for (const engine::QueryField& field : engine::objectSchema().fields)
      QVERIFY2(text.contains(QString::fromStdString(field.name)), field.name.c_str());
    QVERIFY(text.contains(QStringLiteral("field(")));
  }

 private:
  QueryEdit& typeFilter() { return *m_types->part<QueryEdit>(QStringLiteral("typeFilter")); }
  RowsModel& found() { return static_cast<RowsTable&>(m_types->table(QStringLiteral("foundObjects"))).rows(); }
  qulonglong retainedAt(int line) { return found().index(line, 3).data(kPlainRole).toULongLong(); }
  void isRefused(const QString& errorName, const QString& complaint, const QString& table, const QString& totals) {
    auto* error = m_types->part<QLabel>(errorName);
    QTRY_VERIFY_WITH_TIMEOUT(error->isVisible() && error->text().contains(complaint), kPatienceMs);
    QVERIFY(!m_types->table(table).isEnabled());
    QVERIFY2(m_types->part<QLabel>(totals)->text().isEmpty(), qPrintable(m_types->part<QLabel>(totals)->text()));
  }
  QueryEdit& showObjects() {
    m_types->part<QTabWidget>(QStringLiteral("typesPages"))->setCurrentIndex(1);
    auto& edit = *m_types->part<QueryEdit>(QStringLiteral("objectQuery"));
    edit.clear();
    return edit;
  }

  gui::test::SettingsFolder m_folder;
  std::unique_ptr<gui::test::PlaceScene<TypesPlace>> m_types;
};

HEAPSCAPE_WINDOW_TEST(QueryEditTest)
#include "tst_query_edit.moc"
