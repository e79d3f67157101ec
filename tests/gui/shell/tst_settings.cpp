// SPDX-License-Identifier: MIT
#include <QTemporaryDir>
#include <QTest>

#include "app/command_line.h"
#include "app/settings.h"

namespace heapscape::gui {

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

 private:
  QTemporaryDir m_folder;
};

void SettingsTest::settingsComeBackAsTheyWereSaved() {
  const QString file = m_folder.filePath(QStringLiteral("kept.ini"));
  Settings settings;
  settings.recentDumps = {QStringLiteral("/a b,c.core"), QStringLiteral("/ü.core")};
  settings.theme = Theme::Dark;
  settings.isInspectorShown = false;
  settings.geometry = QByteArray("\0\1\2", 3);
  saveSettings(settings, file);
  const Settings loaded = loadSettings(file);
  QCOMPARE(loaded.recentDumps, settings.recentDumps);
  QVERIFY(loaded.theme == Theme::Dark);
  QVERIFY(!loaded.isInspectorShown);
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

}  // namespace heapscape::gui

QTEST_GUILESS_MAIN(heapscape::gui::SettingsTest)
#include "tst_settings.moc"
