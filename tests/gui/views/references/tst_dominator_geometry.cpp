// SPDX-License-Identifier: MIT
#include <QTest>
#include <algorithm>
#include <cmath>
#include <random>

#include "support/window_test.h"
#include "views/references/dominators/dominator_forms.h"
#include "views/references/dominators/dominator_toolbar.h"
#include "widgets/drawing/marks.h"

namespace heapscape::gui {

namespace {

using engine::DominatorShape;

/// A tree of random shares: up to `width` children a node, `levels` below the top.
std::vector<DominatorShape> randomShapes(unsigned seed, std::size_t width, std::uint32_t levels) {
  std::mt19937 random(seed);
  std::vector<DominatorShape> shapes(1);
  shapes[0].node.retainedBytes = 1'000'000;
  shapes[0].node.children = 1;
  for (std::uint32_t parent = 0; parent < shapes.size() && shapes.size() < 4000; ++parent) {
    if (shapes[parent].depth == levels) continue;
    std::uint64_t left = shapes[parent].node.retainedBytes;
    std::uint64_t first = shapes[parent].firstByte;
    for (std::size_t child = 0; child < width && left > 1; ++child) {
      DominatorShape shape;
      shape.node.node = static_cast<std::uint32_t>(shapes.size());
      shape.node.retainedBytes = 1 + random() % left;
      shape.node.children = 1;
      shape.parent = parent;
      shape.depth = shapes[parent].depth + 1;
      shape.firstByte = first;
      first += shape.node.retainedBytes;
      left -= shape.node.retainedBytes;
      shapes.push_back(shape);
    }
  }
  return shapes;
}

}  // namespace

class DominatorGeometryTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void boxesOfAnIcicleStandSideBySideInTheirParents() {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const auto shapes = randomShapes(seed, 6, 8);
      const auto boxes = icicleBoxes(shapes, {1280, 400}, 25);
      QVERIFY(!boxes.empty() && boxes.size() <= shapes.size());
      std::vector<QRectF> placed(shapes.size());
      for (const IcicleBox& box : boxes) {
        QVERIFY(box.rect.width() >= 1 && box.rect.bottom() <= 400);
        placed[box.shape] = box.rect;
        if (box.shape == 0) continue;
        const QRectF parent = placed[shapes[box.shape].parent];
        QVERIFY(box.rect.left() >= parent.left() && box.rect.right() <= parent.right());
        QCOMPARE(box.rect.top(), parent.bottom());
        const double exact = 1280.0 * static_cast<double>(shapes[box.shape].node.retainedBytes) / 1'000'000;
        QVERIFY(std::abs(box.rect.width() - exact) <= 1);
      }
      for (std::size_t a = 0; a < boxes.size(); ++a) {
        for (std::size_t b = a + 1; b < boxes.size(); ++b) QVERIFY(!boxes[a].rect.intersects(boxes[b].rect));
      }
    }
  }

  void anIcicleEndsWhereItsPictureDoes() {
    std::vector<DominatorShape> chain(30);
    for (std::uint32_t i = 0; i < chain.size(); ++i) {
      chain[i].node.retainedBytes = 1000;
      chain[i].node.children = 1;
      chain[i].parent = i ? i - 1 : 0;
      chain[i].depth = i;
    }
    const auto boxes = icicleBoxes(chain, {800, 100}, 25);
    QCOMPARE(boxes.size(), std::size_t{4});
    QVERIFY(!boxes[2].isCut);
    QVERIFY(boxes.back().isCut);
    QVERIFY(icicleBoxes({}, {800, 100}, 25).empty());
    QVERIFY(icicleBoxes(randomShapes(3, 2, 3), {0, 0}, 25).empty());
    QVERIFY(icicleBoxes(std::vector<DominatorShape>(1), {800, 100}, 25).empty());
  }

  void arcsOfASunburstFillTheirShareOfARing() {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const auto shapes = randomShapes(seed, 5, 6);
      const Sunburst sunburst = makeSunburst(shapes, {900, 700}, 30);
      QVERIFY(sunburst.arcs.size() > 1);
      for (const SunburstArc& arc : sunburst.arcs) {
        const DominatorShape& shape = shapes[arc.shape];
        QVERIFY(std::abs(arc.spanAngle - static_cast<double>(shape.node.retainedBytes) * 360 / 1'000'000) < 1e-9);
        QVERIFY(arc.innerRadius >= sunburst.holeRadius && arc.outerRadius <= sunburst.radius + 1e-9);
        QVERIFY(arc.outerRadius - arc.innerRadius >= 30 - 1e-9);
        QCOMPARE(sunburst.shapeAt(arcCentre(sunburst, arc)).value_or(0), arc.shape);
      }
      QCOMPARE(sunburst.shapeAt(sunburst.centre).value_or(1), 0u);
      QVERIFY(!sunburst.shapeAt({0, 0}));
    }
  }

  void anIciclesLevelsFillItsHeight() {
    for (const double height : {200.0, 613.0, 1400.0}) {
      for (std::uint32_t levels = 1; levels < 7; ++levels) {
        const auto shapes = randomShapes(levels, 3, levels);
        const QSizeF size(1200, height);
        const auto boxes = icicleBoxes(shapes, size, icicleRowHeight(shapes, size, 25));
        double bottom = 0;
        for (const IcicleBox& box : boxes) bottom = std::max(bottom, box.rect.bottom());
        QCOMPARE(bottom, height);
      }
    }
    std::vector<DominatorShape> deep(30);
    for (std::uint32_t i = 0; i < deep.size(); ++i) {
      deep[i].node.retainedBytes = 1000;
      deep[i].depth = i;
    }
    QCOMPARE(icicleRowHeight(deep, {1200, 300}, 25), 25.0);
    QVERIFY2(icicleRowHeight(deep, {1200, 1200}, 25) > 39, "as high as there is room");
  }

  void tilesLieInTheirParentsInTheProportionOfTheirBytes() {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const auto shapes = randomShapes(seed, 5, 5);
      const auto tiles = dominatorTiles(shapes, {1280, 720}, 20);
      QVERIFY(tiles.size() > 3 && tiles.size() <= shapes.size());
      QCOMPARE(tiles[0].rect, QRectF(0, 0, 1280, 720));
      std::vector<const DominatorTile*> placed(shapes.size());
      for (const DominatorTile& tile : tiles) {
        placed[tile.shape] = &tile;
        if (tile.shape == 0) continue;
        const DominatorTile* parent = placed[shapes[tile.shape].parent];
        QVERIFY(parent && parent->isDivided);
        QVERIFY(parent->rect.adjusted(-0.001, -0.001, 0.001, 0.001).contains(tile.rect));
        QVERIFY(!tile.rect.adjusted(0.001, 0.001, -0.001, -0.001).intersects(parent->heading));
      }
      for (std::size_t a = 1; a < tiles.size(); ++a) {
        for (std::size_t b = a + 1; b < tiles.size(); ++b) {
          const auto& of = shapes[tiles[a].shape];
          const auto& with = shapes[tiles[b].shape];
          if (of.parent != with.parent) continue;
          const double areas =
              tiles[a].rect.width() * tiles[a].rect.height() * static_cast<double>(with.node.retainedBytes);
          const double others =
              tiles[b].rect.width() * tiles[b].rect.height() * static_cast<double>(of.node.retainedBytes);
          QVERIFY(std::abs(areas - others) <= 1e-6 * std::max(areas, others));
        }
      }
    }
    QVERIFY(dominatorTiles({}, {1280, 720}, 20).empty());
    QVERIFY(dominatorTiles(std::vector<DominatorShape>(1), {1280, 720}, 20).empty());
  }

  void aSearchFindsNamesAndAddressesAndCountsEachByteOnce() {
    DominatorScene scene;
    scene.shapes = randomShapes(1, 1, 3);
    const char* const names[] = {"", "Shop.Order", "Shop.OrderLine", "System.String"};
    for (std::size_t i = 1; i < scene.shapes.size(); ++i) {
      scene.shapes[i].node.kind = engine::DominatorKind::Object;
      scene.shapes[i].node.name = names[i];
      scene.shapes[i].node.object = engine::Address{0x7f00 + i};
    }
    const DominatorMatches orders = findMatches(scene, QStringLiteral("order"));
    QCOMPARE(orders.shapes, (std::vector<std::uint32_t>{1, 2}));
    QCOMPARE(orders.bytes, scene.shapes[1].node.retainedBytes);
    QVERIFY(!orders.isMatch[0] && !orders.isMatch[3]);
    QCOMPARE(findMatches(scene, QStringLiteral("0x7f03")).shapes, (std::vector<std::uint32_t>{3}));
    QVERIFY(findMatches(scene, QStringLiteral("Customer")).shapes.empty());
  }

  void aSearchGoesAroundItsMatches() {
    DominatorScene scene;
    scene.shapes = randomShapes(1, 1, 3);
    for (DominatorShape& shape : scene.shapes) {
      shape.node.kind = engine::DominatorKind::Type;
      shape.node.name = "Shop.Order";
    }
    DominatorSearch search;
    QVERIFY(!search.next(1));
    search.setScene(std::make_shared<const DominatorScene>(scene));
    search.setText(QStringLiteral("  order "));
    QVERIFY(search.hasMatches());
    QVERIFY(search.status().startsWith(QStringLiteral("4 matches · ")));
    for (const std::uint32_t shape : {0u, 1u, 2u, 3u, 0u}) QCOMPARE(search.next(1).value_or(9), shape);
    QVERIFY(search.status().startsWith(QStringLiteral("1 of 4 · ")));
    QCOMPARE(search.next(-1).value_or(9), 3u);
    search.setText(QStringLiteral("Customer"));
    QCOMPARE(search.status(), QStringLiteral("none in this picture"));
    search.setText({});
    QVERIFY(search.status().isEmpty());
    QVERIFY(!search.matches());
  }

  // What tells a root beside its colour lies in its part, in whole dashes: vector files know no clipping.
  void theSeamOfARootLiesWithinItsPart() {
    for (double width = 1; width < 400; width += 1.25) {
      const QRectF part(10.5, 20, width, 24);
      const std::vector<QRectF> dashes = seamAlong(part);
      QCOMPARE(dashes.empty(), width < 6);
      double end = part.left();
      for (const QRectF& dash : dashes) {
        QVERIFY2(part.adjusted(1, 1, -1, -1).contains(dash), "with some of the part around it, so it is no gap");
        QVERIFY(dash.left() > end && dash.width() >= 2 && dash.bottom() < part.center().y());
        end = dash.right();
      }
      if (!dashes.empty()) QVERIFY(std::abs(part.right() - end - (dashes[0].left() - part.left())) < 1e-9);
    }
    QVERIFY(seamAlong({0, 0, 100, 5}).empty());
  }

  void theSeamOfARootFollowsItsArc() {
    const auto shapes = randomShapes(7, 5, 6);
    const Sunburst sunburst = makeSunburst(shapes, {900, 700}, 30);
    std::size_t sewn = 0;
    for (const SunburstArc& arc : sunburst.arcs) {
      const std::vector<QLineF> dashes = arcSeam(sunburst, arc);
      sewn += dashes.empty() ? 0 : 1;
      for (const QLineF& dash : dashes) {
        for (const QPointF point : {dash.p1(), dash.center(), dash.p2()}) {
          QCOMPARE(sunburst.shapeAt(point).value_or(0), arc.shape);
          const double distance = std::hypot(point.x() - sunburst.centre.x(), point.y() - sunburst.centre.y());
          QVERIFY(distance - arc.innerRadius > 1 && distance < (arc.innerRadius + arc.outerRadius) / 2);
        }
      }
    }
    QVERIFY(sewn > 3);
    QVERIFY(arcSeam(sunburst, {.shape = 1, .innerRadius = 80, .outerRadius = 120, .startAngle = 0, .spanAngle = 1})
                .empty());
  }

  void theNameOfAnArcStandsWithinWhatWouldBeFreed() {
    const SunburstArc arc{.shape = 1, .innerRadius = 40, .outerRadius = 80, .startAngle = 0, .spanAngle = 90};
    QCOMPARE(arcOfLabel(arc, 0).outerRadius, 80.0);
    const SunburstArc label = arcOfLabel(arc, 0.5);
    QVERIFY(label.outerRadius <= 74 && label.outerRadius > 40);  // the hatched rim is 6 wide
    QCOMPARE(label.innerRadius, 40.0);
  }

  void aSunburstWithoutRoomIsEmpty() {
    QVERIFY(makeSunburst(randomShapes(1, 3, 3), {40, 40}, 30).arcs.empty());
    QVERIFY(makeSunburst({}, {900, 700}, 30).arcs.empty());
    QVERIFY(makeSunburst(std::vector<DominatorShape>(1), {900, 700}, 30).arcs.empty());
  }
};

HEAPSCAPE_WINDOW_TEST(DominatorGeometryTest)

}  // namespace heapscape::gui

#include "tst_dominator_geometry.moc"
