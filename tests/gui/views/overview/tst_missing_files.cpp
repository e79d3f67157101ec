// SPDX-License-Identifier: MIT
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>
#include <algorithm>

#include "session/open/open_dump.h"
#include "session/snapshot/contents.h"
#include "support/dumps.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/overview/missing_files.h"

namespace heapscape::gui {

namespace {

QString titleOf(const QWidget& part) {
  const QLabel* title = nullptr;
  for (const QLabel* label : part.findChildren<QLabel*>(QStringLiteral("missingFilesTitle"))) {
    if (label->isVisible() && !title) title = label;
  }
  return title ? title->text() : QString();
}

QPushButton* visibleButton(const QWidget& part, const QString& name) {
  for (QPushButton* button : part.findChildren<QPushButton*>(name)) {
    if (button->isVisible()) return button;
  }
  return nullptr;
}

bool drop(QWidget& target, const QString& path) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(path)});
  QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  static_cast<QObject&>(target).event(&event);  // as it comes to the part under the mouse
  return event.isAccepted();
}

/// The file of an assembly as a dump with images has it.
void writeAssembly(const QString& path, const QString& dump, std::string_view name) {
  const auto opened = engine::openDump(test::dataFile(dump).toStdString(),
                                       {.stopAfter = engine::Stage::Summary, .searchFolders = {}}, nullptr, {});
  QVERIFY(opened);
  const auto& modules = opened->modules();
  const auto module = std::ranges::find(modules, name, &engine::ModuleRow::name);
  QVERIFY(module != modules.end());
  QByteArray bytes(static_cast<qsizetype>(module->sizeBytes), '\0');
  const engine::AddressRange range{module->imageBase, module->imageBase + module->sizeBytes};
  const engine::AddressSpace& memory = *opened->contents().memory;
  for (const engine::AddressRange& part : memory.present(range)) {
    const auto target = std::as_writable_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size())));
    QVERIFY(memory.tryRead(part.start, target.subspan(part.start - range.start, part.sizeBytes())));
  }
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

engine::MissingMetadata missingModule(const std::string& name) {
  engine::MissingMetadata missing;
  missing.name = name;
  missing.canBeProven = true;
  return missing;
}

}  // namespace

class MissingFilesTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { test::dressApplication(); }
  void theyAreListedAndTakeAFolder();
  void nothingIsShownWhereAllNamesAreInTheDump();
  void symbolsAreAGroupOfTheirOwn();
  void theDebuggingInformationOfACompiledProgramIsListed();
  void namesAppearWithTheFolderAndGoWithoutIt();
};

void MissingFilesTest::theyAreListedAndTakeAFolder() {
  QTemporaryDir folder;
  QWidget window;
  MissingFiles names(&window);
  names.resize(500, 400);
  window.show();
  std::vector<engine::MissingMetadata> missing;
  for (int i = 0; i < 12; ++i) missing.push_back(missingModule("part" + std::to_string(i) + ".dll"));
  missing.front().otherBuilds.emplace_back("/opt/part0.dll");
  names.setModules(missing, 0);
  QCOMPARE(titleOf(names), QStringLiteral("Names of 12 modules are missing"));
  const QStringList texts = test::visibleTexts(names);
  QVERIFY(texts.contains(QStringLiteral("part0.dll · another build was found")));
  QVERIFY(texts.contains(QStringLiteral("and 4 more")));
  QSignalSpy picked(&names, &MissingFiles::folderPicked);
  drop(names, folder.path());
  QCOMPARE(picked.size(), 1);
  QCOMPARE(picked[0][0].toString(), folder.path());
  drop(names, folder.filePath(QStringLiteral("no folder")));
  QCOMPARE(picked.size(), 1);
}

void MissingFilesTest::nothingIsShownWhereAllNamesAreInTheDump() {
  QWidget window;
  MissingFiles names(&window);
  window.show();
  names.setModules({}, 0);
  QVERIFY(!names.isVisible());
  names.setModules({}, 3);
  QCOMPARE(titleOf(names), QStringLiteral("Names of 3 modules come from files"));
  names.setSearchPlaces({QStringLiteral("/opt/shop")});
  QSignalSpy forgotten(&names, &MissingFiles::forgetWanted);
  QTRY_VERIFY(visibleButton(names, QStringLiteral("missingFilesForget")));
  visibleButton(names, QStringLiteral("missingFilesForget"))->click();
  QCOMPARE(forgotten.size(), 1);
  names.clear();
  QVERIFY(!names.isVisible());
}

void MissingFilesTest::theDebuggingInformationOfACompiledProgramIsListed() {
  QTemporaryDir folder;
  QWidget window;
  MissingFiles files(&window);
  files.resize(500, 400);
  window.show();
  engine::MissingDebugFile missing{
      .name = "shop.dbg", .program = "/opt/shop/shop", .buildId = "4328d81d", .problem = {}};
  missing.otherBuilds.emplace_back("/opt/old/shop.dbg");
  files.setDebugFile(missing);
  QVERIFY(files.isVisible());
  QCOMPARE(titleOf(files), QStringLiteral("The program's debugging information is missing"));
  const auto has = [&](const QString& part) {
    return std::ranges::any_of(test::visibleTexts(files), [&](const QString& text) { return text.contains(part); });
  };
  QVERIFY(has(QStringLiteral("shop.dbg")));
  QVERIFY(has(QStringLiteral("build id 4328d81d")));
  QVERIFY(has(QStringLiteral("another build was found")));
  QSignalSpy picked(&files, &MissingFiles::folderPicked);
  drop(files, folder.path());
  QCOMPARE(picked.size(), 1);
  files.setDebugFile(std::nullopt);
  QVERIFY(!files.isVisible());
}

void MissingFilesTest::symbolsAreAGroupOfTheirOwn() {
  QTemporaryDir folder;
  QWidget window;
  MissingFiles files(&window);
  files.resize(500, 500);
  window.show();
  engine::MissingSource framework{.pdb = "System.Linq.pdb", .assembly = "System.Linq.dll", .isFramework = true};
  framework.frames = 3;
  files.setSymbols({.sources = {framework}, .runtimeLibrary = {}});
  QVERIFY2(!files.isVisible(), "nobody has the PDBs of .NET at hand");
  engine::MissingSource own{.pdb = "shop.pdb", .assembly = "shop.dll"};
  own.frames = 4;
  engine::MissingLibrary library{.path = "/opt/shop/libcoreclr.so", .buildId = "4328d81d"};
  library.cutStacks = 2;
  files.setSymbols({.sources = {own, framework, framework}, .runtimeLibrary = library});
  QVERIFY(files.isVisible());
  const QStringList texts = test::visibleTexts(files);
  for (const char* text : {"2 stacks could not be read to the end", "libcoreclr.so · build id 4328d81d",
                           "Lines of 4 frames are not known", "shop.pdb · 4 frames", "and 2 of .NET"}) {
    QVERIFY2(texts.contains(QString::fromUtf8(text)), text);
  }
  QVERIFY2(texts.filter(QStringLiteral("System.Linq")).isEmpty(), "those of .NET are summed up");
  QSignalSpy picked(&files, &MissingFiles::folderPicked);
  drop(files, folder.path());
  QCOMPARE(picked.size(), 1);
  files.clear();
  QVERIFY(!files.isVisible());
}

void MissingFilesTest::namesAppearWithTheFolderAndGoWithoutIt() {
  QTemporaryDir folder;
  writeAssembly(folder.filePath(QStringLiteral("catalog.dll")), QStringLiteral("shop-10.core.zst"), "catalog.dll");
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("shop-10-gcore.core.zst"))));
  auto* names = driver.window().findChild<MissingFiles*>();
  QVERIFY(names);
  // Symbols that are missing may be told of first.
  QTRY_VERIFY(titleOf(*names).startsWith(QStringLiteral("Names of ")));
  QVERIFY(names->isVisible());
  const QString before = titleOf(*names);
  QVERIFY(before.endsWith(QStringLiteral(" are missing")));
  const auto& types = driver.window().bridge().snapshot()->types();
  const auto order = std::ranges::find(types, "catalog.dll!0x0200000d", &engine::TypeRow::name);
  QVERIFY(order != types.end());
  const engine::Address methodTable = order->methodTable;
  driver.window().navigator().select({.object = {}, .methodTable = methodTable, .segment = {}});

  QSignalSpy settled(&driver.window(), &MainWindow::settled);
  drop(*names, folder.path());
  QTRY_VERIFY(!settled.isEmpty());
  const auto& named = driver.window().bridge().snapshot()->types();
  const auto same = std::ranges::find(named, methodTable, &engine::TypeRow::methodTable);
  QVERIFY(same != named.end());
  QCOMPARE(same->name, std::string("Catalog.Order"));
  QTRY_VERIFY(titleOf(*names) != before);
  QCOMPARE(driver.window().navigator().location().place, PlaceId::Overview);
  QVERIFY(driver.window().navigator().location().selection.methodTable == methodTable);
  const auto places = [&] { return driver.window().settings().searchPlacesFor(driver.window().bridge().path()); };
  QVERIFY(places().contains(folder.path()));

  settled.clear();
  QTRY_VERIFY(visibleButton(*names, QStringLiteral("missingFilesForget")));
  visibleButton(*names, QStringLiteral("missingFilesForget"))->click();
  QTRY_VERIFY(!settled.isEmpty());
  QVERIFY(places().isEmpty());
  QTRY_COMPARE(titleOf(*names), before);

  settled.clear();
  driver.window().navigator().goTo(PlaceId::Types);
  QVERIFY(drop(driver.window(), folder.path()));
  QTRY_VERIFY(!settled.isEmpty());
  QVERIFY(places().contains(folder.path()));
  QCOMPARE(driver.window().navigator().location().place, PlaceId::Types);
}

HEAPSCAPE_WINDOW_TEST(MissingFilesTest)

}  // namespace heapscape::gui

#include "tst_missing_files.moc"
