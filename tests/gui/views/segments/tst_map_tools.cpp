// SPDX-License-Identifier: MIT
// Highlighted objects, colours, a brushed range, rulers, pins and keys of the map, on real dumps.
#include <QComboBox>
#include <QPainter>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <numeric>

#include "models/rows/picked_sets.h"
#include "session/heap/range_summary.h"
#include "support/window_test.h"
#include "views/segments/heap_strip.h"
#include "views/segments/map_lines.h"
#include "views/segments/segments_scene.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/legend_chip.h"
#include "widgets/text/figures.h"

using namespace heapscape::gui;
using namespace heapscape::engine;

namespace {

using test::kPatienceMs;
using Scene = test::SegmentsScene;

test::ScenesByDump<Scene>& toolScenes() {
  static test::ScenesByDump<Scene> scenes;
  return scenes;
}

Scene& shown(const char* name) {
  return toolScenes().shownAnew(name);
}

/// A type with many objects in few segments.
TypeId manyOf(const Snapshot& snapshot, std::string_view name) {
  for (std::uint32_t i = 0; i < snapshot.types().size(); ++i) {
    if (snapshot.types()[i].name.ends_with(name)) return {i};
  }
  return {};
}

Selection selectionOf(const Snapshot& snapshot, TypeId type) {
  return {.object = {}, .methodTable = snapshot.types()[type.value].methodTable, .segment = {}};
}

bool isHighlighted(Scene& scene) {
  return scene.map().state().paint().highlight != nullptr;
}

QString highlightWords(Scene& scene) {
  return scene.part<HighlightLine>("mapHighlight")->text();
}

void colourBy(Scene& scene, MapColouring colouring) {
  auto* choice = scene.part<QComboBox>("mapColouring");
  choice->setCurrentIndex(choice->findData(static_cast<int>(colouring)));
}

MapColouring colouringOf(Scene& scene) {
  const auto& colours = scene.map().state().paint().colours;
  return colours ? colours->colouring() : MapColouring::Generation;
}

QStringList legend(Scene& scene) {
  QStringList words;
  for (const auto* chip : scene.place.findChildren<LegendChip*>()) {
    if (chip->isVisible() && !chip->isCheckable()) words << chip->text();
  }
  return words;
}

void drag(Scene& scene, QPoint from, QPoint to, Qt::KeyboardModifiers modifiers) {
  QWidget* viewport = scene.map().viewport();
  QTest::mousePress(viewport, Qt::LeftButton, modifiers, from);
  for (const QPoint& point : {from + (to - from) / 2, to}) {
    QMouseEvent move(QEvent::MouseMove, point, viewport->mapToGlobal(point), Qt::NoButton, Qt::LeftButton, modifiers);
    QCoreApplication::sendEvent(viewport, &move);
  }
  QTest::mouseRelease(viewport, Qt::LeftButton, modifiers, to);
}

QString rangeWords(Scene& scene) {
  return scene.part<RangeLine>("mapRange")->text();
}

}  // namespace

class MapToolsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cleanupTestCase() { toolScenes().clear(); }

  void aTypeIsShownWhereAllItsObjectsAre() {
    Scene& scene = shown("shop-10");
    const TypeId type = manyOf(scene.snapshot(), "OrderLine");
    QVERIFY(!type.isNone());
    scene.navigator.showInSegments(selectionOf(scene.snapshot(), type));
    QTRY_VERIFY_WITH_TIMEOUT(isHighlighted(scene), kPatienceMs);
    const MapHighlight& highlight = *scene.map().state().paint().highlight;
    const std::uint64_t count = scene.snapshot().typeCounts().count[type.value];
    QCOMPARE(highlight.objects(), count);
    QVERIFY(highlightWords(scene).contains(
        QStringLiteral("%1 of them in %2")
            .arg(countText(count), countedText(highlight.parts().size(), QStringLiteral("segment")))));
    // Every one of them is in view.
    for (const HighlightedPart& part : highlight.parts()) {
      const auto lane = scene.map().state().laneOf(part.segment);
      QVERIFY(lane);
      const AddressRange window = scene.map().state().scale(*lane).window();
      QVERIFY(window.start <= part.range.start && part.range.end <= window.end);
    }
    QCOMPARE(scene.map().currentLane(), scene.map().state().laneOf(highlight.parts().front().segment));
  }

  void theRestIsPaleAndAllComesBack() {
    Scene& scene = shown("shop-10");
    const std::size_t lane = scene.laneOfKind(SegmentKind::Gen2);
    const Address start = scene.map().state().segment(lane).objects.start;
    scene.navigator.showInSegments(selectionOf(scene.snapshot(), manyOf(scene.snapshot(), "OrderLine")));
    const auto paleBytes = [&] {
      const LaneContent* content = scene.map().contentAt(lane, start);
      std::uint64_t sum = 0;
      if (!content) return sum;
      for (const MapCell& cell : content->cells)
        sum = std::accumulate(cell.paleBytes.begin(), cell.paleBytes.end(), sum);
      return sum;
    };
    QTRY_VERIFY_WITH_TIMEOUT(paleBytes() > 0, kPatienceMs);
    QVERIFY(scene.part<HighlightLine>("mapHighlight")->isVisible());
    scene.part<QToolButton>("mapShowAll")->click();
    QTRY_VERIFY_WITH_TIMEOUT(!isHighlighted(scene), kPatienceMs);
    QVERIFY(!scene.part<HighlightLine>("mapHighlight")->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(paleBytes(), std::uint64_t{0}, kPatienceMs);
    scene.navigator.back();
    QTRY_VERIFY_WITH_TIMEOUT(isHighlighted(scene), kPatienceMs);
  }

  void aSetIsShownWithAllItsObjects() {
    Scene& scene = shown("shop-10");
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = 100; ids.size() < 10; id += 1777) ids.push_back(id);
    const QString set = PickedSets::of(scene.bridge).add(ids, QStringLiteral("ten of them"));
    scene.navigator.showSetInSegments(set);
    QTRY_VERIFY_WITH_TIMEOUT(isHighlighted(scene), kPatienceMs);
    QCOMPARE(scene.map().state().paint().highlight->objects(), std::uint64_t{10});
    QVERIFY(highlightWords(scene).startsWith(QStringLiteral("ten of them: 10 of them in ")));
    // An object is about itself alone.
    const Segment& segment = scene.snapshot().segments()[scene.map().state().lanes().front().id.value];
    scene.navigator.showInSegments({test::someObject(scene.snapshot(), segment).address, {}, {}});
    QTRY_VERIFY_WITH_TIMEOUT(!isHighlighted(scene), kPatienceMs);
  }

  void aTypeInSegmentsThatAreHiddenShowsThemAgain() {
    Scene& scene = shown("shop-10");
    const std::size_t all = scene.map().state().lanes().size();
    for (auto* chip : scene.place.findChildren<QAbstractButton*>()) {
      if (chip->text() == QStringLiteral("gen2")) chip->click();
    }
    QVERIFY(scene.map().state().lanes().size() < all);
    scene.navigator.showInSegments(selectionOf(scene.snapshot(), manyOf(scene.snapshot(), "OrderLine")));
    QTRY_VERIFY_WITH_TIMEOUT(isHighlighted(scene), kPatienceMs);
    const auto& parts = scene.map().state().paint().highlight->parts();
    QVERIFY(std::ranges::all_of(
        parts, [&](const auto& part) { return scene.map().state().laneOf(part.segment).has_value(); }));
  }

  void aClickIntoTheStripLeadsThere() {
    Scene& scene = shown("shop-10-server");
    scene.navigator.showInSegments(selectionOf(scene.snapshot(), manyOf(scene.snapshot(), "System.String")));
    QTRY_VERIFY_WITH_TIMEOUT(isHighlighted(scene), kPatienceMs);
    auto* strip = scene.part<HeapStrip>("heapStrip");
    QTRY_VERIFY_WITH_TIMEOUT(strip->width() > 50, kPatienceMs);
    const QPoint end(strip->width() - 2, strip->height() / 2);
    QTest::mouseClick(strip, Qt::LeftButton, {}, end);
    const Address there = addressInHeap(scene.snapshot(), double(end.x()) / strip->width());
    QCOMPARE(scene.map().currentLane(), scene.map().state().laneOf(*scene.map().state().segmentHolding(there)));
  }

  void aStripShowsTheDensestSliceOfEachColumn() {
    std::vector<float> density(1000);
    density[999] = 0.5F;
    density[10] = 1;
    const std::vector<double> heights = stripHeights(density, 100);
    QCOMPARE(heights.size(), std::size_t{100});
    QCOMPARE(heights[1], 1.0);
    QCOMPARE(heights[99], 0.5);
    QCOMPARE(std::accumulate(heights.begin(), heights.end(), 0.0), 1.5);
    QCOMPARE(stripHeights({1, 0}, 4), (std::vector<double>{1, 1, 0, 0}));
    QVERIFY(stripHeights({}, 10).empty());
  }

  void coloursTellWhatIsChosenWithALegend() {
    Scene& scene = shown("shop-10");
    colourBy(scene, MapColouring::Liveness);
    QTRY_COMPARE_WITH_TIMEOUT(colouringOf(scene), MapColouring::Liveness, kPatienceMs);
    QVERIFY(legend(scene).contains(QStringLiteral("live")));
    QVERIFY(legend(scene).contains(QStringLiteral("garbage")));
    const std::size_t lane = scene.laneOfKind(SegmentKind::Gen2);
    const Address start = scene.map().state().segment(lane).objects.start;
    const auto isRead = [&] {
      const LaneContent* content = scene.map().contentAt(lane, start);
      return content && content->question.paint.colours == scene.map().state().paint().colours;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isRead(), kPatienceMs);
    const LaneContent* content = scene.map().contentAt(lane, start);
    const RangeSummary summary =
        summaryOfRange(scene.snapshot(), scene.map().state().segment(lane).objects, {}).value();
    std::uint64_t garbage = 0;
    for (const MapCell& cell : content->cells) garbage += cell.usedBytes[kGarbageColour];
    QCOMPARE(garbage, *summary.garbageBytes);
    colourBy(scene, MapColouring::LargestTypes);
    QTRY_COMPARE_WITH_TIMEOUT(colouringOf(scene), MapColouring::LargestTypes, kPatienceMs);
    QVERIFY(legend(scene).contains(QStringLiteral("String")));
    QVERIFY(legend(scene).contains(QStringLiteral("other types")));
    QVERIFY(!legend(scene).contains(QStringLiteral("garbage")));
    colourBy(scene, MapColouring::Generation);
    QTRY_COMPARE_WITH_TIMEOUT(colouringOf(scene), MapColouring::Generation, kPatienceMs);
    QVERIFY(!legend(scene).contains(QStringLiteral("other types")));
  }

  void thePickedTypeHasTheColourWhateverIsPicked() {
    Scene& scene = shown("shop-10");
    colourBy(scene, MapColouring::PickedType);
    QTRY_VERIFY_WITH_TIMEOUT(legend(scene).contains(QStringLiteral("no type is picked")), kPatienceMs);
    const TypeId type = manyOf(scene.snapshot(), "OrderLine");
    scene.navigator.select(selectionOf(scene.snapshot(), type));
    QTRY_VERIFY_WITH_TIMEOUT(legend(scene).contains(QStringLiteral("OrderLine")), kPatienceMs);
    QCOMPARE(scene.map().state().paint().colours->types(), std::vector<TypeId>{type});
  }

  void whatNeedsTheRootsIsOfferedWhenTheyAreKnown() {
    Scene scene;
    auto* choice = scene.part<QComboBox>("mapColouring");
    const auto isOffered = [&](MapColouring colouring) {
      return qobject_cast<QStandardItemModel*>(choice->model())
          ->item(choice->findData(static_cast<int>(colouring)))
          ->isEnabled();
    };
    bool wasOffered = true;
    QObject::connect(&scene.bridge, &EngineBridge::stageReady, &scene.place, [&](const Snapshot& snapshot) {
      if (snapshot.stage() == Stage::Objects)
        wasOffered = isOffered(MapColouring::Liveness) || !isOffered(MapColouring::LargestTypes);
    });
    QVERIFY(scene.open("shop-10"));
    QVERIFY(!wasOffered);
    QVERIFY(isOffered(MapColouring::Liveness) && isOffered(MapColouring::Retained));
  }

  void shiftAndADragSelectAddresses() {
    Scene& scene = shown("shop-10");
    const std::size_t lane = scene.laneOfKind(SegmentKind::Gen2);
    const LaneView before = scene.map().state().view(lane);
    const QRect bar = scene.map().state().geometry().lanes[lane].bar;
    const AddressScale scale = scene.map().state().scale(lane);
    const QPoint from(bar.left() + 20, bar.center().y()), to(bar.left() + 90, bar.center().y());
    drag(scene, to, from, Qt::ShiftModifier);
    QVERIFY(scene.map().brushed());
    const AddressRange range = *scene.map().brushed();
    QCOMPARE(range.start.value, scale.addressAt(from.x()).value & ~7ull);
    QVERIFY(range.end >= scale.addressAt(to.x()) && range.end - scale.addressAt(to.x()) < 8);
    QCOMPARE(scene.map().state().view(lane), before);
    QVERIFY(scene.navigator.location().selection.isEmpty());
    const RangeSummary summary = summaryOfRange(scene.snapshot(), range, {}).value();
    QTRY_COMPARE_WITH_TIMEOUT(rangeWords(scene), rangeText(summary, scene.snapshot()), kPatienceMs);
    QVERIFY(rangeWords(scene).contains(QStringLiteral("garbage")));
    QVERIFY(scene.part<RangeLine>("mapRange")->isVisible());
    QTest::keyClick(&scene.map(), Qt::Key_Escape);
    QVERIFY(!scene.map().brushed());
    QVERIFY(!scene.part<RangeLine>("mapRange")->isVisible());
  }

  void theRangeIsListedCutAndPinned() {
    Scene& scene = shown("shop-10");
    QSignalSpy cuts(&scene.navigator, &Navigator::cutWanted);
    scene.map().goToItem(scene.laneOfKind(SegmentKind::Gen2));
    for (int step = 0; step < 4; ++step) QTest::keyClick(&scene.map(), Qt::Key_W);
    QTest::keyClick(&scene.map(), Qt::Key_B);
    QVERIFY(scene.map().brushed());
    const AddressRange range = *scene.map().brushed();
    scene.part<QToolButton>("rangeCut")->click();
    QTRY_COMPARE_WITH_TIMEOUT(cuts.size(), 1, kPatienceMs);
    const QString name = QStringLiteral("%1–%2").arg(addressText(range.start), addressText(range.end));
    const auto set = PickedSets::of(scene.bridge).find(name);
    QVERIFY(set);
    QCOMPARE(set->size(), summaryOfRange(scene.snapshot(), range, {}).value().objects);
    scene.part<QToolButton>("rangeList")->click();
    QCOMPARE(scene.navigator.location().place, PlaceId::Types);
    QCOMPARE(scene.navigator.location().objectsQuery,
             QStringLiteral("address >= %1 and address < %2").arg(addressText(range.start), addressText(range.end)));
    // Who opens another dump has no range of it selected.
    scene.place.clear();
    QVERIFY(!scene.map().brushed());
  }

  void aZoomedLaneHasARulerOfItsOwn() {
    Scene& scene = shown("shop-10");
    const std::size_t lane = scene.laneOfKind(SegmentKind::Gen2);
    QVERIFY(scene.map().state().geometry().lanes[lane].ruler.isEmpty());
    scene.map().goToItem(lane);
    QTest::keyClick(&scene.map(), Qt::Key_W);
    const LaneRow& row = scene.map().state().geometry().lanes[lane];
    QVERIFY(row.ruler.height() >= QFontMetrics(scene.map().font()).height());
    QVERIFY(row.row.contains(row.ruler) && !row.ruler.intersects(row.bar));
    QTest::keyClick(&scene.map(), Qt::Key_S);
    QVERIFY(scene.map().state().geometry().lanes[lane].ruler.isEmpty());
  }

  void lettersZoomAndPanAsArrowsDo() {
    Scene& scene = shown("shop-10");
    const std::size_t lane = scene.laneOfKind(SegmentKind::Gen2);
    scene.map().goToItem(lane);
    const auto view = [&] { return scene.map().state().view(lane); };
    const double home = view().span;
    for (int step = 0; step < 4; ++step) QTest::keyClick(&scene.map(), Qt::Key_W);
    QVERIFY(view().span < home / 4);
    const double offset = view().offset;
    QTest::keyClick(&scene.map(), Qt::Key_A);
    QVERIFY(view().offset < offset);
    QTest::keyClick(&scene.map(), Qt::Key_D);
    QCOMPARE(qRound64(view().offset), qRound64(offset));
    const double near = view().span;
    QTest::keyClick(&scene.map(), Qt::Key_S);
    QVERIFY(view().span > near);
  }

  void lanesShareTheHeightThatIsThere() {
    Scene& scene = shown("shop-10");
    for (const int height : {500, 760, 1200}) {
      scene.place.resize(1100, height);
      QCoreApplication::processEvents();
      const int lanes = static_cast<int>(scene.map().state().lanes().size());
      const int left = scene.map().viewport()->height() - scene.map().state().geometry().height;
      QVERIFY2(left < lanes, qPrintable(QStringLiteral("%1 pixels are left of %2").arg(left).arg(height)));
    }
  }

  void pinsAreMarkedWhereTheyAre() {
    Scene& scene = shown("shop-10");
    QTRY_VERIFY_WITH_TIMEOUT(scene.map().state().paint().pins, kPatienceMs);
    const auto pins = scene.map().state().paint().pins->in({{0}, {~0ull}});
    QVERIFY(!pins.empty());
    const auto segment = scene.map().state().segmentHolding(pins.front().object);
    const std::size_t lane = *scene.map().state().laneOf(*segment);
    const auto places = [&] {
      const LaneContent* content = scene.map().contentAt(lane, pins.front().object);
      const QRect bar = scene.map().state().geometry().lanes[lane].bar;
      return content && content->question.paint.pins
                 ? pinPlaces(*content, scene.map().state().scale(lane), bar.left(), bar.right(), 6)
                 : std::vector<double>();
    };
    QTRY_VERIFY_WITH_TIMEOUT(!places().empty(), kPatienceMs);
    const double wanted = scene.map().state().scale(lane).xOf(pins.front().object);
    QVERIFY(std::ranges::any_of(places(), [&](double x) { return std::abs(x - wanted) < 7; }));
    const std::vector<double> found = places();
    for (std::size_t i = 1; i < found.size(); ++i) QVERIFY(found[i] - found[i - 1] >= 6);
  }

  void aBubbleTellsWhatAnObjectRetainsAndWhatIsBesideFreeSpace() {
    Scene& scene = shown("shop-10");
    std::optional<ObjectRow> used, free;
    forEachObject(scene.snapshot(), {}, [&](const ObjectRow& row) {
      const bool isFree = scene.snapshot().types()[row.type.value].isFree;
      if (isFree && row.alignedBytes >= 256 && row.generation == Generation::Gen2) free = row;
      if (!isFree && row.generation == Generation::Gen2) used = row;
      return !(free && used);
    });
    QVERIFY(used && free);
    const auto tell = [&](const ObjectRow& row) {
      scene.navigator.showInSegments({row.address, {}, row.segment});
      QTRY_VERIFY_WITH_TIMEOUT(scene.map().markedObject() && scene.map().markedObject()->address == row.address,
                               kPatienceMs);
      const std::size_t lane = *scene.map().state().laneOf(row.segment);
      scene.waitForObjects(lane, row.address);
      scene.hover(scene.pointAt(lane, row.address + row.alignedBytes / 2));
    };
    const auto facts = [&] { return scene.map().bubble().text().facts.join(QLatin1Char('\n')); };
    tell(*used);
    QTRY_VERIFY_WITH_TIMEOUT(
        facts().contains(QStringLiteral("retains ")) || facts().contains(QStringLiteral("garbage")), kPatienceMs);
    tell(*free);
    QTRY_VERIFY_WITH_TIMEOUT(facts().contains(QStringLiteral("before it: ")), kPatienceMs);
    QVERIFY(facts().contains(QStringLiteral("after it: ")));
    QVERIFY(facts().contains(QStringLiteral("pin")));
  }
};

HEAPSCAPE_WINDOW_TEST(MapToolsTest)
#include "tst_map_tools.moc"
