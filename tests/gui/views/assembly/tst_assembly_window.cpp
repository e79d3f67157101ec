// SPDX-License-Identifier: MIT
// The window with an assembly in place of a dump.
#include <QAction>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "app/go_to/go_to_box.h"
#include "app/inspector/inspector.h"
#include "app/window_actions.h"
#include "models/layout/layout_types.h"
#include "models/rows/rows_table.h"
#include "support/dumps.h"
#include "support/test_assembly.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/assembly/assembly_place.h"
#include "views/start/failure_panel.h"
#include "widgets/state_panel.h"

namespace heapscape::gui {

namespace {

constexpr int kPatience = 40'000;

QString pathOf(const heapscape::test::TestAssembly& assembly) {
  return QFile::decodeName(assembly.path().c_str());
}

/// Settings of a person who once said where the framework is: a dump of .NET 10 stands for it, on every machine.
Settings withFramework(const QString& assembly) {
  Settings settings;
  settings.addSearchPlace(assembly, test::dumpFile(QStringLiteral("library-10")));
  return settings;
}

QString smallDump() {
  return test::dataFile(QStringLiteral("shop-10.core.zst"));
}

bool shows(const QWidget& part, const QString& text) {
  const QStringList texts = test::visibleTexts(part);
  return std::ranges::any_of(texts, [&text](const QString& shown) { return shown.contains(text); });
}

/// The same assembly with a reference that nobody can find.
QString withUnknownReference(const heapscape::test::TestAssembly& assembly, const QTemporaryDir& folder) {
  QFile original(pathOf(assembly));
  QFile changed(folder.filePath(QStringLiteral("Orphan.dll")));
  if (!original.open(QIODevice::ReadOnly) || !changed.open(QIODevice::WriteOnly)) return {};
  QByteArray bytes = original.readAll();
  bytes.replace(QByteArray("\0System.Runtime\0", 16), QByteArray("\0Nowhere.AtAll.\0", 16));
  changed.write(bytes);
  return changed.fileName();
}

RowsModel& typesOf(MainWindow& window) {
  return window.findChild<RowsTable*>(QStringLiteral("layoutTypes"))->rows();
}

const LayoutTypeRow& typeAt(const RowsModel& types, int line) {
  return types.list()->as<LayoutTypeRow>(types.rowAt(line));
}

}  // namespace

class AssemblyWindowTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void itsTypesAreListedWithTheirSizes();
  void itsOverviewSaysWhatItIs();
  void itsListsHaveRowsInASmallWindow();
  void placesOfTheHeapSayThatThereIsNone();
  void missingReferencesAreNamedAndTypesSayWhatTheyLack();
  void withoutAnInstalledFrameworkAllOfItIsMissing();
  void aGenericTypeIsFoundByItsFullName();
  void goToFindsItsTypes();
  void aDumpCanFollowAndTheAssemblyAgain();
  void aFileThatOnlyLooksLikeAnAssemblyIsRefused_data();
  void aFileThatOnlyLooksLikeAnAssemblyIsRefused();
  void placesToSearchAreRememberedByFolder();
  void closingLeadsToTheStart();

 private:
  heapscape::test::TestAssembly m_zoo{"LayoutZoo1"};
};

void AssemblyWindowTest::itsTypesAreListedWithTheirSizes() {
  test::WindowDriver driver(withFramework(pathOf(m_zoo)));
  QVERIFY(driver.openAndWait(pathOf(m_zoo)));
  QVERIFY(driver.window().bridge().isAssembly());
  QVERIFY(!driver.window().bridge().snapshot());
  QVERIFY(driver.window().place(PlaceId::Layouts)->isVisible());
  QVERIFY(!driver.window().inspector()->isVisible());
  RowsModel& types = typesOf(driver.window());
  QTRY_VERIFY_WITH_TIMEOUT(types.rowCount() > 1000, kPatience);
  QCOMPARE(types.headerData(LayoutObjectsColumn, Qt::Horizontal).toString(), QStringLiteral("Size"));
  const LayoutTypeRow& first = typeAt(types, 0);
  QVERIFY(first.paddingBytes > 0);
  QVERIFY(first.instanceBytes > first.paddingBytes);
  QTRY_VERIFY_WITH_TIMEOUT(typeAt(types, 0).savedBytes.value_or(0) > 0, kPatience);
  for (int row = 1; row < types.rowCount(); ++row) {
    QVERIFY(*typeAt(types, row).savedBytes <= *typeAt(types, row - 1).savedBytes);
  }
  QVERIFY(shows(driver.window(), QStringLiteral("LayoutZoo1.dll")));
  QCOMPARE(driver.window().settings().recentDumps, QStringList{pathOf(m_zoo)});
}

void AssemblyWindowTest::itsOverviewSaysWhatItIs() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(pathOf(m_zoo)));
  driver.window().navigator().goTo(PlaceId::Overview);
  AssemblyPlace& overview = *driver.window().assembly();
  QVERIFY(overview.isVisible());
  QVERIFY(shows(overview, QStringLiteral("LayoutZoo1.dll")));
  QVERIFY(shows(overview, QStringLiteral("rules of .NET")));
  QVERIFY(shows(overview, QStringLiteral("IL only")));
  QVERIFY(shows(driver.window(), QStringLiteral(" types")));
}

void AssemblyWindowTest::itsListsHaveRowsInASmallWindow() {
  test::WindowDriver driver;
  driver.window().resize(900, 600);
  QVERIFY(driver.openAndWait(pathOf(m_zoo)));
  driver.window().navigator().goTo(PlaceId::Overview);
  for (const char* name : {"assemblyReferences", "assemblyFailures"}) {
    const auto* list = driver.window().findChild<QTableView*>(QString::fromLatin1(name));
    QTRY_VERIFY_WITH_TIMEOUT(list->model()->rowCount() > 5, kPatience);
    QTRY_VERIFY2(list->viewport()->height() >= 4 * list->rowHeight(0), name);
  }
}

void AssemblyWindowTest::placesOfTheHeapSayThatThereIsNone() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(pathOf(m_zoo)));
  for (const PlaceId place : {PlaceId::Segments, PlaceId::Types, PlaceId::References, PlaceId::Roots}) {
    QVERIFY(driver.window().actions().places.at(place)->isEnabled());
    driver.window().actions().places.at(place)->trigger();
    QVERIFY(shows(driver.window(), QStringLiteral("An assembly has no heap")));
    QVERIFY(!driver.window().place(place)->isVisible());
  }
}

void AssemblyWindowTest::missingReferencesAreNamedAndTypesSayWhatTheyLack() {
  const QTemporaryDir folder;
  const QString orphan = withUnknownReference(m_zoo, folder);
  test::WindowDriver driver(withFramework(orphan));
  QVERIFY(driver.openAndWait(orphan));
  driver.window().navigator().goTo(PlaceId::Overview);
  auto* references = driver.window().findChild<QTableView*>(QStringLiteral("assemblyReferences"));
  QTRY_VERIFY_WITH_TIMEOUT(references->model()->rowCount() > 0, kPatience);
  QCOMPARE(references->model()->index(0, 0).data().toString(), QStringLiteral("⚠ Nowhere.AtAll."));
  QVERIFY(!references->model()->index(0, 2).data().toString().isEmpty());
  QVERIFY(shows(driver.window(), QStringLiteral("1 assembly missing")));

  driver.window().navigator().goTo(PlaceId::Layouts);
  RowsModel& types = typesOf(driver.window());
  QTRY_VERIFY_WITH_TIMEOUT(types.rowCount() > 0, kPatience);
  int failing = 0;
  while (failing < types.rowCount() && typeAt(types, failing).failure.empty()) ++failing;
  QVERIFY(failing < types.rowCount());
  const QModelIndex index = types.index(failing, 0);
  QVERIFY(index.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Nowhere.AtAll.")));
  driver.window().findChild<QTableView*>(QStringLiteral("layoutTypes"))->setCurrentIndex(index);
  QTRY_VERIFY_WITH_TIMEOUT(shows(*driver.window().place(PlaceId::Layouts), QStringLiteral("Nowhere.AtAll.")),
                           kPatience);
}

void AssemblyWindowTest::withoutAnInstalledFrameworkAllOfItIsMissing() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(pathOf(m_zoo)));
  driver.window().navigator().goTo(PlaceId::Overview);
  auto* references = driver.window().findChild<QTableView*>(QStringLiteral("assemblyReferences"));
  QTRY_VERIFY_WITH_TIMEOUT(references->model()->rowCount() > 0, kPatience);
  for (int row = 0; row < references->model()->rowCount(); ++row) {
    QVERIFY(references->model()->index(row, 0).data().toString().startsWith(QStringLiteral("⚠ System.")));
  }
}

void AssemblyWindowTest::aGenericTypeIsFoundByItsFullName() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("shop-10.core.zst"))));
  driver.window().navigator().showLayouts(LayoutsPage::Types);
  auto* filter = driver.window().findChild<QLineEdit*>(QStringLiteral("layoutTypeFilter"));
  filter->setText(
      QStringLiteral("System.Collections.Generic.KeyValuePair<System.Byte, System.Collections.Generic."
                     "KeyValuePair<System.Int64, System.Int16>>"));
  QTest::keyClick(filter, Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(!driver.window().navigator().location().selection.layoutType.isNone(), kPatience);
  QVERIFY(!driver.window().navigator().location().selection.methodTable);
}

void AssemblyWindowTest::goToFindsItsTypes() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(pathOf(m_zoo)));
  RowsModel& types = typesOf(driver.window());
  QTRY_VERIFY_WITH_TIMEOUT(types.rowCount() > 0, kPatience);
  const engine::LayoutTypeId wanted = typeAt(types, 7).id;
  driver.window().navigator().goTo(PlaceId::Overview);
  GoToBox* box = driver.window().goToBox();
  box->setFocus();
  QTest::keyClicks(box, QString::fromStdString(typeAt(types, 7).type.name));
  QTRY_VERIFY_WITH_TIMEOUT(box->popup()->isVisible(), kPatience);
  QTest::keyClick(box, Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(driver.window().navigator().location().place, PlaceId::Layouts, kPatience);
  const engine::LayoutTypeId found = driver.window().navigator().location().selection.layoutType;
  QVERIFY(!found.isNone());
  QCOMPARE(found, wanted);
}

void AssemblyWindowTest::aDumpCanFollowAndTheAssemblyAgain() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(pathOf(m_zoo)));
  QVERIFY(driver.openAndWait(smallDump()));
  QVERIFY(!driver.window().bridge().isAssembly());
  QVERIFY(driver.window().bridge().snapshot());
  QVERIFY(driver.window().place(PlaceId::Overview)->isVisible());
  QVERIFY(!driver.window().assembly()->isVisible());
  QVERIFY(driver.show(PlaceId::Layouts));
  QCOMPARE(typesOf(driver.window()).headerData(LayoutObjectsColumn, Qt::Horizontal).toString(),
           QStringLiteral("Objects"));

  QVERIFY(driver.openAndWait(pathOf(m_zoo)));
  QVERIFY(driver.window().bridge().isAssembly());
  QVERIFY(!driver.window().bridge().snapshot());
  QTRY_COMPARE_WITH_TIMEOUT(test::mappedDumps(), 0, kPatience);
  QTRY_COMPARE_WITH_TIMEOUT(typesOf(driver.window()).headerData(LayoutObjectsColumn, Qt::Horizontal).toString(),
                            QStringLiteral("Size"), kPatience);
}

void AssemblyWindowTest::aFileThatOnlyLooksLikeAnAssemblyIsRefused_data() {
  QTest::addColumn<int>("bytes");
  QTest::addColumn<bool>("isNative");
  QTest::newRow("a header alone") << 64 << false;
  QTest::newRow("cut in its metadata") << 40'000 << false;
  QTest::newRow("no metadata at all") << 0 << true;
}

void AssemblyWindowTest::aFileThatOnlyLooksLikeAnAssemblyIsRefused() {
  QFETCH(int, bytes);
  QFETCH(bool, isNative);
  const QTemporaryDir folder;
  QFile original(pathOf(m_zoo));
  QFile broken(folder.filePath(QStringLiteral("Broken.dll")));
  QVERIFY(original.open(QIODevice::ReadOnly) && broken.open(QIODevice::WriteOnly));
  broken.write(isNative ? QByteArray("MZ") + QByteArray(4000, '\0') : original.read(bytes));
  broken.close();

  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(broken.fileName()));
  auto* panel = driver.window().findChild<FailurePanel*>();
  QVERIFY(panel && panel->isVisible());
  QVERIFY(shows(*panel, QStringLiteral("Broken.dll could not be opened")));
  for (const QString& text : test::visibleTexts(*panel)) QVERIFY(!text.isEmpty());
  QVERIFY(driver.window().settings().recentDumps.isEmpty());
  QVERIFY(driver.openAndWait(pathOf(m_zoo)));
  QVERIFY(driver.window().place(PlaceId::Layouts)->isVisible());
}

void AssemblyWindowTest::placesToSearchAreRememberedByFolder() {
  const QTemporaryDir kept;
  const QString file = kept.filePath(QStringLiteral("kept.ini"));
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(pathOf(m_zoo)));
  driver.window().navigator().goTo(PlaceId::Overview);
  QSignalSpy settled(&driver.window(), &MainWindow::settled);
  Q_EMIT driver.window().assembly()->searchPlacePicked(kept.path());
  QVERIFY(settled.wait(kPatience));
  saveSettings(driver.window().settings(), file);
  QCOMPARE(loadSettings(file).searchPlacesFor(pathOf(m_zoo)), QStringList{kept.path()});
  QCOMPARE(loadSettings(file).searchPlacesFor(QStringLiteral("/elsewhere/Other.dll")), QStringList());

  test::WindowDriver again(loadSettings(file));
  QVERIFY(again.openAndWait(pathOf(m_zoo)));
  again.window().navigator().goTo(PlaceId::Overview);
  QVERIFY(shows(again.window(), QStringLiteral("also looked in ") + QFileInfo(kept.path()).fileName()));
}

void AssemblyWindowTest::closingLeadsToTheStart() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(pathOf(m_zoo)));
  driver.window().actions().close->trigger();
  QVERIFY(driver.window().place(PlaceId::Start)->isVisible());
  QVERIFY(!driver.window().actions().places.at(PlaceId::Layouts)->isEnabled());
  QCOMPARE(typesOf(driver.window()).rowCount(), 0);
  QVERIFY(shows(driver.window(), QStringLiteral("No dump open")));
}

HEAPSCAPE_WINDOW_TEST(AssemblyWindowTest)

}  // namespace heapscape::gui

#include "tst_assembly_window.moc"
