// SPDX-License-Identifier: MIT
#include <unistd.h>
#include <QAction>
#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>

#include "app/files/running_dialog.h"
#include "app/window_actions.h"
#include "engine/capture/seeming_runtime.h"
#include "support/builders/nettrace_builder.h"
#include "support/dump_path.h"
#include "support/patience.h"
#include "support/window_driver.h"
#include "support/window_test.h"

namespace heapscape::gui {

using engine::DiagnosticCommand;
using heapscape::test::FileBytes;
using heapscape::test::NettraceBuilder;
using heapscape::test::SeemingConnection;
using heapscape::test::SeemingRequest;
using heapscape::test::SeemingRuntime;

/// The list of running programs in the real window; the program that runs is this one, which listens as a runtime does.
class RunningDialogTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void init();
  void cleanup();
  void isOfferedOnTheStartPage();
  void listsProgramsWithWhatTheirRuntimesSay();
  void saysWhyOneCannotBeAsked();
  void opensTheDump();
  void comparesTheSecondDumpWithTheFirst();
  void keepsACopyWithoutContents();
  void saysWhyThereIsNoDump();
  void givesUpADumpThatIsCancelled();
  void closesWhileADumpIsWritten();
  void isDrawn_data();
  void isDrawn();

 private:
  enum class Behaviour { Dumps, Refuses, Hangs };

  RunningDialog* openDialog();
  QTreeWidgetItem* ownItem(const RunningDialog* dialog) const;
  template <class Part>
  static Part* partOf(const QWidget* dialog, const char* name) {
    return dialog->findChild<Part*>(QString::fromLatin1(name));
  }
  QString file(const QString& name) const { return m_folder->filePath(name); }
  int filesWritten() const {
    return static_cast<int>(QDir(file(QStringLiteral("dumps"))).entryList(QDir::Files).size());
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<test::WindowDriver> m_driver;
  std::unique_ptr<SeemingRuntime> m_runtime;
  std::atomic<Behaviour> m_behaviour = Behaviour::Dumps;
  QByteArray m_temporaryBefore;
};

namespace {

std::string startOfThisProcess() {
  std::ifstream stat("/proc/self/stat");
  const std::string text{std::istreambuf_iterator<char>(stat), {}};
  std::istringstream words(text.substr(text.rfind(')') + 1));
  std::string word;
  for (int number = 3; number <= 22; ++number) words >> word;
  return word;
}

}  // namespace

void RunningDialogTest::initTestCase() {
  test::dressApplication();
}

void RunningDialogTest::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_temporaryBefore = qgetenv("TMPDIR");
  qputenv("TMPDIR", QFile::encodeName(m_folder->path()));
  QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("dumps")));
  m_behaviour = Behaviour::Dumps;
  const std::filesystem::path dump = heapscape::test::dumpPath("shop-10");
  const QString socket = QStringLiteral("dotnet-diagnostic-%1-%2-socket")
                             .arg(::getpid())
                             .arg(QString::fromStdString(startOfThisProcess()));
  m_runtime = std::make_unique<SeemingRuntime>(
      QFile::encodeName(file(socket)).toStdString(),
      [this, dump](const SeemingRequest& request, const SeemingConnection& connection) {
        if (request.command == DiagnosticCommand::CollectTracing2) {
          connection.answer(FileBytes(8));
          connection.send(NettraceBuilder().counter("gc-heap-size", 12.5, "MB").bytes());
          return connection.stayOpen();
        }
        if (request.command != DiagnosticCommand::GenerateCoreDump3) return connection.answer(request.payload);
        if (m_behaviour == Behaviour::Refuses)
          return connection.refuse(0x80004005, "[createdump] Error writing: No space left on device (28)");
        if (m_behaviour == Behaviour::Hangs) return connection.stayOpen();
        std::filesystem::copy_file(dump, request.dumpPath());
        connection.answer(FileBytes(4));
      });
  m_driver = std::make_unique<test::WindowDriver>();
}

void RunningDialogTest::cleanup() {
  m_driver.reset();
  m_runtime.reset();
  m_temporaryBefore.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", m_temporaryBefore);
}

QTreeWidgetItem* RunningDialogTest::ownItem(const RunningDialog* dialog) const {
  const auto* list = partOf<QTreeWidget>(dialog, "runningList");
  const auto found = list->findItems(QString::number(::getpid()), Qt::MatchExactly, 1);
  return found.isEmpty() ? nullptr : found.front();
}

RunningDialog* RunningDialogTest::openDialog() {
  m_driver->window().actions().running->trigger();
  auto* dialog = m_driver->window().findChild<RunningDialog*>();
  if (!dialog || !QTest::qWaitFor([&] { return ownItem(dialog) != nullptr; }, test::kPatienceMs)) return nullptr;
  partOf<QTreeWidget>(dialog, "runningList")->setCurrentItem(ownItem(dialog));
  return dialog;
}

void RunningDialogTest::isOfferedOnTheStartPage() {
  auto* button = m_driver->window().findChild<QPushButton*>(QStringLiteral("running"));
  QVERIFY(button);
  button->click();
  QVERIFY(m_driver->window().findChild<RunningDialog*>());
}

void RunningDialogTest::listsProgramsWithWhatTheirRuntimesSay() {
  RunningDialog* dialog = openDialog();
  QVERIFY(dialog);
  const QTreeWidgetItem* item = ownItem(dialog);
  QCOMPARE(item->text(0), QStringLiteral("shop"));
  QCOMPARE(item->text(2), QStringLiteral("10.0.12"));
  QCOMPARE(item->text(3), QStringLiteral("?"));
  QCOMPARE(item->text(4), QStringLiteral("11.9 MB"));
  QCOMPARE(item->text(6), QStringLiteral("dotnet shop.dll"));
  QVERIFY(partOf<QPushButton>(dialog, "runningDump")->isEnabled());
  QVERIFY(partOf<QPushButton>(dialog, "runningRefresh")->isEnabled());
  partOf<QPushButton>(dialog, "runningRefresh")->click();
  QVERIFY(!partOf<QPushButton>(dialog, "runningRefresh")->isEnabled());
  QTRY_VERIFY(partOf<QPushButton>(dialog, "runningRefresh")->isEnabled());
  QVERIFY(ownItem(dialog)->isSelected());
}

void RunningDialogTest::saysWhyOneCannotBeAsked() {
  m_runtime.reset();  // nobody listens at the socket any more
  RunningDialog* dialog = openDialog();
  QVERIFY(dialog);
  QCOMPARE(ownItem(dialog)->text(2), QStringLiteral("?"));
  QVERIFY(!partOf<QPushButton>(dialog, "runningDump")->isEnabled());
  QVERIFY(partOf<QLabel>(dialog, "runningNote")->text().contains(QStringLiteral("Nobody listens")));
}

void RunningDialogTest::opensTheDump() {
  RunningDialog* dialog = openDialog();
  QVERIFY(dialog);
  const QString path = file(QStringLiteral("dumps/shop.core"));
  dialog->capture(path);
  QVERIFY(dialog->isWriting());
  QTRY_VERIFY(m_driver->window().bridge().snapshot() && m_driver->window().bridge().isAtRest());
  QCOMPARE(m_driver->window().bridge().path(), path);
  QVERIFY(!m_driver->window().findChild<RunningDialog*>());
}

void RunningDialogTest::comparesTheSecondDumpWithTheFirst() {
  opensTheDump();
  RunningDialog* dialog = openDialog();
  QVERIFY(dialog);
  dialog->capture(file(QStringLiteral("dumps/second.core")));
  QTRY_COMPARE(m_driver->window().navigator().location().place, PlaceId::Compare);
  QCOMPARE(m_driver->window().bridge().path(), file(QStringLiteral("dumps/shop.core")));
  QTRY_VERIFY(test::shows(m_driver->window(), QStringLiteral("second.core")));
}

void RunningDialogTest::keepsACopyWithoutContents() {
  RunningDialog* dialog = openDialog();
  QVERIFY(dialog);
  partOf<QCheckBox>(dialog, "runningWithoutContents")->setChecked(true);
  dialog->capture(file(QStringLiteral("dumps/shop.core")));
  QTRY_VERIFY(m_driver->window().bridge().snapshot() && m_driver->window().bridge().isAtRest());
  QCOMPARE(filesWritten(), 1);
  QVERIFY(QFileInfo(file(QStringLiteral("dumps/shop.core"))).size() <
          static_cast<qint64>(std::filesystem::file_size(heapscape::test::dumpPath("shop-10"))) / 2);
}

void RunningDialogTest::saysWhyThereIsNoDump() {
  m_behaviour = Behaviour::Refuses;
  RunningDialog* dialog = openDialog();
  QVERIFY(dialog);
  dialog->capture(file(QStringLiteral("dumps/shop.core")));
  QTRY_VERIFY(!dialog->isWriting());
  QVERIFY(partOf<QLabel>(dialog, "runningNote")->text().contains(QStringLiteral("has no room for the dump")));
  QCOMPARE(filesWritten(), 0);
}

void RunningDialogTest::givesUpADumpThatIsCancelled() {
  m_behaviour = Behaviour::Hangs;
  RunningDialog* dialog = openDialog();
  QVERIFY(dialog);
  dialog->capture(file(QStringLiteral("dumps/shop.core")));
  QTRY_VERIFY(m_runtime->commands().back() == DiagnosticCommand::GenerateCoreDump3);
  partOf<QPushButton>(dialog, "runningClose")->click();
  QVERIFY(!dialog->isWriting());
  QVERIFY(partOf<QPushButton>(dialog, "runningDump")->isEnabled());
  m_behaviour = Behaviour::Dumps;
  dialog->capture(file(QStringLiteral("dumps/shop.core")));
  QTRY_VERIFY(m_driver->window().bridge().snapshot());
}

void RunningDialogTest::closesWhileADumpIsWritten() {
  m_behaviour = Behaviour::Hangs;
  RunningDialog* dialog = openDialog();
  QVERIFY(dialog);
  dialog->capture(file(QStringLiteral("dumps/shop.core")));
  m_driver.reset();
  QCOMPARE(filesWritten(), 0);
}

void RunningDialogTest::isDrawn_data() {
  QTest::addColumn<Theme>("theme");
  QTest::newRow("light") << Theme::Light;
  QTest::newRow("dark") << Theme::Dark;
}

void RunningDialogTest::isDrawn() {
  QFETCH(const Theme, theme);
  m_behaviour = Behaviour::Hangs;
  m_driver->window().setTheme(theme);
  RunningDialog* dialog = openDialog();
  QVERIFY(dialog);
  const QDir folder(qEnvironmentVariable("HEAPSCAPE_SCREENSHOTS", m_folder->path()));
  const QString name = QString::fromLatin1(QTest::currentDataTag());
  QVERIFY(dialog->grab().save(folder.filePath(QStringLiteral("running-list-%1.png").arg(name))));
  dialog->capture(file(QStringLiteral("dumps/shop.core")));
  QVERIFY(dialog->grab().save(folder.filePath(QStringLiteral("running-writing-%1.png").arg(name))));
  m_driver->window().setTheme(Theme::Light);
}

HEAPSCAPE_WINDOW_TEST(RunningDialogTest)

}  // namespace heapscape::gui

#include "tst_running_dialog.moc"
