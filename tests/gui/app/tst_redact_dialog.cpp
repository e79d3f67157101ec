// SPDX-License-Identifier: MIT
#include <QAction>
#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <memory>

#include "app/files/redact_dialog.h"
#include "app/window_actions.h"
#include "session/open/open_dump.h"
#include "support/dumps.h"
#include "support/window_driver.h"
#include "support/window_test.h"

namespace heapscape::gui {

/// Saving a copy without contents in the real window, from the menu to the open copy.
class RedactDialogTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void init();
  void cleanup();
  void isOfferedWhileADumpIsOpen();
  void namesTheCopyAfterTheDump();
  void keepsOnlyLengthsAtFirst();
  void writesTheCopyAndTellsWhatIsLeft();
  void takesTheChoices();
  void opensTheCopy();
  void saysWhyItCannotWrite();
  void stopsWhenCancelled();
  void closesWhileItWrites();
  void isDrawn_data();
  void isDrawn();

 private:
  RedactDialog* openDialog();
  template <class Part>
  static Part* partOf(const QWidget* dialog, const char* name) {
    return dialog->findChild<Part*>(QString::fromLatin1(name));
  }
  static bool isWritten(const RedactDialog* dialog) { return partOf<QPushButton>(dialog, "redactOpen")->isVisible(); }
  QString file(const QString& name) const { return m_folder->filePath(name); }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<test::WindowDriver> m_driver;
};

void RedactDialogTest::initTestCase() {
  test::dressApplication();
}

void RedactDialogTest::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_driver = std::make_unique<test::WindowDriver>();
}

void RedactDialogTest::cleanup() {
  m_driver.reset();
}

RedactDialog* RedactDialogTest::openDialog() {
  if (!m_driver->window().bridge().snapshot() &&
      !m_driver->openAndWait(test::dataFile(QStringLiteral("shop-10.core.zst"))))
    return nullptr;
  m_driver->window().actions().saveCopy->trigger();
  return m_driver->window().findChild<RedactDialog*>();
}

void RedactDialogTest::isOfferedWhileADumpIsOpen() {
  const QAction* action = m_driver->window().actions().saveCopy;
  QVERIFY(!action->isEnabled());
  QVERIFY(m_driver->openAndWait(test::dataFile(QStringLiteral("shop-10.core.zst"))));
  QVERIFY(action->isEnabled());
  m_driver->window().bridge().close();
  QTRY_VERIFY(!action->isEnabled());
}

void RedactDialogTest::namesTheCopyAfterTheDump() {
  QCOMPARE(redactedCopyPath(QStringLiteral("/dumps/shop.core.zst")), QStringLiteral("/dumps/shop.redacted.core.zst"));
  QCOMPARE(redactedCopyPath(QStringLiteral("/dumps/shop.core.tar.gz")),
           QStringLiteral("/dumps/shop.redacted.core.zst"));
  QCOMPARE(redactedCopyPath(QStringLiteral("/dumps/core.4711")), QStringLiteral("/dumps/core.4711.redacted.core.zst"));
  QCOMPARE(redactedCopyPath(QStringLiteral("/dumps/.core")), QStringLiteral("/dumps/.core.redacted.core.zst"));
}

void RedactDialogTest::keepsOnlyLengthsAtFirst() {
  const RedactDialog* dialog = openDialog();
  QVERIFY(dialog);
  const engine::RedactOptions options = dialog->options();
  QVERIFY(options.keepsLengths);
  QVERIFY(!options.isSlim && !options.keepsBooleans && !options.keepsCounts && !options.keepsEnums &&
          !options.hashesStrings);
  QVERIFY(test::shows(*dialog, QStringLiteral("asterisks")));
  QVERIFY(!partOf<QLabel>(dialog, "redactProblem")->isVisible());
}

void RedactDialogTest::writesTheCopyAndTellsWhatIsLeft() {
  RedactDialog* dialog = openDialog();
  QVERIFY(dialog);
  dialog->save(file(QStringLiteral("copy.core.zst")));
  QVERIFY(dialog->isWriting());
  QVERIFY(partOf<QProgressBar>(dialog, "redactProgress")->isVisible());
  QTRY_VERIFY(isWritten(dialog));
  QVERIFY(test::shows(*dialog, file(QStringLiteral("copy.core.zst"))));
  const auto* left = partOf<QTreeWidget>(dialog, "redactLeft");
  QVERIFY(left->topLevelItemCount() >= 5);
  for (int i = 0; i < left->topLevelItemCount(); ++i) {
    QVERIFY(!left->topLevelItem(i)->text(0).isEmpty());
    QVERIFY(!left->topLevelItem(i)->text(1).isEmpty());
  }
  const auto copy = engine::openDump(file(QStringLiteral("copy.core.zst")).toStdString(), {}, nullptr, {});
  QVERIFY(copy.has_value());
  QCOMPARE(copy->totals().objects, m_driver->window().bridge().snapshot()->totals().objects);
  QVERIFY(!copy->summary().missing.empty());
}

void RedactDialogTest::takesTheChoices() {
  const RedactDialog* dialog = openDialog();
  QVERIFY(dialog);
  for (const char* name : {"redactLengths", "redactCounts", "redactHashes", "redactBooleans", "redactEnums"})
    partOf<QCheckBox>(dialog, name)->click();
  QTest::keyClicks(partOf<QLineEdit>(dialog, "redactRename"), QStringLiteral("Shop.Orders, Contoso "));
  const engine::RedactOptions options = dialog->options();
  QVERIFY(!options.keepsLengths);
  QCOMPARE(options.renamedNamespaces, (std::vector<std::string>{"Shop.Orders", "Contoso"}));
  QVERIFY(options.keepsBooleans && options.keepsCounts && options.keepsEnums && options.hashesStrings);
}

void RedactDialogTest::opensTheCopy() {
  RedactDialog* dialog = openDialog();
  QVERIFY(dialog);
  dialog->save(file(QStringLiteral("copy.core")));
  QTRY_VERIFY(isWritten(dialog));
  QSignalSpy settled(&m_driver->window(), &MainWindow::settled);
  QTest::mouseClick(partOf<QPushButton>(dialog, "redactOpen"), Qt::LeftButton);
  QVERIFY(settled.wait(test::kPatienceMs));
  QCOMPARE(m_driver->window().bridge().path(), file(QStringLiteral("copy.core")));
  QTRY_VERIFY(!m_driver->window().findChild<RedactDialog*>());
  // The overview says first what it shows.
  QTRY_VERIFY(m_driver->window().findChild<QLabel*>(QStringLiteral("alertRedacted")));
  QVERIFY(m_driver->window()
              .findChild<QLabel*>(QStringLiteral("alertRedacted"))
              ->text()
              .startsWith(QStringLiteral("A copy without contents")));
}

void RedactDialogTest::saysWhyItCannotWrite() {
  RedactDialog* dialog = openDialog();
  QVERIFY(dialog);
  dialog->save(file(QStringLiteral("no such folder/copy.core")));
  const auto* problem = partOf<QLabel>(dialog, "redactProblem");
  QTRY_VERIFY(problem->isVisible());
  QVERIFY2(problem->text().contains(QStringLiteral("cannot be written")), qPrintable(problem->text()));
  QVERIFY(!dialog->isWriting());
  dialog->save(m_driver->window().bridge().path());
  QTRY_VERIFY(!dialog->isWriting());
  QVERIFY2(problem->text().contains(QStringLiteral("the dump itself")), qPrintable(problem->text()));
  dialog->save(file(QStringLiteral("copy.core")));
  QVERIFY(!problem->isVisible());
  QTRY_VERIFY(isWritten(dialog));
}

void RedactDialogTest::stopsWhenCancelled() {
  RedactDialog* dialog = openDialog();
  QVERIFY(dialog);
  dialog->save(file(QStringLiteral("copy.core.zst")));
  QTest::keyClick(dialog, Qt::Key_Escape);
  QVERIFY(!dialog->isWriting());
  QVERIFY(dialog->isVisible());
  QTRY_VERIFY(m_driver->window().bridge().isAtRest());
  QTRY_VERIFY(QDir(m_folder->path()).isEmpty());
  QTest::mouseClick(partOf<QPushButton>(dialog, "redactClose"), Qt::LeftButton);
  QTRY_VERIFY(!m_driver->window().findChild<RedactDialog*>());
}

void RedactDialogTest::closesWhileItWrites() {
  RedactDialog* dialog = openDialog();
  QVERIFY(dialog);
  dialog->save(file(QStringLiteral("copy.core.zst")));
  m_driver->window().bridge().close();
  QTRY_VERIFY(!m_driver->window().findChild<RedactDialog*>());
  QTRY_VERIFY(QDir(m_folder->path()).isEmpty());
}

void RedactDialogTest::isDrawn_data() {
  QTest::addColumn<Theme>("theme");
  QTest::newRow("light") << Theme::Light;
  QTest::newRow("dark") << Theme::Dark;
}

void RedactDialogTest::isDrawn() {
  QFETCH(const Theme, theme);
  m_driver->window().setTheme(theme);
  RedactDialog* dialog = openDialog();
  QVERIFY(dialog);
  const QDir folder(qEnvironmentVariable("HEAPSCAPE_SCREENSHOTS", m_folder->path()));
  const QString name = QString::fromLatin1(QTest::currentDataTag());
  QVERIFY(dialog->grab().save(folder.filePath(QStringLiteral("redact-choices-%1.png").arg(name))));
  dialog->save(file(QStringLiteral("copy.core.zst")));
  QVERIFY(dialog->grab().save(folder.filePath(QStringLiteral("redact-writing-%1.png").arg(name))));
  QTRY_VERIFY(isWritten(dialog));
  QVERIFY(dialog->grab().save(folder.filePath(QStringLiteral("redact-result-%1.png").arg(name))));
  m_driver->window().setTheme(Theme::Light);
}

HEAPSCAPE_WINDOW_TEST(RedactDialogTest)

}  // namespace heapscape::gui

#include "tst_redact_dialog.moc"
