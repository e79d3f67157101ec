// SPDX-License-Identifier: MIT
#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/code_dialog.h"
#include "app/command_line.h"
#include "app/settings.h"
#include "app/window_actions.h"
#include "session/types/type_owner.h"
#include "support/dumps.h"
#include "support/temporary_folder.h"
#include "support/window_driver.h"
#include "support/window_test.h"

namespace heapscape::gui {

namespace {

constexpr int kSettingsPatience = 60'000;

/// The program itself, without a screen and with its own settings in a folder.
void start(QProcess& program, const QTemporaryDir& home, const QStringList& arguments) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
  environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
  environment.insert(QStringLiteral("XDG_DATA_HOME"), home.path());
  program.setProcessEnvironment(environment);
  program.start(QStringLiteral(HEAPSCAPE_WINDOW), arguments);
}

}  // namespace

class SettingsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void settingsComeBackAsTheyWereSaved();
  void aMissingOrDamagedFileGivesTheDefaults();
  void aDumpOpenedAgainMovesToTheFrontAndTheOldestLeaves();
  void theCommandLineNamesDumpThemeAndPlace();
  void aWrongCommandLineIsRefusedWithStatus2_data();
  void aWrongCommandLineIsRefusedWithStatus2();
  void helpNamesEveryOption();
  void helpNamesTheProgram();
  void aScreenshotOfARefusedFileEndsWithStatus1();
  void aKilledProgramLeavesWhatItRemembered();
  void settingsThatWereKeptElsewhereAreMoved();
  void whatWasKeptOfDumpsCanBeRemovedAndTurnedOff();
  void yourCodeIsNamedInADialogAndTheDumpIsReadAgain();

 private:
  QTemporaryDir m_folder;
};

void SettingsTest::settingsComeBackAsTheyWereSaved() {
  const QString file = m_folder.filePath(QStringLiteral("kept.ini"));
  Settings settings;
  settings.recentDumps = {QStringLiteral("/a b,c.core"), QStringLiteral("/ü.core")};
  settings.theme = Theme::Dark;
  settings.isInspectorShown = false;
  settings.reopensLast = true;
  settings.keepsAnswers = false;
  settings.namedCode = {.own = {"Shop", "Waren,haus"}, .packages = {"Vendor"}};
  settings.session = {.path = QStringLiteral("/a b,c.core"),
                      .identity = QStringLiteral("1f"),
                      .location = QStringLiteral("{\"place\":\"types\"}")};
  settings.geometry = QByteArray("\0\1\2", 3);
  saveSettings(settings, file);
  const Settings loaded = loadSettings(file);
  QCOMPARE(loaded.recentDumps, settings.recentDumps);
  QVERIFY(loaded.theme == Theme::Dark);
  QVERIFY(!loaded.isInspectorShown);
  QVERIFY(loaded.reopensLast);
  QVERIFY(!loaded.keepsAnswers);
  QVERIFY(loaded.namedCode == settings.namedCode);
  QVERIFY(loaded.session == settings.session);
  QCOMPARE(loaded.geometry, settings.geometry);
}

void SettingsTest::aMissingOrDamagedFileGivesTheDefaults() {
  QVERIFY(loadSettings(m_folder.filePath(QStringLiteral("none.ini"))).theme == Theme::System);
  const QString file = m_folder.filePath(QStringLiteral("damaged.ini"));
  QFile damaged(file);
  QVERIFY(damaged.open(QIODevice::WriteOnly));
  damaged.write("[General\ntheme=purple\nrecentDumps=\xff\xfe\n\0\0");
  damaged.close();
  const Settings settings = loadSettings(file);
  QVERIFY(settings.theme == Theme::System);
  QVERIFY(settings.isInspectorShown);
}

void SettingsTest::aDumpOpenedAgainMovesToTheFrontAndTheOldestLeaves() {
  Settings settings;
  for (int i = 0; i < 15; ++i) settings.remember(QStringLiteral("/dump%1").arg(i));
  QCOMPARE(settings.recentDumps.size(), Settings::kMostRecentDumps);
  QCOMPARE(settings.recentDumps.last(), QStringLiteral("/dump3"));
  settings.remember(QStringLiteral("/dump5"));
  QCOMPARE(settings.recentDumps.first(), QStringLiteral("/dump5"));
  QCOMPARE(settings.recentDumps.size(), Settings::kMostRecentDumps);
}

void SettingsTest::theCommandLineNamesDumpThemeAndPlace() {
  const auto parsed = parseCommandLine(
      {QStringLiteral("heapscape"), QStringLiteral("/x.core"), QStringLiteral("--theme"), QStringLiteral("dark"),
       QStringLiteral("--place=types"), QStringLiteral("--screenshot"), QStringLiteral("s.png")});
  QVERIFY(parsed.value);
  QCOMPARE(parsed.value->dump, QStringLiteral("/x.core"));
  QVERIFY(parsed.value->theme == Theme::Dark);
  QVERIFY(parsed.value->place == PlaceId::Types);
  QCOMPARE(parsed.value->screenshot, QStringLiteral("s.png"));
  QVERIFY(parseCommandLine({QStringLiteral("heapscape")}).value);
}

void SettingsTest::aWrongCommandLineIsRefusedWithStatus2_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::newRow("unknown option") << QStringList{QStringLiteral("--colour")};
  QTest::newRow("unknown theme") << QStringList{QStringLiteral("--theme"), QStringLiteral("purple")};
  QTest::newRow("unknown place") << QStringList{QStringLiteral("--place"), QStringLiteral("nowhere")};
  QTest::newRow("two dumps") << QStringList{QStringLiteral("a"), QStringLiteral("b")};
}

void SettingsTest::aWrongCommandLineIsRefusedWithStatus2() {
  QFETCH(QStringList, arguments);
  const auto parsed = parseCommandLine(QStringList{QStringLiteral("heapscape")} + arguments);
  QVERIFY(!parsed.value);
  QCOMPARE(parsed.exitStatus, 2);
  QVERIFY(parsed.text.startsWith(QStringLiteral("heapscape: ")));
}

void SettingsTest::helpNamesEveryOption() {
  const auto parsed = parseCommandLine({QStringLiteral("heapscape"), QStringLiteral("--help")});
  QVERIFY(!parsed.value);
  QCOMPARE(parsed.exitStatus, 0);
  for (const char* word : {"--theme", "--place", "--screenshot", "[FILE]", "generations"}) {
    QVERIFY2(parsed.text.contains(QLatin1String(word)), word);
  }
}

void SettingsTest::helpNamesTheProgram() {
  const auto parsed = parseCommandLine({QStringLiteral("heapscape"), QStringLiteral("--help")});
  QCOMPARE(parsed.text.section(QLatin1Char('\n'), 0, 0), QStringLiteral("Usage: heapscape [options] [FILE]"));
}

void SettingsTest::aScreenshotOfARefusedFileEndsWithStatus1() {
  const QTemporaryDir home;
  for (const QString& file : {QStringLiteral("/dev/null"), test::dataFile(QStringLiteral("flaws-10.planted.jsonl"))}) {
    QProcess program;
    const QString picture = home.filePath(QStringLiteral("a.png"));
    start(program, home, {QStringLiteral("--screenshot"), picture, file});
    QVERIFY(program.waitForFinished(kSettingsPatience));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 1);
    QVERIFY(program.readAllStandardError().contains("heapscape: "));
    QVERIFY(QFile::remove(picture));
  }
}

void SettingsTest::aKilledProgramLeavesWhatItRemembered() {
  const QTemporaryDir home;
  const QString dump = test::dataFile(QStringLiteral("shop-10.core.zst"));
  const QString file = home.filePath(QStringLiteral("heapscape/heapscape.ini"));
  QProcess program;
  start(program, home, {dump});
  QVERIFY(QTest::qWaitFor([&] { return loadSettings(file).recentDumps == QStringList{dump}; }, kSettingsPatience));
  program.kill();
  QVERIFY(program.waitForFinished(kSettingsPatience));
  QCOMPARE(loadSettings(file).recentDumps, QStringList{dump});
  QCOMPARE(QDir(home.path()).entryList({QStringLiteral("Unknown*")}, QDir::Dirs), QStringList());
}

void SettingsTest::settingsThatWereKeptElsewhereAreMoved() {
  const QTemporaryDir home;
  QVERIFY(QDir(home.path()).mkdir(QStringLiteral("Unknown Organization")));
  QFile old(home.filePath(QStringLiteral("Unknown Organization/heapscape.conf")));
  QVERIFY(old.open(QIODevice::WriteOnly));
  old.write("[recentQueries]\ntypes=size > 1 KB\n");
  old.close();
  QProcess program;
  start(program, home, {QStringLiteral("--screenshot"), home.filePath(QStringLiteral("a.png"))});
  QVERIFY(program.waitForFinished(kSettingsPatience));
  QVERIFY(!QFileInfo::exists(QFileInfo(old).path()));
  const QSettings moved(home.filePath(QStringLiteral("heapscape/heapscape.ini")), QSettings::IniFormat);
  QCOMPARE(moved.value(QStringLiteral("recentQueries/types")).toString(), QStringLiteral("size > 1 KB"));
}

void SettingsTest::whatWasKeptOfDumpsCanBeRemovedAndTurnedOff() {
  test::dressApplication();  // which turns the cache off, the first time
  const QTemporaryDir folder;
  QFile kept(folder.filePath(QStringLiteral("1.retained.kept")));
  QVERIFY(kept.open(QIODevice::WriteOnly));
  kept.write(QByteArray(3 << 20, 'x'));
  kept.close();
  {
    const heapscape::test::ScopedVariable here("HEAPSCAPE_CACHE", folder.path().toStdString());
    test::WindowDriver driver;
    const WindowActions& actions = driver.window().actions();
    QVERIFY(actions.keepsAnswers->isEnabled() && actions.keepsAnswers->isChecked());
    actions.emptyCache->trigger();
    QTRY_VERIFY(test::shows(driver.window(), QStringLiteral("Emptied: 3.00 MB are free again.")));
    QVERIFY(!kept.exists());
    actions.keepsAnswers->trigger();
    QVERIFY(!driver.window().settings().keepsAnswers);
  }
  test::WindowDriver without;
  QVERIFY(!without.window().actions().keepsAnswers->isEnabled());
  QVERIFY(!without.window().actions().keepsAnswers->isChecked());
  QVERIFY(without.window().settings().keepsAnswers);
}

void SettingsTest::yourCodeIsNamedInADialogAndTheDumpIsReadAgain() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("shop-10.core.zst"))));
  const auto ownerOfEntry = [&] {
    const auto& snapshot = driver.window().bridge().snapshot();
    if (!snapshot) return engine::CodeOwner::Framework;
    const engine::CodeOwners& owners = engine::codeOwnersOf(*snapshot);
    return owners.of(owners.entry());
  };
  QCOMPARE(ownerOfEntry(), engine::CodeOwner::Own);
  const QString entry = QString::fromStdString(engine::codeOwnersOf(*driver.window().bridge().snapshot()).entry());
  driver.window().actions().code->trigger();
  auto* dialog = driver.window().findChild<CodeDialog*>();
  QVERIFY(dialog && dialog->isVisible());
  QVERIFY(test::shows(*dialog, entry));  // which assembly the rule begins with
  auto* packages = dialog->findChild<QLineEdit*>(QStringLiteral("packageBeginnings"));
  QTest::keyClicks(packages, entry + QStringLiteral(", Vendor"));
  QTest::keyClick(packages, Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(ownerOfEntry() == engine::CodeOwner::Package, test::kPatienceMs);
  QCOMPARE(driver.window().settings().namedCode.packages, (std::vector<std::string>{entry.toStdString(), "Vendor"}));
  engine::nameCode({});
}

HEAPSCAPE_WINDOW_TEST(SettingsTest)

}  // namespace heapscape::gui

#include "tst_settings.moc"
