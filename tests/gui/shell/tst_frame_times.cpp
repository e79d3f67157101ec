// SPDX-License-Identifier: MIT
#include <QEventLoop>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "bridge/frame_times/frame_meter.h"
#include "bridge/frame_times/frame_report.h"
#include "support/dumps.h"
#include "support/patience.h"
#include "support/window_test.h"

namespace heapscape::gui {

namespace {

constexpr int kOneLoop = 1;

FramePart part(QEvent::Type event, const char* receiver = "QWidget") {
  return {.event = event, .receiver = receiver, .name = {}};
}

FrameTime at(double milliseconds) {
  return {.wall = milliseconds, .processor = milliseconds / 2};
}

}  // namespace

class FrameTimesTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aFrameGoesFromItsFirstEventToThePaint();
  void aPauseEndsAFrame();
  void whatTakesMostOfAFrameIsNamedWithoutWhatItLedTo();
  void anEventWithALoopOfItsOwnIsNotCounted();
  void figuresAreOfTheFramesThatWereTaken();
  void theProgramWritesItsFrames();
};

void FrameTimesTest::aFrameGoesFromItsFirstEventToThePaint() {
  FrameMeter meter;
  meter.begin(part(QEvent::MetaCall), kOneLoop, at(0));
  meter.end(at(1));
  meter.begin(part(QEvent::KeyPress), kOneLoop, at(1.1));
  meter.end(at(4.1));
  meter.begin(part(QEvent::UpdateRequest), kOneLoop, at(4.2));
  meter.begin(part(QEvent::Paint), kOneLoop, at(4.2));
  meter.end(at(9.2));
  meter.end(at(10.2));
  meter.begin(part(QEvent::Timer), kOneLoop, at(10.3));
  meter.end(at(11.3));
  const FrameTimes times = meter.take();
  QCOMPARE(times.frames.size(), std::size_t{2});
  QVERIFY(times.frames[0].cause == QEvent::KeyPress);  // not the answer before it
  QVERIFY(times.frames[0].hasPainted);
  QCOMPARE(times.frames[0].time.wall, 1 + 3 + 6.0);
  QCOMPARE(times.frames[0].time.processor, 5.0);
  QCOMPARE(times.firstPaint.wall, 10.2);
  QVERIFY(times.frames[1].cause == QEvent::Timer);
  QVERIFY(!times.frames[1].hasPainted);
}

void FrameTimesTest::aPauseEndsAFrame() {
  FrameMeter meter;
  meter.begin(part(QEvent::MouseMove), kOneLoop, at(0));
  meter.end(at(3));
  meter.begin(part(QEvent::Timer), kOneLoop, at(20));
  meter.end(at(24));
  const FrameTimes times = meter.take();
  QCOMPARE(times.frames.size(), std::size_t{2});
  QCOMPARE(times.frames[0].time.wall, 3.0);
  QCOMPARE(times.frames[1].time.wall, 4.0);
}

void FrameTimesTest::whatTakesMostOfAFrameIsNamedWithoutWhatItLedTo() {
  FrameMeter meter;
  meter.begin(part(QEvent::UpdateRequest, "QWidgetWindow"), kOneLoop, at(0));
  meter.begin(part(QEvent::Paint, "SegmentMap"), kOneLoop, at(1));
  meter.end(at(13));
  meter.begin(part(QEvent::Paint, "QLabel"), kOneLoop, at(13));
  meter.end(at(14));
  meter.end(at(15));
  const FrameTimes times = meter.take();
  QCOMPARE(times.frames.size(), std::size_t{1});
  QCOMPARE(times.frames[0].costliest.text(), QStringLiteral("Paint of SegmentMap"));
  QCOMPARE(times.frames[0].ofCostliest.wall, 12.0);
  QCOMPARE(times.parts.at(part(QEvent::UpdateRequest, "QWidgetWindow")).at(0).wall, 2.0);
}

void FrameTimesTest::anEventWithALoopOfItsOwnIsNotCounted() {
  FrameMeter meter;
  meter.begin(part(QEvent::MouseButtonPress, "QToolButton"), kOneLoop, at(0));
  meter.begin(part(QEvent::MouseMove, "QMenu"), kOneLoop + 1, at(5000));
  meter.end(at(5002));
  meter.end(at(9000));
  const FrameTimes times = meter.take();
  QCOMPARE(times.frames.size(), std::size_t{1});
  QCOMPARE(times.frames[0].time.wall, 2.0);
}

void FrameTimesTest::figuresAreOfTheFramesThatWereTaken() {
  std::vector<FrameTime> times;
  for (int i = 1; i <= 101; ++i) times.push_back({.wall = 2.0 * i, .processor = static_cast<double>(i)});
  const FrameFigures figures = FrameFigures::of(times);
  QCOMPARE(figures.count, std::size_t{101});
  QCOMPARE(figures.median.processor, 51.0);
  QCOMPARE(figures.p99.processor, 100.0);
  QCOMPARE(figures.longest.wall, 202.0);
  QCOMPARE(figures.over, std::size_t{101 - 16});
  QCOMPARE(FrameFigures::of({}).count, std::size_t{0});
}

void FrameTimesTest::theProgramWritesItsFrames() {
  const QTemporaryDir home;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
  QProcess program;
  program.setProcessEnvironment(environment);
  program.start(
      QStringLiteral(HEAPSCAPE_WINDOW),
      {QStringLiteral("--frame-times"), home.filePath(QStringLiteral("frames")), QStringLiteral("--screenshot"),
       home.filePath(QStringLiteral("shot.png")), test::dataFile(QStringLiteral("shop-10.core.zst"))});
  QVERIFY(program.waitForFinished(test::kPatienceMs));
  QCOMPARE(program.exitCode(), 0);
  QFile file(home.filePath(QStringLiteral("frames")));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
  QVERIFY(lines.at(1).startsWith(QStringLiteral("first paint after\t")));
  QVERIFY(lines.at(1).section(QLatin1Char('\t'), 1, 1).toDouble() > 0);
  for (const char* heading : {"frames by their first event", "longest frames", "parts"})
    QCOMPARE(lines.filter(QLatin1String(heading)).size(), 1);
  QVERIFY(!lines.filter(QStringLiteral("Paint of ")).isEmpty());
}

HEAPSCAPE_WINDOW_TEST(FrameTimesTest)

}  // namespace heapscape::gui

#include "tst_frame_times.moc"
