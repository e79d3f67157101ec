// SPDX-License-Identifier: MIT
#include <QApplication>
#include <QDir>
#include <QImage>
#include <QScrollBar>
#include <QSet>
#include <QTableView>
#include <QTest>
#include <algorithm>

#include "app/place_info.h"
#include "app/window_actions.h"
#include "bridge/sample_dump.h"
#include "session/objects/object_query.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/console/console_place.h"

namespace heapscape::gui {

/// Visits every place of the real window with the sample open, in every theme and in three sizes, and keeps the
/// pictures: in the folder that HEAPSCAPE_SCREENSHOTS names, else in the build folder. Those of 1440 × 900 go into the
/// README.
class ScreenshotsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void aPlaceIsDrawn_data();
  void aPlaceIsDrawn();
  void theSmallestAndTheLargestWindowAreDrawn_data();
  void theSmallestAndTheLargestWindowAreDrawn();
  void cleanupTestCase() { m_driver.reset(); }

 private:
  QImage take(PlaceId place, const QString& name);
  void pickSomething();
  /// What the console answers is the picture of it.
  bool runCommands();

  Selection m_type;
  Selection m_object;
  std::unique_ptr<test::WindowDriver> m_driver;
  QDir m_folder;
};

namespace {

constexpr int kFewestColours = 24;

QSet<QRgb> coloursOf(const QImage& image) {
  QSet<QRgb> colours;
  for (int y = 0; y < image.height(); y += 2) {
    for (int x = 0; x < image.width(); x += 2) colours << image.pixel(x, y);
  }
  return colours;
}

}  // namespace

void ScreenshotsTest::initTestCase() {
  const QString named = qEnvironmentVariable("HEAPSCAPE_SCREENSHOTS");
  m_folder = QDir(named.isEmpty() ? QStringLiteral(HEAPSCAPE_SCREENSHOTS_FOLDER) : named);
  QVERIFY(m_folder.mkpath(QStringLiteral(".")));
  m_driver = std::make_unique<test::WindowDriver>();
  QVERIFY(!sampleDumpPath().isEmpty());
  QVERIFY(m_driver->openAndWait(sampleDumpPath()));
  pickSomething();
}

// The type of the sample's own that takes up most, so that no picture is without a selection.
void ScreenshotsTest::pickSomething() {
  const engine::Snapshot& snapshot = *m_driver->window().bridge().snapshot();
  const std::vector<engine::TypeRow>& types = snapshot.types();
  std::size_t best = types.size();
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i].isFree || types[i].name.starts_with("System.") || types[i].name.ends_with("[]")) continue;
    if (best == types.size() || snapshot.typeCounts().bytes[i] > snapshot.typeCounts().bytes[best]) best = i;
  }
  QVERIFY(best < types.size());
  m_type = {.object = {}, .methodTable = types[best].methodTable, .segment = {}};
  m_driver->window().navigator().select(m_type);
  engine::ObjectFilter filter;
  filter.type = engine::TypeId{static_cast<std::uint32_t>(best)};
  const auto objects = engine::listObjects(snapshot, filter, 0, 1);
  QCOMPARE(objects.size(), std::size_t{1});
  m_object = {.object = objects[0].address, .methodTable = m_type.methodTable, .segment = objects[0].segment};
}

bool ScreenshotsTest::runCommands() {
  auto& console = static_cast<ConsolePlace&>(*m_driver->window().place(PlaceId::Console));
  const auto isIdle = [&] { return console.shell().state() == ConsoleShell::State::Idle; };
  if (!console.transcript().isEmpty()) return isIdle();
  const QString object = QString::fromStdString(toString(m_object.object)).mid(2);
  const QStringList commands{QStringLiteral("eeheap -gc"), QStringLiteral("dumpheap -stat -type Catalog"),
                             QStringLiteral("dumpobj ") + object};
  for (const QString& command : commands) console.run(command);
  const auto isDone = [&] {
    const auto last = console.transcript().commandBeside(console.transcript().end(), -1);
    return isIdle() && last && QString::fromUtf8(console.transcript().line(*last).text) == commands.last();
  };
  return QTest::qWaitFor(isDone, test::kPatienceMs);
}

QImage ScreenshotsTest::take(PlaceId place, const QString& name) {
  // The map would zoom in on an object.
  const bool isAboutObject = place == PlaceId::Object || place == PlaceId::Console;
  m_driver->window().navigator().select(isAboutObject ? m_object : m_type);
  if (!m_driver->show(place)) return {};
  if (place == PlaceId::Console && !runCommands()) return {};
  QTest::qWait(250);  // what moves comes to rest
  QImage image = m_driver->window().grab().toImage();
  if (name.isEmpty()) return image;
  return image.save(m_folder.filePath(name)) ? image : QImage();
}

void ScreenshotsTest::aPlaceIsDrawn_data() {
  QTest::addColumn<PlaceId>("place");
  QTest::addColumn<Theme>("theme");
  for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Contrast}) {
    for (const QString& name : placeNames()) {
      QTest::addRow("%s-%s", qPrintable(name), qPrintable(themeName(theme))) << *placeByName(name) << theme;
    }
  }
}

void ScreenshotsTest::aPlaceIsDrawn() {
  QFETCH(PlaceId, place);
  QFETCH(Theme, theme);
  m_driver->window().setTheme(theme);
  m_driver->window().resize(1440, 900);
  const QImage image = take(place, QStringLiteral("%1.png").arg(QString::fromLatin1(QTest::currentDataTag())));
  QCOMPARE(image.size(), QSize(1440, 900));
  QVERIFY(coloursOf(image).size() >= kFewestColours);
  QCOMPARE(image.pixelColor(3, 300).lightness() < 128, theme != Theme::Light);
  QVERIFY(!test::isLoading(m_driver->window()));
  // The lists that a place is about have room for all their columns.
  for (const char* list : {"typeTable", "threads"}) {
    const auto* table = m_driver->window().place(place)->findChild<QTableView*>(QLatin1String(list));
    if (table && table->isVisible()) QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
  }
}

void ScreenshotsTest::theSmallestAndTheLargestWindowAreDrawn_data() {
  QTest::addColumn<PlaceId>("place");
  QTest::addColumn<QSize>("size");
  for (const QSize& size : {QSize(900, 600), QSize(3840, 2160)}) {
    for (const QString& name : placeNames()) {
      QTest::addRow("%s-%d", qPrintable(name), size.width()) << *placeByName(name) << size;
    }
  }
}

void ScreenshotsTest::theSmallestAndTheLargestWindowAreDrawn() {
  QFETCH(PlaceId, place);
  QFETCH(QSize, size);
  m_driver->window().setTheme(Theme::Light);
  m_driver->window().resize(size);
  // Kept only for those who want to look: writing such large pictures takes longer than all the rest.
  const bool isKept = qEnvironmentVariableIsSet("HEAPSCAPE_SCREENSHOTS");
  const QImage image =
      take(place, isKept ? QStringLiteral("%1.png").arg(QString::fromLatin1(QTest::currentDataTag())) : QString());
  // A window that is larger than asked for does not fit the screen.
  QCOMPARE(image.size(), size);
  QVERIFY(coloursOf(image).size() >= kFewestColours);
}

HEAPSCAPE_WINDOW_TEST(ScreenshotsTest)

}  // namespace heapscape::gui

#include "tst_screenshots.moc"
