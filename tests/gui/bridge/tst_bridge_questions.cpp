// SPDX-License-Identifier: MIT
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <atomic>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "support/dumps.h"
#include "support/opened_bridge.h"
#include "support/test_assembly.h"
#include "support/window_test.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

class BridgeQuestionsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void questionsAreAnsweredOnTheGuiThread();
  void aNewerQuestionOnTheSameChannelReplacesTheOlder();
  void answersOfADumpThatWasReplacedNeverArrive();
  void anAnswerForAReceiverThatIsGoneIsDropped();
  void aQueryThatRunsOutOfMemoryAnswersWithAnError();
  void aLongQuestionTellsHowFarItIsAndDoesNotKeepOthersWaiting();
  void aStoppedQuestionIsNeverAnswered();
  void aDumpThatIsShortenedGetsAFindingWithTheNextAnswer();
  void layoutsCanBeAskedOfADumpAndOfAnAssembly();
  void whatIsNotOpenIsNeverAsked();
};

void BridgeQuestionsTest::questionsAreAnsweredOnTheGuiThread() {
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, smallDump()));
  QThread* asked = nullptr;
  std::atomic<bool> ranElsewhere = false;
  QThread* const gui = QThread::currentThread();
  std::size_t types = 0;
  bridge.ask(
      this, "types",
      [&ranElsewhere, gui](const engine::Snapshot& snapshot, std::stop_token) {
        ranElsewhere = QThread::currentThread() != gui;
        return snapshot.types().size();
      },
      [&](std::size_t answer) {
        asked = QThread::currentThread();
        types = answer;
      });
  QTRY_VERIFY(asked != nullptr);
  QCOMPARE(asked, gui);
  QVERIFY(ranElsewhere);
  QCOMPARE(types, bridge.snapshot()->types().size());
}

void BridgeQuestionsTest::aNewerQuestionOnTheSameChannelReplacesTheOlder() {
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, smallDump()));
  QStringList answers;
  const auto untilStopped = [](const engine::Snapshot&, std::stop_token stop) {
    QElapsedTimer timer;
    timer.start();
    while (!stop.stop_requested() && timer.elapsed() < kEngineBridgePatience) QThread::msleep(1);
    return stop.stop_requested();
  };
  bridge.ask(this, "same", untilStopped, [&](bool) { answers << QStringLiteral("older"); });
  bridge.ask(
      this, "same", [](const engine::Snapshot&, std::stop_token) { return true; },
      [&](bool) { answers << QStringLiteral("newer"); });
  bridge.ask(
      this, "other", [](const engine::Snapshot&, std::stop_token) { return true; },
      [&](bool) { answers << QStringLiteral("other"); });
  QTRY_VERIFY(answers.contains(QStringLiteral("other")));
  QCOMPARE(answers, QStringList({QStringLiteral("newer"), QStringLiteral("other")}));
}

void BridgeQuestionsTest::answersOfADumpThatWasReplacedNeverArrive() {
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, smallDump()));
  bool arrived = false;
  bridge.ask(
      this, "late", [](const engine::Snapshot&, std::stop_token) { return 1; }, [&](int) { arrived = true; });
  // The answer is waiting for the GUI thread, or will be, when the next dump takes over.
  QThread::msleep(50);
  QVERIFY(openAndWait(bridge, otherDump()));
  QTest::qWait(50);
  QVERIFY(!arrived);
}

void BridgeQuestionsTest::anAnswerForAReceiverThatIsGoneIsDropped() {
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, smallDump()));
  auto receiver = std::make_unique<QObject>();
  bool arrived = false;
  bridge.ask(
      receiver.get(), "gone", [](const engine::Snapshot&, std::stop_token) { return 1; }, [&](int) { arrived = true; });
  receiver.reset();
  bool marker = false;
  bridge.ask(
      this, "after", [](const engine::Snapshot&, std::stop_token) { return 1; }, [&](int) { marker = true; });
  QTRY_VERIFY(marker);
  QVERIFY(!arrived);
}

void BridgeQuestionsTest::aQueryThatRunsOutOfMemoryAnswersWithAnError() {
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, smallDump()));
  std::optional<engine::Error> error;
  bridge.ask(
      this, "memory",
      [](const engine::Snapshot& snapshot, std::stop_token) -> engine::Result<int> {
        if (snapshot.has(engine::Stage::Summary)) throw std::bad_alloc();
        return 1;
      },
      [&](const engine::Result<int>& answer) { error = answer.error(); });
  QTRY_VERIFY(error.has_value());
  QCOMPARE(error->code, engine::ErrorCode::NotEnoughMemory);
  QVERIFY(QString::fromStdString(error->what).contains(QStringLiteral("memory")));
}

void BridgeQuestionsTest::aLongQuestionTellsHowFarItIsAndDoesNotKeepOthersWaiting() {
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, smallDump()));
  auto mayEnd = std::make_shared<std::atomic<bool>>(false);
  std::vector<double> heard;
  int answer = 0;
  bool isShortAnswered = false;
  bridge.askLong(
      this, "long",
      [mayEnd](const engine::Snapshot&, engine::ProgressSink* progress, std::stop_token stop) {
        progress->progressed({.activity = "counting", .fraction = 0.5});
        while (!*mayEnd && !stop.stop_requested()) QThread::msleep(1);
        return 7;
      },
      [&](const engine::Progress& progress) {
        QCOMPARE(QThread::currentThread(), thread());
        heard.push_back(progress.fraction);
      },
      [&](int value) { answer = value; });
  bridge.ask(
      this, "short", [](const engine::Snapshot&, std::stop_token) { return 1; },
      [&](int) {
        isShortAnswered = true;
        *mayEnd = true;
      });
  QTRY_COMPARE_WITH_TIMEOUT(answer, 7, kEngineBridgePatience);
  QVERIFY(isShortAnswered);
  QVERIFY(heard == std::vector<double>{0.5});
}

void BridgeQuestionsTest::aStoppedQuestionIsNeverAnswered() {
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, smallDump()));
  bool isAnswered = false;
  bool isTold = false;
  bridge.askLong(
      this, "long",
      [](const engine::Snapshot&, engine::ProgressSink* progress, std::stop_token stop) {
        while (!stop.stop_requested()) QThread::msleep(1);
        progress->progressed({.activity = "too late", .fraction = 1});
        return 7;
      },
      [&](const engine::Progress&) { isTold = true; }, [&](int) { isAnswered = true; });
  bridge.stopAsking(this, "long");
  bridge.stopAsking(this, "never asked");
  QTest::qWait(100);
  QVERIFY(!isAnswered && !isTold);
}

void BridgeQuestionsTest::aDumpThatIsShortenedGetsAFindingWithTheNextAnswer() {
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("shortened.core"));
  QVERIFY(test::writePlainDump(path));
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, path));
  QVERIFY(waitForRetained(bridge));
  const std::size_t before = bridge.snapshot()->findings().size();
  const auto ask = [&] {
    bool isAnswered = false;
    bridge.ask(
        this, "question", [](const engine::Snapshot& snapshot, std::stop_token) { return snapshot.findings().size(); },
        [&](std::size_t) { isAnswered = true; });
    return QTest::qWaitFor([&] { return isAnswered; }, kEngineBridgePatience);
  };
  QVERIFY(ask());
  QCOMPARE(bridge.snapshot()->findings().size(), before);
  QVERIFY(QFile::resize(path, 5000));
  QSignalSpy stages(&bridge, &EngineBridge::stageReady);
  QVERIFY(ask());
  QVERIFY(ask());
  QCOMPARE(stages.count(), 1);
  QCOMPARE(bridge.snapshot()->findings().size(), before + 1);
  QCOMPARE(bridge.snapshot()->findings().back().kind, engine::FindingKind::FileChanged);
}

HEAPSCAPE_WINDOW_TEST(BridgeQuestionsTest)

void BridgeQuestionsTest::layoutsCanBeAskedOfADumpAndOfAnAssembly() {
  const heapscape::test::TestAssembly zoo("LayoutZoo1");
  for (const QString& file : {smallDump(), fromEngine(zoo.path().string())}) {
    EngineBridge bridge;
    bridge.open(file);
    QTRY_VERIFY(!bridge.isOpening() && bridge.hasLayouts());
    std::optional<bool> isOfDump;
    std::optional<bool> isOfDumpLong;
    bridge.ask(
        this, "layouts",
        [](const engine::DeclaredLayouts& layouts, std::stop_token) -> engine::Result<bool> {
          return layouts.isOfDump();
        },
        [&](const engine::Result<bool>& answer) { isOfDump = answer.value(); });
    bridge.askLong(
        this, "long layouts",
        [](const engine::DeclaredLayouts& layouts, engine::ProgressSink*, std::stop_token) -> engine::Result<bool> {
          return layouts.isOfDump();
        },
        [](const engine::Progress&) {}, [&](const engine::Result<bool>& answer) { isOfDumpLong = answer.value(); });
    QTRY_VERIFY(isOfDump && isOfDumpLong);
    QCOMPARE(*isOfDump, !bridge.isAssembly());
    QCOMPARE(*isOfDumpLong, !bridge.isAssembly());
  }
}

void BridgeQuestionsTest::whatIsNotOpenIsNeverAsked() {
  const heapscape::test::TestAssembly zoo("LayoutZoo1");
  EngineBridge bridge;
  int answers = 0;
  const auto ofLayouts = [](const engine::DeclaredLayouts&, std::stop_token) -> engine::Result<bool> { return true; };
  bridge.ask(this, "layouts", ofLayouts, [&](const engine::Result<bool>&) { ++answers; });
  bridge.open(fromEngine(zoo.path().string()));
  QTRY_VERIFY(bridge.hasLayouts());
  QVERIFY(!bridge.snapshot());
  bridge.ask(
      this, "dump", [](const engine::Snapshot&, std::stop_token) { return true; }, [&](bool) { ++answers; });
  QVERIFY(bridge.isAtRest());
  bool isComputed = false;
  bridge.compute(
      this, "sorting", [](std::stop_token) { return true; }, [&](bool answer) { isComputed = answer; });
  QTRY_VERIFY(isComputed);
  QCOMPARE(answers, 0);
}

}  // namespace heapscape::gui

#include "tst_bridge_questions.moc"
