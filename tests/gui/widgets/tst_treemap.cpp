// SPDX-License-Identifier: MIT
// The treemap's geometry, and how it is used by mouse and keyboard.
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "support/window_driver.h"
#include "support/window_test.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/hover_bubble.h"
#include "widgets/treemap/treemap.h"

namespace heapscape::gui {

namespace {

constexpr double kHeading = 20;

TreemapPart leaf(const QString& name, std::uint64_t bytes) {
  return {.name = name, .bytes = bytes, .sample = [](const Colours& colours) {
            return ChipSample{.fill = colours.header()};
          }};
}

std::vector<TreemapPart> madeGroups() {
  TreemapPart large{.name = QStringLiteral("Large"), .bytes = 6'000};
  large.parts = {leaf(QStringLiteral("first"), 1'000), leaf(QStringLiteral("second"), 4'000),
                 leaf(QStringLiteral("third"), 1'000), leaf(QStringLiteral("none"), 0)};
  TreemapPart small{.name = QStringLiteral("Small"), .bytes = 2'000};
  small.parts = {leaf(QStringLiteral("only"), 2'000)};
  return {small, large, {.name = QStringLiteral("Empty")}};
}

double area(const QRectF& rect) {
  return rect.width() * rect.height();
}

void pointAt(Treemap& treemap, QPointF point) {
  QMouseEvent event(QEvent::MouseMove, point, treemap.mapToGlobal(point), Qt::NoButton, Qt::NoButton, {});
  QApplication::sendEvent(&treemap, &event);
}

const TreemapTile& tileOf(const std::vector<TreemapTile>& tiles, const TreemapSpot& spot) {
  return *std::ranges::find_if(tiles, [&spot](const TreemapTile& tile) { return tile.spot == spot; });
}

}  // namespace

class TreemapTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { test::dressApplication(); }

  void smallTilesStayInLineWithTheirNeighbours() {
    const std::vector<TreemapPart> parts{leaf(QStringLiteral("large"), 4'000), leaf(QStringLiteral("small"), 1)};
    const std::vector<TreemapTile> tiles{{.spot = {.group = 0}, .rect = QRectF(0, 0, 50, 40)},
                                         {.spot = {.group = 1}, .rect = QRectF(50, 0, 2.5, 40)}};
    QImage image(60, 50, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintTreemap(painter, parts, tiles, QApplication::palette());
    painter.end();
    const auto bottomAt = [&image](int x) {
      int y = image.height() - 1;
      while (y >= 0 && image.pixelColor(x, y) == QColor(Qt::white)) --y;
      return y;
    };
    QCOMPARE(bottomAt(20), 38);
    QCOMPARE(bottomAt(50), bottomAt(20));
  }

  void areasAreInTheProportionOfBytes() {
    const auto tiles = treemapTiles(madeGroups(), std::nullopt, QRectF(0, 0, 800, 400), kHeading);
    // Between groups are a few pixels.
    const double ratio = area(tileOf(tiles, {1}).rect) / area(tileOf(tiles, {0}).rect);
    QVERIFY2(ratio > 2.9 && ratio < 3.2, qPrintable(QString::number(ratio)));
    const double inner = area(tileOf(tiles, {1, 1}).rect) / area(tileOf(tiles, {1, 0}).rect);
    QVERIFY2(inner > 3.99 && inner < 4.01, qPrintable(QString::number(inner)));
  }

  void partsFillTheirGroupBelowItsHeadingAndNeverOverlap() {
    const auto tiles = treemapTiles(madeGroups(), std::nullopt, QRectF(0, 0, 800, 400), kHeading);
    const TreemapTile& group = tileOf(tiles, {1});
    QVERIFY(!group.heading.isEmpty());
    double sum = 0;
    std::vector<QRectF> parts;
    for (const TreemapTile& tile : tiles) {
      if (tile.spot.group != 1 || tile.spot.isGroup()) continue;
      QVERIFY(group.rect.adjusted(-0.01, kHeading - 0.01, 0.01, 0.01).contains(tile.rect));
      for (const QRectF& other : parts) QVERIFY(area(other & tile.rect) < 0.01);
      parts.push_back(tile.rect);
      sum += area(tile.rect);
    }
    QCOMPARE(parts.size(), std::size_t{3});
    QVERIFY(qAbs(sum - area(group.rect.adjusted(0, kHeading, 0, 0))) < 0.1);
  }

  void whatHasNoBytesHasNoTile() {
    const auto tiles = treemapTiles(madeGroups(), std::nullopt, QRectF(0, 0, 800, 400), kHeading);
    for (const TreemapTile& tile : tiles) {
      QVERIFY(tile.spot.group != 2);
      QVERIFY(!(tile.spot == TreemapSpot{1, 3}));
    }
    QVERIFY(treemapTiles(madeGroups(), std::nullopt, QRectF(), kHeading).empty());
    QVERIFY(treemapTiles({}, std::nullopt, QRectF(0, 0, 10, 10), kHeading).empty());
  }

  void aZoomedGroupFillsTheWholeArea() {
    const auto tiles = treemapTiles(madeGroups(), 1, QRectF(0, 0, 800, 400), kHeading);
    QCOMPARE(tiles.size(), std::size_t{3});
    double sum = 0;
    for (const TreemapTile& tile : tiles) sum += area(tile.rect);
    QVERIFY(qAbs(sum - 800 * 400) < 0.1);
  }

  void theSmallestTileAtAPointIsFound() {
    const auto tiles = treemapTiles(madeGroups(), std::nullopt, QRectF(0, 0, 800, 400), kHeading);
    const TreemapTile& part = tileOf(tiles, {1, 1});
    QCOMPARE(treemapTileAt(tiles, part.rect.center())->spot, part.spot);
    const TreemapTile& group = tileOf(tiles, {1});
    QCOMPARE(treemapTileAt(tiles, group.heading.center())->spot, group.spot);
    QVERIFY(!treemapTileAt(tiles, QPointF(-1, 5)));
  }

  void everyTileIsReachedByTheArrowKeys() {
    std::vector<TreemapPart> groups;
    for (std::uint64_t group = 1; group <= 7; ++group) {
      TreemapPart made{.name = QString::number(group), .bytes = 0};
      for (std::uint64_t part = 1; part <= group; ++part) {
        made.parts.push_back(leaf(QString::number(part), part * 100 * group));
        made.bytes += part * 100 * group;
      }
      groups.push_back(made);
    }
    const auto tiles = treemapTiles(groups, std::nullopt, QRectF(0, 0, 900, 500), kHeading);
    std::vector<TreemapSpot> reached{tiles[1].spot};
    for (std::size_t at = 0; at < reached.size(); ++at) {
      for (const int key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down}) {
        const TreemapTile* next = treemapNeighbour(tiles, tileOf(tiles, reached[at]), key);
        if (next && std::ranges::find(reached, next->spot) == reached.end()) reached.push_back(next->spot);
      }
    }
    QCOMPARE(reached.size(), std::size_t{1 + 2 + 3 + 4 + 5 + 6 + 7});
  }

  void aClickPicksADoubleClickZoomsAndEscapeGoesBack() {
    Treemap treemap(QStringLiteral("Memory"), QStringLiteral("memory"));
    TreemapTrail trail(&treemap, QStringLiteral("All"));
    treemap.resize(800, 400);
    treemap.setGroups(madeGroups());
    treemap.show();
    QSignalSpy picked(&treemap, &Treemap::picked);
    const QPoint inside = tileOf(treemap.tiles(), {1, 1}).rect.center().toPoint();
    QTest::mouseClick(&treemap, Qt::LeftButton, {}, inside);
    QCOMPARE(picked.count(), 1);
    QCOMPARE(*treemap.marked(), (TreemapSpot{1, 1}));
    const BubbleText said = treemap.itemText(treemap.currentItem().value());
    QCOMPARE(said.title, QStringLiteral("Large › second"));
    QVERIFY(said.facts.first().contains(QStringLiteral("50.0% of all")));
    QTest::mouseDClick(&treemap, Qt::LeftButton, {}, inside);
    QCOMPARE(treemap.zoomed(), std::optional<std::size_t>(1));
    auto* back = trail.findChild<QToolButton*>(QStringLiteral("treemapWhole"));
    QVERIFY(!back->isHidden());
    QTest::keyClick(&treemap, Qt::Key_Escape);
    QVERIFY(!treemap.zoomed());
    QVERIFY(back->isHidden());
    treemap.zoom(1);
    QVERIFY(!treemap.grab().isNull());
    back->click();
    QVERIFY(!treemap.zoomed());
  }

  void keysMoveZoomAndActivate() {
    Treemap treemap(QStringLiteral("Memory"), QStringLiteral("memory"));
    treemap.resize(800, 400);
    treemap.setGroups(madeGroups());
    QSignalSpy activated(&treemap, &Treemap::activated);
    QTest::keyClick(&treemap, Qt::Key_Right);
    QVERIFY(treemap.marked());
    const TreemapSpot first = *treemap.marked();
    QTest::keyClick(&treemap, Qt::Key_Right);
    QVERIFY(!(*treemap.marked() == first));
    treemap.mark(TreemapSpot{1, 1});
    QTest::keyClick(&treemap, Qt::Key_Return);
    QCOMPARE(treemap.zoomed(), std::optional<std::size_t>(1));
    QCOMPARE(activated.count(), 0);
    QTest::keyClick(&treemap, Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
  }

  void whatIsPointedAtIsNamed() {
    Treemap treemap(QStringLiteral("Memory"), QStringLiteral("memory"));
    treemap.resize(800, 400);
    treemap.setGroups(madeGroups());
    treemap.show();
    pointAt(treemap, tileOf(treemap.tiles(), {1, 1}).rect.center());
    auto* bubble = treemap.findChild<HoverBubble*>();
    QVERIFY(!bubble->isHidden());
    QCOMPARE(bubble->text().title, QStringLiteral("Large › second"));
    QVERIFY(bubble->text().facts.contains(QStringLiteral("4,000 bytes")));
    treemap.setGroups({});
    QVERIFY(bubble->isHidden());
    QVERIFY(treemap.tiles().empty());
    pointAt(treemap, {10, 10});
    QVERIFY(bubble->isHidden());
    QTest::keyClick(&treemap, Qt::Key_Down);
    QVERIFY(!treemap.marked());
  }

  void thePictureIsWrittenAsSvgWithItsNames() {
    Treemap treemap(QStringLiteral("Memory"), QStringLiteral("memory"));
    treemap.resize(800, 400);
    treemap.setGroups(madeGroups());
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("memory.svg"));
    const PaintPicture paint = [&treemap](QPainter& painter, QSize) {
      paintTreemap(painter, treemap.groups(), treemap.tiles(), treemap.palette());
    };
    QVERIFY(writePictureSvg(&treemap, paint, path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("second"));
    QVERIFY(treemap.actions().size() >= 3);
  }

  void aLongNameStandsOnSeveralLinesBeforeItIsCut() {
    Treemap treemap(QStringLiteral("Memory"), QStringLiteral("memory"));
    const QString name = QStringLiteral("thread Finalizer of another");
    const auto svgOf = [&](int letters) {
      treemap.setGroups({{.name = name, .bytes = 5000}});
      treemap.resize(treemap.fontMetrics().averageCharWidth() * letters, 400);
      const PaintPicture paint = [&treemap](QPainter& painter, QSize) {
        paintTreemap(painter, treemap.groups(), treemap.tiles(), treemap.palette());
      };
      const engine::ReviewPage page = picturePage(&treemap, paint, {}, PictureContents::None);
      return QString::fromStdString(std::get<engine::ReviewPicture>(page.content).svg);
    };
    QVERIFY(svgOf(60).contains(name));
    const QString narrow = svgOf(16);
    QVERIFY(!narrow.contains(name));
    for (const char* word : {"thread", "Finalizer", "another", "4.88 KB"})
      QVERIFY(narrow.contains(QLatin1String(word)));
  }

  void aNameWithMoreLinesThanATileIsCutOnItsLast() {
    Treemap treemap(QStringLiteral("Memory"), QStringLiteral("memory"));
    treemap.setGroups({{.name = QStringLiteral("thread 5 for work of the pool"), .bytes = 5000}});
    treemap.resize(treemap.fontMetrics().averageCharWidth() * 11, treemap.fontMetrics().lineSpacing() * 4);
    const PaintPicture paint = [&treemap](QPainter& painter, QSize) {
      paintTreemap(painter, treemap.groups(), treemap.tiles(), treemap.palette());
    };
    const engine::ReviewPage page = picturePage(&treemap, paint, {}, PictureContents::None);
    const QString svg = QString::fromStdString(std::get<engine::ReviewPicture>(page.content).svg);
    for (const QString& shown : {QStringLiteral("thread"), QStringLiteral("4.88 KB")})
      QVERIFY2(svg.contains(shown), qPrintable(shown));
    QVERIFY(svg.contains(QChar(0x2026)) && !svg.contains(QStringLiteral("pool")));
  }
};

HEAPSCAPE_WINDOW_TEST(TreemapTest)

}  // namespace heapscape::gui

#include "tst_treemap.moc"
