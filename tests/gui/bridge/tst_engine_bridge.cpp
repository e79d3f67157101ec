// SPDX-License-Identifier: MIT
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <memory>
#include <random>

#include "session/cache/answer_cache.h"
#include "support/dumps.h"
#include "support/opened_bridge.h"
#include "support/own_process.h"
#include "support/patience.h"
#include "support/window_test.h"

namespace heapscape::gui {

namespace {

constexpr int kPromptly = 100;

}  // namespace

class EngineBridgeTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void stagesArriveInOrderAndProgressNeverGoesBack();
  void cancelAnswersWithin100Milliseconds();
  void theEngineThreadIsFreeWithin100MillisecondsOfCancel();
  void openingASecondDumpReplacesTheFirst();
  void openingASecondDumpWhileTheFirstIsOpeningShowsOnlyTheSecond();
  void theMemoryOfAReplacedDumpIsReleased();
  void closingReleasesTheMemory();
  void aHundredOpeningsAndClosingsLeaveNothingBehind();
  void aFileThatIsNoDumpFailsWithASentence();
  void aFailedOpeningLeavesNoSnapshot();
  void aBridgeCanGoAwayWhileADumpIsOpening();
  void retainedSizesFollowByThemselves();
  void otherRootsBringOtherRetainedSizes();
  void stoppedRetainedSizesCanBeComputedLater();
  void retainedSizesOfAReplacedDumpNeverArrive();
  void whatWasFoundIsThereTheNextTime();
  void aBridgeCanGoAwayWhileItWritesWhatIsToBeKept();

 private:
  QTemporaryDir m_folder;
  QString m_slowDump;
};

void EngineBridgeTest::initTestCase() {
  m_slowDump = m_folder.filePath(QStringLiteral("slow.core.zst"));
  QVERIFY(test::writeSlowDump(m_slowDump));
}

void EngineBridgeTest::retainedSizesFollowByThemselves() {
  EngineBridge bridge;
  std::vector<engine::Stage> stages;
  std::vector<double> fractions;
  connect(&bridge, &EngineBridge::stageReady, this, [&](const engine::Snapshot& s) { stages.push_back(s.stage()); });
  connect(&bridge, &EngineBridge::retainedProgressed, this,
          [&](const engine::Progress& p) { fractions.push_back(p.fraction); });
  QVERIFY(openAndWait(bridge, smallDump()));
  QCOMPARE(bridge.retainedState(), RetainedState::Computing);
  QVERIFY(waitForRetained(bridge));
  QVERIFY(bridge.snapshot()->has(engine::Stage::Retained));
  QVERIFY(bridge.snapshot()->retainedTotals().reachableObjects > 0);
  QCOMPARE(stages.back(), engine::Stage::Retained);
  QCOMPARE(stages[stages.size() - 2], engine::Stage::References);
  QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
}

void EngineBridgeTest::otherRootsBringOtherRetainedSizes() {
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, smallDump()));
  QVERIFY(waitForRetained(bridge));
  const std::size_t all = bridge.snapshot()->roots().roots.size();
  bridge.computeRetained({.includeStacks = false, .only = {}});
  QCOMPARE(bridge.retainedState(), RetainedState::Computing);
  QCOMPARE(bridge.snapshot()->roots().roots.size(), all);  // shown until the others are there
  QVERIFY(waitForRetained(bridge));
  QVERIFY(bridge.snapshot()->roots().roots.size() < all);
  QVERIFY(!bridge.snapshot()->rootOptions().includeStacks);
}

void EngineBridgeTest::stoppedRetainedSizesCanBeComputedLater() {
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, smallDump()));
  bridge.stopRetained();
  QCOMPARE(bridge.retainedState(), RetainedState::Stopped);
  QTest::qWait(100);
  QVERIFY(!bridge.snapshot()->has(engine::Stage::Retained));
  bridge.computeRetained(bridge.rootOptions());
  QVERIFY(waitForRetained(bridge));
}

void EngineBridgeTest::retainedSizesOfAReplacedDumpNeverArrive() {
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, smallDump()));
  QVERIFY(openAndWait(bridge, otherDump()));
  QVERIFY(waitForRetained(bridge));
  QCOMPARE(bridge.snapshot()->summary().dump.path, otherDump().toStdString());
}

namespace {

bool hasTiming(const engine::Snapshot& snapshot, const char* stage) {
  return std::ranges::any_of(snapshot.timings(), [&](const auto& timing) { return timing.stage == stage; });
}

std::shared_ptr<const engine::AnswerCache> cacheIn(const QTemporaryDir& folder) {
  return std::make_shared<const engine::AnswerCache>(folder.filePath(QStringLiteral("kept")).toStdString(),
                                                     engine::CacheLimits{.leastSeconds = 0});
}

}  // namespace

void EngineBridgeTest::whatWasFoundIsThereTheNextTime() {
  const QTemporaryDir folder;
  const auto cache = cacheIn(folder);
  EngineBridge first;
  first.setCache(cache);
  QVERIFY(openAndWait(first, smallDump()));
  QVERIFY(waitForRetained(first));
  QVERIFY(!hasTiming(*first.snapshot(), "reopening"));
  QTRY_COMPARE(cache->use().files, std::size_t{2});  // retained sizes, and those by type
  EngineBridge second;
  second.setCache(cache);
  QVERIFY(openAndWait(second, smallDump()));
  QVERIFY(waitForRetained(second));
  QVERIFY(hasTiming(*second.snapshot(), "reopening"));
  QVERIFY(!hasTiming(*second.snapshot(), "dominators"));
  QCOMPARE(second.snapshot()->retainedTotals().reachableBytes, first.snapshot()->retainedTotals().reachableBytes);
}

void EngineBridgeTest::aBridgeCanGoAwayWhileItWritesWhatIsToBeKept() {
  const QTemporaryDir folder;
  const auto cache = cacheIn(folder);
  for (int i = 0; i < 5; ++i) {
    EngineBridge bridge;
    bridge.setCache(cache);
    QVERIFY(openAndWait(bridge, smallDump()));
    QVERIFY(waitForRetained(bridge));
    cache->clear();
  }
  for (const QFileInfo& file : QDir(folder.filePath(QStringLiteral("kept"))).entryInfoList(QDir::Files))
    QCOMPARE(file.suffix(), QStringLiteral("kept"));
}

void EngineBridgeTest::stagesArriveInOrderAndProgressNeverGoesBack() {
  EngineBridge bridge;
  std::vector<engine::Stage> stages;
  std::vector<double> fractions;
  connect(&bridge, &EngineBridge::stageReady, this, [&](const engine::Snapshot& s) { stages.push_back(s.stage()); });
  connect(&bridge, &EngineBridge::progressed, this,
          [&](const engine::Progress& p) { fractions.push_back(p.fraction); });
  QVERIFY(openAndWait(bridge, smallDump()));
  const std::vector<engine::Stage> expected{engine::Stage::Summary, engine::Stage::Segments, engine::Stage::Objects,
                                            engine::Stage::Layouts};
  QVERIFY(stages == expected);
  QVERIFY(fractions.size() > 3);
  QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
  QVERIFY(!bridge.isOpening());
  QCOMPARE(bridge.path(), smallDump());
}

void EngineBridgeTest::cancelAnswersWithin100Milliseconds() {
  EngineBridge bridge;
  QSignalSpy cancelled(&bridge, &EngineBridge::openCancelled);
  QSignalSpy progressed(&bridge, &EngineBridge::progressed);
  bridge.open(m_slowDump);
  QVERIFY(progressed.wait(kEngineBridgePatience));
  QElapsedTimer timer;
  timer.start();
  bridge.cancel();
  QTRY_COMPARE_WITH_TIMEOUT(cancelled.count(), 1, kPromptly);
  QVERIFY(timer.elapsed() < kPromptly);
  QVERIFY(!bridge.isOpening());
  QVERIFY(!bridge.snapshot());
}

void EngineBridgeTest::theEngineThreadIsFreeWithin100MillisecondsOfCancel() {
  // The fastest of several, so that a busy machine does not count.
  qint64 fastest = kEngineBridgePatience;
  for (int attempt = 0; attempt < 5 && fastest >= kPromptly; ++attempt) {
    EngineBridge bridge;
    QSignalSpy progressed(&bridge, &EngineBridge::progressed);
    QSignalSpy failed(&bridge, &EngineBridge::openFailed);
    bridge.open(m_slowDump);
    QVERIFY(progressed.wait(kEngineBridgePatience));
    QElapsedTimer timer;
    timer.start();
    bridge.cancel();
    bridge.open(QStringLiteral("/no/such/file"));
    QVERIFY(failed.wait(kEngineBridgePatience));
    fastest = std::min(fastest, timer.elapsed());
  }
  QVERIFY2(fastest < kPromptly, qPrintable(QStringLiteral("%1 ms").arg(fastest)));
}

void EngineBridgeTest::openingASecondDumpReplacesTheFirst() {
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, smallDump()));
  QVERIFY(bridge.snapshot()->summary().runtime.version.starts_with("10."));
  QVERIFY(openAndWait(bridge, otherDump()));
  QVERIFY(bridge.snapshot()->summary().runtime.version.starts_with("8."));
}

void EngineBridgeTest::openingASecondDumpWhileTheFirstIsOpeningShowsOnlyTheSecond() {
  EngineBridge bridge;
  QSignalSpy progressed(&bridge, &EngineBridge::progressed);
  QSignalSpy failed(&bridge, &EngineBridge::openFailed);
  QSignalSpy cancelled(&bridge, &EngineBridge::openCancelled);
  std::vector<std::string> versions;
  connect(&bridge, &EngineBridge::stageReady, this,
          [&](const engine::Snapshot& s) { versions.push_back(s.summary().runtime.version); });
  bridge.open(m_slowDump);
  QVERIFY(progressed.wait(kEngineBridgePatience));
  QVERIFY(openAndWait(bridge, otherDump()));
  QCOMPARE(versions.size(), std::size_t{4});
  for (const std::string& version : versions) QVERIFY(version.starts_with("8."));
  QCOMPARE(failed.count() + cancelled.count(), 0);
}

void EngineBridgeTest::theMemoryOfAReplacedDumpIsReleased() {
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, smallDump()));
  QCOMPARE(test::mappedDumps(), 1);
  QVERIFY(openAndWait(bridge, otherDump()));
  QTRY_COMPARE(test::mappedDumps(), 1);
}

void EngineBridgeTest::closingReleasesTheMemory() {
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, smallDump()));
  QSignalSpy closed(&bridge, &EngineBridge::closed);
  bridge.close();
  QCOMPARE(closed.count(), 1);
  QVERIFY(!bridge.snapshot());
  QTRY_COMPARE(test::mappedDumps(), 0);
}

void EngineBridgeTest::aHundredOpeningsAndClosingsLeaveNothingBehind() {
  constexpr int kTimes = 100;
  constexpr int kFirst = 20;  // which fill caches of libraries and the allocator's arenas
  const QString path = m_folder.filePath(QStringLiteral("often.core"));
  QVERIFY(test::writePlainDump(path));
  EngineBridge bridge;
  QSignalSpy finished(&bridge, &EngineBridge::openFinished);
  QSignalSpy cancelled(&bridge, &EngineBridge::openCancelled);
  std::mt19937 random(20241101);
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  for (int i = 0; i < kTimes; ++i) {
    if (i == kFirst) {
      files = heapscape::test::openFiles();
      bytes = heapscape::test::residentBytes();
    }
    bridge.open(path);
    // By turns: closed while it opens, cancelled, closed while it finds out who holds what, closed when all is there.
    switch (i % 4) {
      case 0:
        QTest::qWait(static_cast<int>(random() % 20));
        break;
      case 1:
        QTest::qWait(static_cast<int>(random() % 20));
        bridge.cancel();
        break;
      case 2:
        QTRY_VERIFY_WITH_TIMEOUT(!bridge.isOpening(), kEngineBridgePatience);
        break;
      default:
        QVERIFY(waitForRetained(bridge));
    }
    bridge.close();
    QVERIFY(!bridge.snapshot());
  }
  QVERIFY(finished.count() >= kTimes / 2);
  QTRY_VERIFY_WITH_TIMEOUT(heapscape::test::openFiles() <= files, kEngineBridgePatience);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  constexpr std::uint64_t kMostGrowth = 24 << 20;
  QTRY_VERIFY_WITH_TIMEOUT(heapscape::test::residentBytes() <= bytes + kMostGrowth, kEngineBridgePatience);
#else
  (void)bytes;
#endif
}

void EngineBridgeTest::aFileThatIsNoDumpFailsWithASentence() {
  EngineBridge bridge;
  std::optional<engine::Error> error;
  connect(&bridge, &EngineBridge::openFailed, this, [&](const engine::Error& e) { error = e; });
  bridge.open(QStringLiteral("/proc/self/exe"));
  QTRY_VERIFY_WITH_TIMEOUT(error.has_value(), kEngineBridgePatience);
  QVERIFY(!error->what.empty());
  QVERIFY(!error->help.empty());
}

void EngineBridgeTest::aFailedOpeningLeavesNoSnapshot() {
  EngineBridge bridge;
  QVERIFY(openAndWait(bridge, smallDump()));
  QSignalSpy failed(&bridge, &EngineBridge::openFailed);
  bridge.open(QStringLiteral("/no/such/file"));
  QVERIFY(failed.wait(kEngineBridgePatience));
  QVERIFY(!bridge.snapshot());
  QVERIFY(bridge.path().isEmpty());
  QTRY_COMPARE(test::mappedDumps(), 0);
}

void EngineBridgeTest::aBridgeCanGoAwayWhileADumpIsOpening() {
  QElapsedTimer timer;
  {
    EngineBridge bridge;
    QSignalSpy progressed(&bridge, &EngineBridge::progressed);
    bridge.open(m_slowDump);
    QVERIFY(progressed.wait(kEngineBridgePatience));
    timer.start();
  }
  QVERIFY(timer.elapsed() < 10 * kPromptly);
  QCoreApplication::processEvents();
}

HEAPSCAPE_WINDOW_TEST(EngineBridgeTest)

}  // namespace heapscape::gui

#include "tst_engine_bridge.moc"
