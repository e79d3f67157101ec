// SPDX-License-Identifier: MIT
#include <QFile>
#include <QTest>
#include <cstdio>

#include "monkey/monkey.h"
#include "support/dumps.h"
#include "support/settings_folder.h"
#include "support/window_driver.h"
#include "support/window_test.h"

namespace heapscape::gui {

namespace {

int numberOf(const char* variable, int usual) {
  bool isNumber = false;
  const int number = qEnvironmentVariableIntValue(variable, &isNumber);
  return isNumber ? number : usual;
}

}  // namespace

/// HEAPSCAPE_MONKEY_SEED and HEAPSCAPE_MONKEY_STEPS choose another run and a longer one, HEAPSCAPE_MONKEY_TELLS=1 lists
/// every step before it is done.
class MonkeyTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void nothingThatIsDoneAtRandomBreaksTheWindow();
};

void MonkeyTest::nothingThatIsDoneAtRandomBreaksTheWindow() {
  const test::SettingsFolder folder;
  // Pins are written beside the dump.
  const QString dump = folder.filePath(QStringLiteral("shop-10.core.zst"));
  QVERIFY(QFile::copy(test::dataFile(QStringLiteral("shop-10.core.zst")), dump));
  const bool isTold = numberOf("HEAPSCAPE_MONKEY_TELLS", 0) != 0;
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(dump));
  test::Monkey monkey(driver.window(), dump, static_cast<unsigned>(numberOf("HEAPSCAPE_MONKEY_SEED", 1)));
  monkey.play(numberOf("HEAPSCAPE_MONKEY_STEPS", 400), [&](const QString& step) {
    if (isTold) std::fprintf(stderr, "%s\n", qPrintable(step));
  });
  QVERIFY(driver.openAndWait(dump));
  QVERIFY(driver.show(PlaceId::Types));
  QVERIFY(driver.window().isVisible());
}

HEAPSCAPE_WINDOW_TEST(MonkeyTest)

}  // namespace heapscape::gui

#include "tst_monkey.moc"
