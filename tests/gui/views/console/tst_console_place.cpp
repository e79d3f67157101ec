// SPDX-License-Identifier: MIT
// The console with its process, on small dumps: answers, links, stops, ends, history and completion.
#include <QAction>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <csignal>

#include "session/objects/object_query.h"
#include "support/menu_choice.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/console/answer_view.h"
#include "views/console/command_edit.h"
#include "views/console/console_place.h"
#include "views/console/examples_page.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"

namespace heapscape::gui {

namespace {

using State = ConsoleShell::State;

const QString kDump = QStringLiteral("shop-10");

struct ConsoleScene : test::PlaceScene<ConsolePlace> {
  ConsoleScene() : PlaceScene(PlaceId::Console) {}

  bool openDump() { return open(test::dumpFile(kDump)); }
  CommandEdit& command() { return *part<CommandEdit>("consoleCommand"); }
  AnswerView& answers() { return *part<AnswerView>("consoleAnswers"); }
  QString state() { return part<ElidedText>("consoleState")->text(); }

  void enter(const QString& line) {
    command().setFocus();
    QTest::keyClicks(&command(), line);
    QTest::keyClick(&command(), Qt::Key_Return);
  }
  bool waitUntilIdle() {
    return QTest::qWaitFor([this] { return place.shell().state() == State::Idle; }, test::kPatienceMs);
  }
  bool answer(const QString& line) {
    const std::uint64_t before = place.transcript().end();
    enter(line);
    const auto isAnswered = [&] { return place.transcript().end() > before && place.shell().state() == State::Idle; };
    return QTest::qWaitFor(isAnswered, test::kPatienceMs);
  }

  QStringList lines(LineKind kind) {
    QStringList lines;
    for (std::uint64_t at = place.transcript().begin(); at < place.transcript().end(); ++at) {
      if (place.transcript().line(at).kind == kind) lines << QString::fromUtf8(place.transcript().line(at).text);
    }
    return lines;
  }
  /// The first line with this in it.
  std::uint64_t lineWith(const QString& part, std::uint64_t from = 0) {
    for (std::uint64_t at = std::max(from, place.transcript().begin()); at < place.transcript().end(); ++at) {
      if (QString::fromUtf8(place.transcript().line(at).text).contains(part)) return at;
    }
    return place.transcript().end();
  }
  /// Clicks the first link of a line, once it is known to be one.
  bool clickLink(std::uint64_t line, std::size_t link = 0) {
    answers().showOnTop(line);
    if (!QTest::qWaitFor([&] { return answers().linksOf(line).size() > link; }, test::kPatienceMs)) return false;
    const QRectF rect = answers().wordRect(line, answers().linksOf(line)[link]);
    QTest::mouseClick(answers().viewport(), Qt::LeftButton, {}, rect.center().toPoint());
    return true;
  }
};

bool isAlive(qint64 process) {
  return ::kill(static_cast<pid_t>(process), 0) == 0;
}

QStringList completionsShown(QWidget& window) {
  QStringList shown;
  const auto* list = window.findChild<QListWidget*>(QStringLiteral("completions"));
  for (int row = 0; list && list->isVisible() && row < list->count(); ++row) shown << list->item(row)->text();
  return shown;
}

}  // namespace

class ConsolePlaceTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void init();
  void cleanupTestCase() { m_scene.reset(); }

  void nothingIsStartedBeforeItIsUsed();
  void anAnswerStandsBelowItsCommandAsTheCommandLineGivesIt();
  void anExampleRunsByAClick();
  void addressesAreLinksToWhatTheyBelongTo();
  void linksAreFollowedByKeysAlone();
  void theMenuOfAnAddressRunsCommandsAboutIt();
  void aStopEndsTheCommandAndNotTheProcess();
  void aFloodIsBoundedAndSaysSo();
  void whatGoesWrongIsSaid();
  void commandsThatWaitRunInTheirOrder();
  void earlierCommandsComeBack();
  void wordsAreCompletedWithWhatTheyDo();
  void argumentsAreCompletedByTheShell();
  void aKilledProcessIsSaidAndCanBeStartedAgain();
  void exitEndsAndTheNextCommandStartsAnew();
  void aMissingProgramIsSaid();
  void aProcessThatCannotOpenTheDumpSaysWhy();
  void otherRootsOpenTheDumpAnew();
  void theProcessEndsWithTheDump();
  void theProcessEndsWithThePlace();
  void textIsFound();
  void outputIsClearedAndCopied();
  void everyPartHasAName();

 private:
  ConsoleScene& scene() { return *m_scene; }

  std::unique_ptr<ConsoleScene> m_scene;
};

void ConsolePlaceTest::initTestCase() {
  test::dressApplication();
  QVERIFY2(QFile::exists(ConsoleShell::usualProgram()), qPrintable(ConsoleShell::usualProgram()));
  m_scene = std::make_unique<ConsoleScene>();
  QVERIFY(scene().openDump());
}

void ConsolePlaceTest::init() {
  if (scene().place.shell().state() == State::Running) QVERIFY(scene().waitUntilIdle());
  scene().command().clear();
  scene().part<QToolButton>("consoleClear")->click();
  scene().navigator.reset(PlaceId::Console);
  scene().place.activateWindow();
}

void ConsolePlaceTest::nothingIsStartedBeforeItIsUsed() {
  ConsoleScene fresh;
  QVERIFY(fresh.openDump());
  QTest::qWait(300);
  QCOMPARE(fresh.place.shell().processId(), qint64{0});
  QVERIFY(test::shows(fresh.place, QStringLiteral("opens the dump once more")));
  fresh.command().setFocus();
  QTest::keyClicks(&fresh.command(), QStringLiteral("i"));
  QTRY_VERIFY(fresh.place.shell().processId() > 0);
  QVERIFY2(fresh.state().contains(QStringLiteral("Opening the dump once more")), qPrintable(fresh.state()));
  QVERIFY(fresh.waitUntilIdle());
}

void ConsolePlaceTest::anAnswerStandsBelowItsCommandAsTheCommandLineGivesIt() {
  const QString line = QStringLiteral("dumpheap -stat -type Catalog.OrderLine");
  QVERIFY(scene().answer(line));
  QCOMPARE(scene().lines(LineKind::Command), QStringList{line});
  QProcess alone;
  alone.start(ConsoleShell::usualProgram(),
              {QStringLiteral("shell"), test::dumpFile(kDump), QStringLiteral("-c"), line});
  QVERIFY(alone.waitForFinished(test::kPatienceMs));
  QStringList expected = QString::fromUtf8(alone.readAllStandardOutput()).split(QLatin1Char('\n'));
  if (expected.last().isEmpty()) expected.removeLast();
  QVERIFY(expected.size() > 3);
  QStringList shown = scene().lines(LineKind::Answer);
  // A person at the window is told of our own verb for more.
  QVERIFY(shown.size() > expected.size() && shown[expected.size()].startsWith(QStringLiteral("more: ")));
  QCOMPARE(shown.mid(0, expected.size()), expected);
  QCOMPARE(scene().place.transcript().line(scene().place.transcript().begin()).kind, LineKind::Command);
}

void ConsolePlaceTest::anExampleRunsByAClick() {
  auto* page = scene().part<ExamplesPage>("consoleExamples");
  QVERIFY(page->isVisible());
  QAbstractButton* info = nullptr;
  for (auto* button : page->findChildren<QAbstractButton*>()) {
    if (button->text() == QStringLiteral("info")) info = button;
  }
  QVERIFY(info);
  info->click();
  QTRY_VERIFY(!scene().lines(LineKind::Answer).isEmpty() && scene().place.shell().state() == State::Idle);
  QCOMPARE(scene().lines(LineKind::Command), QStringList{QStringLiteral("info")});
  QVERIFY(!page->isVisible());
}

void ConsolePlaceTest::addressesAreLinksToWhatTheyBelongTo() {
  QVERIFY(scene().answer(QStringLiteral("dumpheap -type Catalog.OrderLine")));
  const std::uint64_t heading = scene().lineWith(QStringLiteral("MT"));
  const std::uint64_t first = heading + 1;
  const std::string written = scene().place.transcript().line(first).text.trimmed().split(' ').front().toStdString();
  engine::Address object;
  QVERIFY2(engine::tryParseAddress(written, object), written.c_str());
  QVERIFY(scene().clickLink(first));
  QCOMPARE(scene().navigator.location().selection.object.value, object.value);
  const engine::Address type = scene().navigator.location().selection.methodTable;
  QVERIFY(type);
  QCOMPARE(scene().navigator.location().place, PlaceId::Console);  // the inspector shows it beside
  // The method table in the second column; the size in the third is no address.
  QCOMPARE(scene().answers().linksOf(first).size(), std::size_t{2});
  QVERIFY(scene().clickLink(first, 1));
  QVERIFY(!scene().navigator.location().selection.object);
  QCOMPARE(scene().navigator.location().selection.methodTable.value, type.value);
  // A thread is no selection: it is told of.
  QVERIFY(scene().answer(QStringLiteral("clrthreads")));
  const std::uint64_t threads = scene().lineWith(QStringLiteral("ThreadOBJ"));
  QVERIFY(threads < scene().place.transcript().end());
  QSignalSpy told(&scene().navigator, &Navigator::thingPicked);
  QVERIFY(scene().clickLink(threads + 1));
  QCOMPARE(told.size(), 1);
  QCOMPARE(told[0][0].value<PickedThing>().kind, QStringLiteral("Thread"));
}

void ConsolePlaceTest::linksAreFollowedByKeysAlone() {
  QVERIFY(scene().answer(QStringLiteral("dumpheap -type Catalog.OrderLine")));
  const std::uint64_t first = scene().lineWith(QStringLiteral("MT")) + 1;
  AnswerView& answers = scene().answers();
  answers.showOnTop(first - 1);
  QTRY_VERIFY(!answers.linksOf(first).empty());
  answers.setFocus();
  answers.goToItem(static_cast<std::size_t>(first - 1 - scene().place.transcript().begin()));
  QTest::keyClick(&answers, Qt::Key_Right);
  QVERIFY(answers.currentLink());
  QCOMPARE(answers.currentLine().value(), first);
  QTest::keyClick(&answers, Qt::Key_Return);
  QCOMPARE(scene().navigator.location().selection.object.value, answers.currentLink()->address.value);
  QVERIFY(answers.itemText(*answers.currentItem()).facts.join(QLatin1Char(' ')).contains(QStringLiteral("OrderLine")));
  QTest::keyClick(&answers, Qt::Key_Right);
  QTest::keyClick(&answers, Qt::Key_Return);
  QVERIFY(!scene().navigator.location().selection.object);
  // What is typed there goes to the line of commands.
  QTest::keyClicks(&answers, QStringLiteral("h"));
  QCOMPARE(scene().command().text(), QStringLiteral("h"));
}

void ConsolePlaceTest::theMenuOfAnAddressRunsCommandsAboutIt() {
  QVERIFY(scene().answer(QStringLiteral("dumpheap -type Catalog.OrderLine")));
  const std::uint64_t first = scene().lineWith(QStringLiteral("MT")) + 1;
  QVERIFY(scene().clickLink(first));
  const AddressWord word = scene().answers().linksOf(first)[0];
  const QPoint at = scene().answers().wordRect(first, word).center().toPoint();
  const QString written =
      QString::fromUtf8(scene().place.transcript().line(first).text).trimmed().section(QLatin1Char(' '), 0, 0);
  const auto openMenu = [&] {
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, scene().answers().viewport()->mapToGlobal(at));
    QApplication::sendEvent(scene().answers().viewport(), &event);
  };
  for (const char* command : {"dumpobj", "gcroot"}) {
    const QString line = QString::fromLatin1(command) + QLatin1Char(' ') + written;
    scene().answers().showOnTop(first);
    QVERIFY2(test::chooseFromMenu(openMenu, line), qPrintable(line));
    QTRY_VERIFY(scene().lines(LineKind::Command).contains(line) && scene().place.shell().state() == State::Idle);
  }
  QVERIFY(scene().lineWith(QStringLiteral("Catalog.OrderLine"), scene().lineWith(QStringLiteral("dumpobj "))) <
          scene().place.transcript().end());
}

void ConsolePlaceTest::aStopEndsTheCommandAndNotTheProcess() {
  QVERIFY(scene().answer(QStringLiteral("segments")));
  const qint64 process = scene().place.shell().processId();
  // All memory from the first object on: minutes of output.
  const engine::Address start = scene().snapshot().segments().front().objects.start;
  scene().enter(QStringLiteral("bytes %1 --bytes 99999999999999").arg(QString::fromStdString(toString(start))));
  QTRY_VERIFY(scene().place.transcript().size() > 2000);
  QCOMPARE(scene().part<QPushButton>("consoleRun")->text(), QStringLiteral("Stop"));
  QTest::keyClick(&scene().command(), Qt::Key_C, Qt::ControlModifier);
  QTRY_COMPARE(scene().place.shell().state(), State::Idle);
  QVERIFY(scene().lines(LineKind::Note).last().startsWith(QStringLiteral("Stopped after")));
  QCOMPARE(scene().place.shell().processId(), process);
  QVERIFY(scene().answer(QStringLiteral("eeversion")));
  QVERIFY(scene().lines(LineKind::Answer).join(QLatin1Char('\n')).contains(QStringLiteral("10.0")));
  // By the button, and at once after the first stop.
  scene().enter(QStringLiteral("bytes %1 --bytes 99999999999999").arg(QString::fromStdString(toString(start))));
  QTRY_COMPARE(scene().place.shell().state(), State::Running);
  scene().part<QPushButton>("consoleRun")->click();
  QTRY_COMPARE(scene().place.shell().state(), State::Idle);
  QCOMPARE(scene().place.shell().processId(), process);
}

void ConsolePlaceTest::aFloodIsBoundedAndSaysSo() {
  const engine::Address start = scene().snapshot().segments().front().objects.start;
  scene().enter(QStringLiteral("bytes %1 --bytes 99999999999999").arg(QString::fromStdString(toString(start))));
  auto* gone = scene().place.findChild<Banner*>();
  QTRY_VERIFY(gone->isVisible());
  scene().part<QPushButton>("consoleRun")->click();
  QVERIFY(scene().waitUntilIdle());
  QVERIFY(scene().place.transcript().gone() > 0);
  QVERIFY2(gone->accessibleName().contains(QStringLiteral("10 MB")), qPrintable(gone->accessibleName()));
  std::size_t bytes = 0;
  for (std::uint64_t at = scene().place.transcript().begin(); at < scene().place.transcript().end(); ++at)
    bytes += static_cast<std::size_t>(scene().place.transcript().line(at).text.size());
  QVERIFY(bytes <= Transcript::kMostBytes);
  QVERIFY(bytes > Transcript::kMostBytes / 2 || scene().place.transcript().size() == Transcript::kMostLines);
  QCOMPARE(scene().answers().topLine() + static_cast<std::uint64_t>(scene().answers().rowsInView()),
           scene().place.transcript().end());
  scene().part<QToolButton>("consoleClear")->click();
  QVERIFY(!gone->isVisible());
}

void ConsolePlaceTest::whatGoesWrongIsSaid() {
  QVERIFY(scene().answer(QStringLiteral("nonsense")));
  QCOMPARE(scene().lines(LineKind::Message), QStringList{QStringLiteral("There is no command 'nonsense'. Try help.")});
  QTRY_VERIFY2(scene().state().contains(QStringLiteral("status 1")), qPrintable(scene().state()));
  QVERIFY(scene().answer(QStringLiteral("segments | wc -l")));
  QVERIFY(
      scene().lines(LineKind::Message).last().contains(QStringLiteral("only in lines that are typed at a terminal")));
}

void ConsolePlaceTest::commandsThatWaitRunInTheirOrder() {
  for (const char* line : {"segments", "generations", "eeversion"}) scene().enter(QString::fromLatin1(line));
  QTRY_COMPARE(scene().lines(LineKind::Command).size(), 3);
  QVERIFY(scene().waitUntilIdle());
  QCOMPARE(scene().lines(LineKind::Command),
           (QStringList{QStringLiteral("segments"), QStringLiteral("generations"), QStringLiteral("eeversion")}));
  const std::uint64_t second = scene().lineWith(QStringLiteral("generations"));
  QVERIFY(scene().place.transcript().line(second - 1).kind == LineKind::Answer);
}

void ConsolePlaceTest::earlierCommandsComeBack() {
  for (const char* line : {"segments", "eeversion"}) QVERIFY(scene().answer(QString::fromLatin1(line)));
  CommandEdit& command = scene().command();
  QCOMPARE(command.text(), QString());
  QTest::keyClicks(&command, QStringLiteral("dump"));
  QTest::keyClick(&command, Qt::Key_Up);
  QCOMPARE(command.text(), QStringLiteral("eeversion"));
  QTest::keyClick(&command, Qt::Key_Up);
  QCOMPARE(command.text(), QStringLiteral("segments"));
  QTest::keyClick(&command, Qt::Key_Down);
  QTest::keyClick(&command, Qt::Key_Down);
  QCOMPARE(command.text(), QStringLiteral("dump"));
  // Another dump has the same history.
  const QStringList before = command.history();
  scene().place.clear();
  QCOMPARE(command.history(), before);
}

void ConsolePlaceTest::wordsAreCompletedWithWhatTheyDo() {
  CommandEdit& command = scene().command();
  command.setFocus();
  QTest::keyClicks(&command, QStringLiteral("dumphe"));
  QTest::keyClick(&command, Qt::Key_Tab);
  QTRY_COMPARE(command.text(), QStringLiteral("dumpheap "));
  command.clear();
  QTest::keyClicks(&command, QStringLiteral("dump"));
  QTest::keyClick(&command, Qt::Key_Tab);
  QTRY_VERIFY(completionsShown(scene().place).contains(QStringLiteral("dumpobj")));
  const QStringList shown = completionsShown(scene().place);
  QVERIFY(shown.size() > 5);
  for (const QString& word : shown) QVERIFY2(word.startsWith(QStringLiteral("dump")), qPrintable(word));
  const auto* list = scene().place.findChild<QListWidget*>(QStringLiteral("completions"));
  for (int row = 0; row < list->count(); ++row) {
    const QListWidgetItem& item = *list->item(row);
    QVERIFY2(item.toolTip().startsWith(item.text() + QLatin1Char('\n')), qPrintable(item.toolTip()));
    QVERIFY(item.toolTip().size() > item.text().size() + 2);
  }
  QTest::keyClicks(&command, QStringLiteral("o"));
  QTRY_COMPARE(completionsShown(scene().place).filter(QStringLiteral("dumpheap")).size(), 0);
  QTest::keyClick(&command, Qt::Key_Down);
  QTest::keyClick(&command, Qt::Key_Return);
  QCOMPARE(command.text(), QStringLiteral("dumpobj "));
  QVERIFY(completionsShown(scene().place).isEmpty());
  QVERIFY(scene().lines(LineKind::Command).isEmpty());
  // Verbs too; and Tab leaves a line in which nothing stands.
  command.clear();
  QTest::keyClicks(&command, QStringLiteral("retai"));
  QTest::keyClick(&command, Qt::Key_Tab);
  QTRY_COMPARE(command.text(), QStringLiteral("retained "));
  command.clear();
  QTest::keyClick(&command, Qt::Key_Tab);
  QVERIFY(!command.hasFocus());
}

void ConsolePlaceTest::argumentsAreCompletedByTheShell() {
  CommandEdit& command = scene().command();
  command.setFocus();
  QTest::keyClicks(&command, QStringLiteral("dumpheap -st"));
  QTest::keyClick(&command, Qt::Key_Tab);
  QTRY_VERIFY2(command.text().startsWith(QStringLiteral("dumpheap -st")) &&
                   (completionsShown(scene().place).contains(QStringLiteral("-stat")) ||
                    command.text() == QStringLiteral("dumpheap -stat ")),
               qPrintable(command.text()));
  command.setText({});
  QTest::keyClicks(&command, QStringLiteral("dumpheap -type Catalog.OrderL"));
  QTest::keyClick(&command, Qt::Key_Tab);
  QTRY_VERIFY(command.text().startsWith(QStringLiteral("dumpheap -type Catalog.OrderLine")));
  QTest::keyClick(&command, Qt::Key_Escape);
  command.setText({});
  QTest::keyClicks(&command, QStringLiteral("types --ret"));
  QTest::keyClick(&command, Qt::Key_Tab);
  QTRY_COMPARE(command.text(), QStringLiteral("types --retained "));
  // A name with blanks stands in quotation marks, also where it is completed further.
  command.setText({});
  QTest::keyClicks(&command, QStringLiteral("type System.Collections.Generic.Dictionary<System.Int32"));
  QTest::keyClick(&command, Qt::Key_Tab);
  QTRY_VERIFY(command.text().startsWith(QStringLiteral("type \"System.Collections.Generic.Dictionary<System.Int32, ")));
  QTest::keyClick(&command, Qt::Key_Escape);
}

void ConsolePlaceTest::aKilledProcessIsSaidAndCanBeStartedAgain() {
  QVERIFY(scene().answer(QStringLiteral("eeversion")));
  const qint64 process = scene().place.shell().processId();
  auto* again = scene().part<QPushButton>("consoleAgain");
  QVERIFY(!again->isVisible());
  ::kill(static_cast<pid_t>(process), SIGKILL);
  QTRY_VERIFY(again->isVisible());
  QVERIFY2(scene().state().contains(QStringLiteral("was killed")), qPrintable(scene().state()));
  QVERIFY(!scene().lines(LineKind::Answer).isEmpty());  // what was answered is still there
  again->click();
  QVERIFY(scene().waitUntilIdle());
  QVERIFY(!again->isVisible());
  QVERIFY(scene().place.shell().processId() != process);
  QVERIFY(scene().answer(QStringLiteral("segments")));
}

void ConsolePlaceTest::exitEndsAndTheNextCommandStartsAnew() {
  QVERIFY(scene().answer(QStringLiteral("eeversion")));
  scene().enter(QStringLiteral("exit"));
  QTRY_VERIFY(scene().part<QPushButton>("consoleAgain")->isVisible());
  QVERIFY(scene().state().contains(QStringLiteral("has ended")));
  QVERIFY(scene().answer(QStringLiteral("eeversion")));
  QVERIFY(!scene().part<QPushButton>("consoleAgain")->isVisible());
}

void ConsolePlaceTest::aMissingProgramIsSaid() {
  ConsoleScene fresh;
  QVERIFY(fresh.openDump());
  fresh.place.setProgram(QStringLiteral("/nowhere/heapscape-cli"));
  fresh.enter(QStringLiteral("info"));
  QVERIFY2(fresh.state().contains(QStringLiteral("/nowhere/heapscape-cli is missing")), qPrintable(fresh.state()));
  QVERIFY(fresh.part<QPushButton>("consoleAgain")->isVisible());
  fresh.place.setProgram(ConsoleShell::usualProgram());
  fresh.part<QPushButton>("consoleAgain")->click();
  QVERIFY(fresh.waitUntilIdle());
}

void ConsolePlaceTest::aProcessThatCannotOpenTheDumpSaysWhy() {
  QTemporaryDir folder;
  const QString copy = folder.filePath(QStringLiteral("gone.core"));
  QVERIFY(QFile::copy(test::dumpFile(kDump), copy));
  ConsoleScene fresh;
  QVERIFY(fresh.open(copy));
  QVERIFY(QFile::remove(copy));
  fresh.enter(QStringLiteral("info"));
  QTRY_VERIFY(fresh.part<QPushButton>("consoleAgain")->isVisible());
  QVERIFY2(fresh.state().contains(QStringLiteral("could not open the dump")), qPrintable(fresh.state()));
  QVERIFY(fresh.lines(LineKind::Message).join(QLatin1Char(' ')).contains(QStringLiteral("gone.core")));
}

void ConsolePlaceTest::otherRootsOpenTheDumpAnew() {
  ConsoleScene fresh;
  QVERIFY(fresh.openUntilRetained(test::dumpFile(kDump)));
  QVERIFY(fresh.answer(QStringLiteral("eeversion")));
  const qint64 process = fresh.place.shell().processId();
  engine::RootOptions exact;
  exact.includeInexact = false;
  fresh.bridge.computeRetained(exact);
  QTRY_COMPARE(fresh.bridge.retainedState(), RetainedState::Ready);
  fresh.enter(QStringLiteral("segments"));
  QTRY_VERIFY(fresh.lines(LineKind::Command).size() == 2 && fresh.place.shell().state() == State::Idle);
  QVERIFY(fresh.place.shell().processId() != process);
  QVERIFY(fresh.lines(LineKind::Note).last().contains(QStringLiteral("opened anew")));
  QFile arguments(QStringLiteral("/proc/%1/cmdline").arg(fresh.place.shell().processId()));
  QVERIFY(arguments.open(QIODevice::ReadOnly));
  QVERIFY(arguments.readAll().split('\0').contains("--exact"));
}

void ConsolePlaceTest::theProcessEndsWithTheDump() {
  QVERIFY(scene().answer(QStringLiteral("eeversion")));
  const qint64 process = scene().place.shell().processId();
  QVERIFY(isAlive(process));
  scene().place.clear();
  QTRY_VERIFY(!isAlive(process));
  QVERIFY(scene().place.transcript().isEmpty());
  QVERIFY(!scene().part<QPushButton>("consoleAgain")->isVisible());
}

void ConsolePlaceTest::theProcessEndsWithThePlace() {
  qint64 process = 0;
  {
    ConsoleScene fresh;
    QVERIFY(fresh.openDump());
    QVERIFY(fresh.answer(QStringLiteral("eeversion")));
    process = fresh.place.shell().processId();
    QVERIFY(isAlive(process));
  }
  QVERIFY(!isAlive(process));
}

void ConsolePlaceTest::textIsFound() {
  QVERIFY(scene().answer(QStringLiteral("types --top 200")));
  auto* search = scene().part<QLineEdit>("consoleSearch");
  search->setFocus();
  QTest::keyClicks(search, QStringLiteral("catalog.orderline"));
  QTRY_COMPARE(QString::fromUtf8(scene().answers().selectedText()), QStringLiteral("Catalog.OrderLine"));
  const auto first = scene().answers().currentLine();
  QTest::keyClick(search, Qt::Key_Return);
  QTRY_VERIFY(scene().answers().currentLine() != first);
  QTest::keyClick(search, Qt::Key_Return, Qt::ShiftModifier);
  QTRY_COMPARE(scene().answers().currentLine(), first);
  search->setText(QStringLiteral("no such words"));
  QTRY_COMPARE(scene().part<ElidedText>("consoleSearched")->text(), QStringLiteral("Not in the output"));
  QTest::keyClick(search, Qt::Key_Escape);
  QVERIFY(search->text().isEmpty());
  QVERIFY(scene().answers().hasFocus());
}

void ConsolePlaceTest::outputIsClearedAndCopied() {
  QVERIFY(scene().answer(QStringLiteral("eeversion")));
  scene().answers().setFocus();
  QTest::keyClick(&scene().answers(), Qt::Key_A, Qt::ControlModifier);
  QVERIFY(scene().answers().hasSelection());
  QVERIFY(scene().answers().selectedText().startsWith("> eeversion\n"));
  QCOMPARE(scene().answers().selectedText().count('\n') + 1, static_cast<qsizetype>(scene().place.transcript().size()));
  scene().part<QToolButton>("consoleClear")->click();
  QVERIFY(scene().place.transcript().isEmpty());
  QVERIFY(scene().part<ExamplesPage>("consoleExamples")->isVisible());
  QVERIFY(!scene().part<QToolButton>("consoleSave")->isEnabled());
}

void ConsolePlaceTest::everyPartHasAName() {
  for (const char* name : {"consoleCommand", "consoleAnswers", "consoleSearch", "consoleSave", "consoleClear"})
    QVERIFY2(!scene().part<QWidget>(name)->accessibleName().isEmpty(), name);
  for (auto* example : scene().part<ExamplesPage>("consoleExamples")->findChildren<QAbstractButton*>())
    QVERIFY(!example->accessibleName().isEmpty() && !example->accessibleDescription().isEmpty());
}

HEAPSCAPE_WINDOW_TEST(ConsolePlaceTest)

}  // namespace heapscape::gui

#include "tst_console_place.moc"
