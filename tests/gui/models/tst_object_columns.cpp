// SPDX-License-Identifier: MIT
// Lists whose rows are about objects show, sort, filter and group by what these hold.
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QTabWidget>
#include <QTest>
#include <algorithm>
#include <set>

#include "models/cells/roles.h"
#include "models/query/field_prompt.h"
#include "models/rows/field_columns.h"
#include "models/rows/header_columns.h"
#include "models/rows/rows_table.h"
#include "support/object_values.h"
#include "support/place_scene.h"
#include "support/settings_folder.h"
#include "support/window_test.h"
#include "views/roots/roots_place.h"

namespace heapscape::gui {

namespace {

const QString kRootsList = QStringLiteral("roots");
const QString kHandlesList = QStringLiteral("handles");
constexpr int kRootsTab = 1, kHandlesTabOfPlace = 3;
const std::string kCountField = "field(\"Count\")";

}  // namespace

class ObjectColumnsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    test::dressApplication();
    open();
  }
  void cleanup() {
    for (RowsPanel* panel : m_scene->place.findChildren<RowsPanel*>()) {
      if (panel->rows()) panel->setFilter({});
    }
    QTRY_COMPARE(m_scene->lines(kHandlesList), static_cast<int>(m_scene->model(kHandlesList).list()->size()));
  }

  void rowsTellWhatTheListOfObjectsTellsOfTheirObjects_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("roots") << kRootsList;
    QTest::newRow("handles") << kHandlesList;
    QTest::newRow("finalizers") << QStringLiteral("finalizers");
  }
  void rowsTellWhatTheListOfObjectsTellsOfTheirObjects() {
    QFETCH(QString, name);
    showTab(name == kRootsList ? kRootsTab : name == kHandlesList ? kHandlesTabOfPlace : kHandlesTabOfPlace + 1);
    const int section = table(name).sectionOf("value");
    QVERIFY(!table(name).isColumnHidden(section));
    QTRY_VERIFY_WITH_TIMEOUT(isRead(name, section), test::kPatienceMs);
    for (int line = 0; line < m_scene->lines(name); ++line)
      QCOMPARE(m_scene->cell(name, line, section), toldOf(name, line, engine::referenceTo(engine::ObjectField::Value)));
    // What objects hold is left out where contents are.
    QVERIFY(table(name).model()->headerData(section, Qt::Horizontal, kHoldsContentsRole).toBool());
  }

  void whatIsNotLookedAtIsNotRead() {
    test::PlaceScene<RootsPlace> scene(PlaceId::Roots);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    QTRY_VERIFY_WITH_TIMEOUT(scene.lines(kHandlesList) > 0 && scene.bridge.isAtRest(), test::kPatienceMs);
    const int section = static_cast<RowsTable&>(scene.table(kHandlesList)).sectionOf("value");
    for (int line = 0; line < scene.lines(kHandlesList); ++line)
      QVERIFY(scene.cell(kHandlesList, line, section).isEmpty());
    scene.part<QTabWidget>(QStringLiteral("rootTabs"))->setCurrentIndex(kHandlesTabOfPlace);
    QTRY_VERIFY_WITH_TIMEOUT(hasText(scene, kHandlesList, section), test::kPatienceMs);
  }

  void rowsAreSortedByTheirValue() {
    showTab(kHandlesTabOfPlace);
    const int section = table(kHandlesList).sectionOf("value");
    Q_EMIT table(kHandlesList).sortWanted(section, false);
    const auto isInOrder = [&] {
      std::vector<std::string> texts;
      bool isOver = false;  // what has no value comes last
      for (int line = 0; line < m_scene->lines(kHandlesList); ++line) {
        const engine::QueryValue& value = valueAt(kHandlesList, line);
        if (value.isThere() && isOver) return false;
        isOver = isOver || !value.isThere();
        if (value.text) texts.push_back(*value.text);
      }
      return texts.size() > 10 && std::ranges::is_sorted(texts);
    };
    QTRY_VERIFY_WITH_TIMEOUT(isInOrder(), test::kPatienceMs);
    QCOMPARE(table(kHandlesList).horizontalHeader()->sortIndicatorSection(), section);
  }

  void rowsAreFilteredByTheirValue() {
    showTab(kHandlesTabOfPlace);
    const int section = table(kHandlesList).sectionOf("value");
    QTRY_VERIFY_WITH_TIMEOUT(isRead(kHandlesList, section), test::kPatienceMs);
    const int all = m_scene->lines(kHandlesList);
    QString word;
    for (int line = 0; word.isEmpty() && line < all; ++line)
      word = m_scene->cell(kHandlesList, line, section).mid(2, 6);
    m_scene->part<QLineEdit>(QStringLiteral("handlesFilter"))->setText(QStringLiteral("value ~ \"%1\"").arg(word));
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->lines(kHandlesList) > 0 && m_scene->lines(kHandlesList) < all, test::kPatienceMs);
    for (int line = 0; line < m_scene->lines(kHandlesList); ++line)
      QVERIFY(m_scene->cell(kHandlesList, line, section).contains(word, Qt::CaseInsensitive));
  }

  void aFieldThatIsTypedBecomesAColumn() {
    showTab(kRootsTab);
    addField(QStringLiteral("Count"));
    const int section = table(kRootsList).sectionOf(kCountField);
    QVERIFY(section >= 0 && !table(kRootsList).isColumnHidden(section));
    QTRY_VERIFY_WITH_TIMEOUT(isRead(kRootsList, section), test::kPatienceMs);
    const engine::QueryFieldReference count = fieldOfPath(QStringLiteral("Count"));
    for (int line = 0; line < m_scene->lines(kRootsList); ++line)
      QCOMPARE(m_scene->cell(kRootsList, line, section), toldOf(kRootsList, line, count));
    // What was there before stays.
    QVERIFY(isRead(kRootsList, table(kRootsList).sectionOf("value")));
    // By number: 9 comes after 10.
    Q_EMIT table(kRootsList).sortWanted(section, true);
    const auto isInOrder = [&] {
      int figures = 0;
      for (int line = 1; line < m_scene->lines(kRootsList); ++line) {
        const QString before = m_scene->cell(kRootsList, line - 1, section),
                      after = m_scene->cell(kRootsList, line, section);
        if (before.isEmpty() && !after.isEmpty()) return false;
        if (!after.isEmpty() && before.toLongLong() < after.toLongLong()) return false;
        figures += !after.isEmpty();
      }
      return figures > 3;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isInOrder(), test::kPatienceMs);
    m_scene->part<QLineEdit>(QStringLiteral("rootsFilter"))
        ->setText(QStringLiteral("kind = static and %1 > 3").arg(QString::fromStdString(kCountField)));
    const auto all = static_cast<int>(m_scene->model(kRootsList).list()->size());
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->lines(kRootsList) > 0 && m_scene->lines(kRootsList) < all, test::kPatienceMs);
    for (int line = 0; line < m_scene->lines(kRootsList); ++line)
      QVERIFY(m_scene->cell(kRootsList, line, section).toLongLong() > 3);
  }

  void fieldsAreKeptForTheListAndTakenAwayAgain() {
    showTab(kRootsTab);
    addField(QStringLiteral("Count"));
    addField(QStringLiteral("_name"));
    open();
    showTab(kRootsTab);
    const int section = table(kRootsList).sectionOf(kCountField);
    QVERIFY(section >= 0 && !table(kRootsList).isColumnHidden(section));
    QCOMPARE(table(kHandlesList).sectionOf(kCountField), -1);
    QTRY_VERIFY_WITH_TIMEOUT(isRead(kRootsList, section), test::kPatienceMs);
    Q_EMIT table(kRootsList).sortWanted(table(kRootsList).sectionOf("field(\"_name\")"), false);
    const auto sorted = [this] { return table(kRootsList).horizontalHeader()->sortIndicatorSection(); };
    QTRY_COMPARE_WITH_TIMEOUT(sorted(), table(kRootsList).sectionOf("field(\"_name\")"), test::kPatienceMs);
    const int lines = m_scene->lines(kRootsList);
    chooseFromHeading(kRootsList, section, QStringLiteral("Remove “Count”"));
    QCOMPARE(table(kRootsList).sectionOf(kCountField), -1);
    // Sorted as before, though the column stands elsewhere.
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(kRootsList), lines, test::kPatienceMs);
    QCOMPARE(sorted(), table(kRootsList).sectionOf("field(\"_name\")"));
    chooseFromHeading(kRootsList, sorted(), QStringLiteral("Remove “_name”"));
    QTRY_COMPARE_WITH_TIMEOUT(sorted(), -1, test::kPatienceMs);
  }

  void rowsAreGroupedByTheirValue() {
    showTab(kHandlesTabOfPlace);
    auto* choice = m_scene->part<QComboBox>(QStringLiteral("handlesGroup"));
    const int byValue = choice->findText(QStringLiteral("By value"));
    QVERIFY(byValue > 0);
    choice->setCurrentIndex(byValue);
    Q_EMIT choice->activated(byValue);
    const QString groups = QStringLiteral("handlesGroups");
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->part<QTableView>(groups) && m_scene->lines(groups) > 1, test::kPatienceMs);
    m_scene->table(groups).setCurrentIndex(m_scene->model(groups).index(0, 0));
    const QString name = m_scene->cell(groups, 0, 0);
    QTRY_COMPARE_WITH_TIMEOUT(QString::number(m_scene->lines(kHandlesList)), m_scene->cell(groups, 0, 1),
                              test::kPatienceMs);
    const int section = table(kHandlesList).sectionOf("value");
    for (int line = 0; line < m_scene->lines(kHandlesList); ++line)
      QCOMPARE(m_scene->cell(kHandlesList, line, section), name);
    choice->setCurrentIndex(0);
    Q_EMIT choice->activated(0);
  }

  void aRowStaysPickedWhileItsObjectIsRead() {
    open();
    showTab(kHandlesTabOfPlace);
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->lines(kHandlesList) > 3, test::kPatienceMs);
    table(kHandlesList).setCurrentIndex(table(kHandlesList).model()->index(3, 0));
    QTRY_VERIFY_WITH_TIMEOUT(isRead(kHandlesList, table(kHandlesList).sectionOf("value")), test::kPatienceMs);
    QCOMPARE(table(kHandlesList).currentIndex().row(), 3);
  }

 private:
  void open() {
    m_scene = std::make_unique<test::PlaceScene<RootsPlace>>(PlaceId::Roots);
    QVERIFY(m_scene->openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    for (const QString& name : {kRootsList, kHandlesList})
      QTRY_VERIFY_WITH_TIMEOUT(m_scene->lines(name) > 0, test::kPatienceMs);
  }
  RowsTable& table(const QString& name) { return static_cast<RowsTable&>(m_scene->table(name)); }
  void showTab(int tab) { m_scene->part<QTabWidget>(QStringLiteral("rootTabs"))->setCurrentIndex(tab); }

  static bool hasText(test::PlaceScene<RootsPlace>& scene, const QString& name, int section) {
    int texts = 0;
    for (int line = 0; line < scene.lines(name); ++line) texts += !scene.cell(name, line, section).isEmpty();
    return texts > 0;
  }
  bool isRead(const QString& name, int section) { return hasText(*m_scene, name, section); }

  engine::Address objectAt(const QString& name, int line) {
    const RowsModel& model = m_scene->model(name);
    return model.list()->rows().object(model.rowAt(line));
  }
  engine::QueryValue valueAt(const QString& name, int line) {
    const RowsModel& model = m_scene->model(name);
    return model.list()->key(model.rowAt(line), static_cast<std::size_t>(table(name).sectionOf("value")));
  }
  /// What the list of objects says of the object that a line is about.
  QString toldOf(const QString& name, int line, const engine::QueryFieldReference& field) {
    return test::toldOfObject(m_scene->snapshot(), objectAt(name, line), field);
  }

  void chooseFromHeading(const QString& name, int section, const QString& title) {
    QMenu menu;
    table(name).columns().fill(menu, section);
    for (QAction* action : menu.actions()) {
      if (action->text() == title) return action->trigger();
    }
    QFAIL(qPrintable(title));
  }
  void addField(const QString& path) {
    chooseFromHeading(kRootsList, 0, QStringLiteral("Add a field…"));
    auto* prompt = table(kRootsList).findChild<FieldPrompt*>();
    QVERIFY(prompt);
    prompt->findChild<QLineEdit*>()->setText(path);
    QTest::keyClick(prompt->findChild<QLineEdit*>(), Qt::Key_Return);
    QTRY_VERIFY(!table(kRootsList).findChild<FieldPrompt*>());
  }

  test::SettingsFolder m_folder;
  std::unique_ptr<test::PlaceScene<RootsPlace>> m_scene;
};

HEAPSCAPE_WINDOW_TEST(ObjectColumnsTest)

}  // namespace heapscape::gui

#include "tst_object_columns.moc"
