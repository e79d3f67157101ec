// SPDX-License-Identifier: MIT
#include <QLocale>
#include <QPalette>
#include <QTest>

#include "support/window_test.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

class FiguresTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
  void bytesHaveThreeDigits_data();
  void bytesHaveThreeDigits();
  void sharesAreWholeOnlyWhereTheyAre_data();
  void sharesAreWholeOnlyWhereTheyAre();
  void countsAreGrouped();
  void longNamesBreakBetweenTheirWordsAndFiguresNowhere();
  void namesShowWhatCannotBeSeen();
  void freeBlocksAreNotCountedAsObjects();
  void generationsAreCalledAsInQueries();
  void everyGenerationHasAColourOfItsOwnInLightAndDark();
  void textReadsOnEveryDataColour();
};

void FiguresTest::bytesHaveThreeDigits_data() {
  QTest::addColumn<quint64>("bytes");
  QTest::addColumn<QString>("text");
  QTest::newRow("none") << quint64{0} << QStringLiteral("0 B");
  QTest::newRow("under a kilobyte") << quint64{1023} << QStringLiteral("1,023 B");
  QTest::newRow("a kilobyte") << quint64{1024} << QStringLiteral("1.00 KB");
  QTest::newRow("rounds up to two digits") << quint64{10235} << QStringLiteral("10.0 KB");
  QTest::newRow("rounds up to three digits") << quint64{102380} << QStringLiteral("100 KB");
  QTest::newRow("rounds up to the next unit") << quint64{1024 * 1024 - 1} << QStringLiteral("1.00 MB");
  QTest::newRow("megabytes") << quint64{1499462} << QStringLiteral("1.43 MB");
  QTest::newRow("gigabytes") << (quint64{15} << 30) << QStringLiteral("15.0 GB");
  QTest::newRow("the most there is") << ~quint64{0} << QStringLiteral("16.0 EB");
}

void FiguresTest::bytesHaveThreeDigits() {
  QFETCH(quint64, bytes);
  QTEST(bytesText(bytes), "text");
}

void FiguresTest::sharesAreWholeOnlyWhereTheyAre_data() {
  QTest::addColumn<quint64>("part");
  QTest::addColumn<quint64>("whole");
  QTest::addColumn<QString>("text");
  QTest::newRow("nothing") << quint64{0} << quint64{10} << QStringLiteral("0%");
  QTest::newRow("nothing of nothing") << quint64{0} << quint64{0} << QStringLiteral("0%");
  QTest::newRow("hardly any") << quint64{1} << quint64{1000000} << QStringLiteral("<0.1%");
  QTest::newRow("some") << quint64{123} << quint64{1000} << QStringLiteral("12.3%");
  QTest::newRow("nearly all") << quint64{999999} << quint64{1000000} << QStringLiteral(">99.9%");
  QTest::newRow("all") << quint64{7} << quint64{7} << QStringLiteral("100%");
}

void FiguresTest::sharesAreWholeOnlyWhereTheyAre() {
  QFETCH(quint64, part);
  QFETCH(quint64, whole);
  QTEST(percentText(part, whole), "text");
}

void FiguresTest::countsAreGrouped() {
  QCOMPARE(countText(24052), QStringLiteral("24,052"));
  QCOMPARE(exactBytesText(1500000), QStringLiteral("1,500,000 bytes"));
  QCOMPARE(exactBytesText(1), QStringLiteral("1 byte"));
  QCOMPARE(addressText({0x7f4c59812340}), QStringLiteral("0x7f4c59812340"));
}

void FiguresTest::longNamesBreakBetweenTheirWordsAndFiguresNowhere() {
  const auto parts = [](const char* text) { return breakableText(QString::fromLatin1(text)).split(QChar(0x200B)); };
  QCOMPARE(parts("ready 10.0.12"), QStringList{QStringLiteral("ready 10.0.12")});
  QCOMPARE(parts("1,500,000 bytes"), QStringList{QStringLiteral("1,500,000 bytes")});
  QCOMPARE(parts("GCSettings.LargeObjectHeapCompactionMode"),
           (QStringList{QStringLiteral("GCSettings."), QStringLiteral("LargeObjectHeap"),
                        QStringLiteral("CompactionMode")}));
  for (const QString& part : parts("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz")) QVERIFY(part.size() <= 24);
}

void FiguresTest::namesShowWhatCannotBeSeen() {
  QCOMPARE(fromEngine("Zoo.Café"), QStringLiteral("Zoo.Café"));
  QCOMPARE(fromEngine("a\nb"), QStringLiteral("a\\nb"));
  QCOMPARE(fromEngine(std::string("a\0b", 3)), QStringLiteral("a\\0b"));
  QCOMPARE(fromEngine("safe\u202Egpj.exe"), QStringLiteral("safe\\u202egpj.exe"));
}

void FiguresTest::freeBlocksAreNotCountedAsObjects() {
  const HeapFigures figures = heapFigures({.objects = 10, .bytes = 1000, .freeObjects = 3, .freeBytes = 400});
  QCOMPARE(figures.objects, std::uint64_t{7});
  QCOMPARE(figures.bytes, std::uint64_t{600});
  QCOMPARE(figures.freeBytes, std::uint64_t{400});
}

void FiguresTest::generationsAreCalledAsInQueries() {
  for (const engine::Generation generation : engine::kGenerations)
    QCOMPARE(generationText(generation), QString::fromLatin1(engine::toString(generation)));
  QCOMPARE(generationText(engine::Generation::Gen2), QStringLiteral("gen2"));
  QCOMPARE(segmentKindText(engine::SegmentKind::Ephemeral), QStringLiteral("ephemeral"));
}

void FiguresTest::everyGenerationHasAColourOfItsOwnInLightAndDark() {
  for (const QColor& window : {QColor(Qt::white), QColor(Qt::black)}) {
    const Colours colours{QPalette(window)};
    QCOMPARE(colours.isDark, window == QColor(Qt::black));
    QSet<QRgb> seen;
    for (const engine::Generation generation : engine::kGenerations) seen << colours.of(generation).rgb();
    QCOMPARE(seen.size(), static_cast<qsizetype>(engine::kGenerationCount));
    QVERIFY(!seen.contains(colours.warning().rgb()));
  }
}

void FiguresTest::textReadsOnEveryDataColour() {
  QCOMPARE(Colours::textOn(Qt::white), QColor(Qt::black));
  QCOMPARE(Colours::textOn(Qt::black), QColor(Qt::white));
  QCOMPARE(Colours::textOn(QColor(0xF0, 0xB3, 0x3A)), QColor(Qt::black));
}

HEAPSCAPE_WINDOW_TEST(FiguresTest)

}  // namespace heapscape::gui

#include "tst_figures.moc"
