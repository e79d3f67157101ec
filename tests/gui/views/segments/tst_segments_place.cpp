// SPDX-License-Identifier: MIT
// The place on real dumps, driven as a person does.
#include <QAbstractButton>
#include <QCheckBox>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTest>
#include <optional>

#include "support/window_test.h"
#include "views/segments/segments_scene.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/state_panel.h"

using namespace heapscape::gui;
using namespace heapscape::engine;

namespace {

using test::kPatienceMs;
using test::someObject;
using Scene = test::SegmentsScene;

/// Takes what is pinned in a window.
class PinTaker : public QObject {
 public:
  std::optional<ReviewPage> taken;

  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() != PinRequest::kind()) return false;
    event->accept();
    taken = static_cast<PinRequest*>(event)->page();
    return true;
  }
};

/// What is pinned of a picture, as a PDF or a browser draws it.
QImage pinned(QWidget& picture) {
  PinTaker taker;
  picture.window()->installEventFilter(&taker);
  pinActionAround(&picture)->trigger();
  const auto& page = std::get<ReviewPicture>(taker.taken->content);
  QSvgRenderer renderer(QByteArray::fromStdString(page.svg));
  // As large as on the screen; the legend stands below it.
  QImage image(picture.width(), qRound(page.height * 4 / 3), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  renderer.render(&painter);
  return image;
}

test::ScenesByDump<Scene>& scenes() {
  static test::ScenesByDump<Scene> scenes;
  return scenes;
}

Scene& opened(const char* name) {
  return scenes().shownAnew(name);
}

}  // namespace

class SegmentsPlaceTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cleanupTestCase() { scenes().clear(); }

  void withoutADumpNothingSpins() {
    Scene scene;
    QCOMPARE(scene.place.findChild<StatePanel*>()->state(), StatePanel::State::Empty);
    QVERIFY(!scene.map().isVisible());
  }

  void aMapThatIsScrolledIsPinnedBelowItsAxis() {
    Scene& scene = opened("shop-10-server");
    scene.place.resize(1100, 360);
    SegmentMap& map = scene.map();
    QScrollBar* bar = map.verticalScrollBar();
    QTRY_VERIFY_WITH_TIMEOUT(bar->maximum() > 40, kPatienceMs);
    const int axis = map.viewport()->y();
    const auto head = [&] {
      const QImage picture = pinned(map);
      return picture.copy(0, 0, picture.width(), axis);
    };
    bar->setValue(0);
    QTest::qWait(100);  // what the axis shows is asked for after a short rest
    QTRY_VERIFY_WITH_TIMEOUT(scene.bridge.isAtRest(), kPatienceMs);
    const QImage unscrolled = head();
    bar->setValue(bar->maximum() / 2 + 7);
    QCOMPARE(head(), unscrolled);
  }

  void lanesAreThereBeforeTheWalkEnds() {
    Scene scene;
    std::size_t lanesBefore = 0;
    QObject::connect(&scene.bridge, &EngineBridge::stageReady, &scene.place, [&](const Snapshot& snapshot) {
      if (snapshot.stage() == Stage::Segments) lanesBefore = scene.map().state().lanes().size();
    });
    QVERIFY(scene.open("shop-10"));
    QCOMPARE(lanesBefore, scene.bridge.snapshot()->segments().size());
    QVERIFY(scene.map().isVisible());
  }

  void everySegmentOfEveryHeapHasALane() {
    Scene& scene = opened("shop-10-server");
    QCOMPARE(scene.map().state().lanes().size(), scene.bridge.snapshot()->segments().size());
    QVERIFY(scene.map().state().geometry().headings.size() >= 2);
  }

  void theWheelZoomsTheLaneUnderThePointerDownToObjects() {
    Scene& scene = opened("shop-10");
    const std::size_t lane = scene.laneOfKind(SegmentKind::Gen2);
    const ObjectRow object = someObject(*scene.bridge.snapshot(), scene.map().state().segment(lane));
    const double before = scene.map().state().scale(lane).bytesPerPixel();
    const std::size_t other = lane == 0 ? 1 : 0;
    const double otherBefore = scene.map().state().scale(other).bytesPerPixel();
    for (int step = 0; step < 20; ++step) scene.wheel(scene.pointAt(lane, object.address), 1);
    QVERIFY(scene.map().state().scale(lane).bytesPerPixel() < before / 1000);
    QCOMPARE(scene.map().state().scale(other).bytesPerPixel(), otherBefore);
    scene.waitForObjects(lane, object.address);
    const LaneContent* content = scene.map().contentAt(lane, object.address);
    QVERIFY(content->objectAt(object.address));
    QCOMPARE(content->objectAt(object.address)->address.value, object.address.value);
  }

  void turnsOfTheWheelAreOneStepThatBackUndoes() {
    Scene scene;  // that nobody has zoomed
    QVERIFY(scene.open("shop-10"));
    const std::size_t lane = scene.laneOfKind(SegmentKind::Gen2);
    const Address middle = scene.map().state().segment(lane).objects.start + 4096;
    const LaneView home = scene.map().state().view(lane);
    for (int step = 0; step < 6; ++step) scene.wheel(scene.pointAt(lane, middle), 1);
    const LaneView near = scene.map().state().view(lane);
    QVERIFY(near.span < home.span / 2);
    scene.navigator.goTo(PlaceId::Types);
    scene.navigator.back();
    QCOMPARE(scene.map().state().view(lane), near);
    scene.navigator.back();
    QCOMPARE(scene.map().state().view(lane), home);
    scene.navigator.forward();
    QCOMPARE(scene.map().state().view(lane), near);
  }

  void theObjectUnderThePointerIsNamed() {
    Scene& scene = opened("shop-10");
    const std::size_t lane = scene.laneOfKind(SegmentKind::Gen2);
    const ObjectRow object = someObject(*scene.bridge.snapshot(), scene.map().state().segment(lane));
    for (int step = 0; step < 24; ++step) scene.wheel(scene.pointAt(lane, object.address), 1);
    scene.hover(scene.pointAt(lane, object.address));
    const QString name = QString::fromStdString(scene.bridge.snapshot()->types()[object.type.value].name);
    QTRY_VERIFY_WITH_TIMEOUT(scene.map().bubble().isVisible(), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(scene.map().bubble().text().title, name, kPatienceMs);
  }

  void farOutTheEngineNamesTheObject() {
    Scene& scene = opened("shop-10");
    const std::size_t lane = scene.laneOfKind(SegmentKind::Gen2);
    const QRect bar = scene.map().state().geometry().lanes[lane].bar;
    const QPoint point(bar.left() + 20, bar.center().y());
    const auto expected = objectAt(*scene.bridge.snapshot(), scene.map().state().scale(lane).addressAt(point.x()));
    QVERIFY(expected);
    scene.hover(point);
    QTRY_VERIFY_WITH_TIMEOUT(scene.map().bubble().isVisible(), kPatienceMs);
    const TypeRow& type = scene.bridge.snapshot()->types()[expected->type.value];
    QTRY_COMPARE_WITH_TIMEOUT(scene.map().bubble().text().title,
                              type.isFree ? QStringLiteral("Free space") : QString::fromStdString(type.name),
                              kPatienceMs);
  }

  void aClickSelectsTheObjectForAllPlaces() {
    Scene& scene = opened("shop-10");
    const std::size_t lane = scene.laneOfKind(SegmentKind::Gen2);
    const ObjectRow object = someObject(*scene.bridge.snapshot(), scene.map().state().segment(lane));
    for (int step = 0; step < 24; ++step) scene.wheel(scene.pointAt(lane, object.address), 1);
    QTest::mouseClick(scene.map().viewport(), Qt::LeftButton, {}, scene.pointAt(lane, object.address));
    QTRY_COMPARE_WITH_TIMEOUT(scene.navigator.location().selection.object.value, object.address.value, kPatienceMs);
    QCOMPARE(scene.navigator.location().selection.methodTable.value,
             scene.bridge.snapshot()->types()[object.type.value].methodTable.value);
    QCOMPARE(scene.navigator.location().selection.segment, scene.map().state().lanes()[lane].id);
  }

  void aSelectionFromElsewhereIsScrolledToAndMarked() {
    Scene& scene = opened("shop-10-server");
    scene.place.resize(900, 260);
    const auto& lanes = scene.map().state().lanes();
    std::size_t lane = lanes.size() - 1;
    while (lane > 0 && (scene.map().state().segment(lane).kind != SegmentKind::Gen2 ||
                        scene.map().state().segment(lane).objects.sizeBytes() < 50'000)) {
      --lane;
    }
    const ObjectRow object = someObject(*scene.bridge.snapshot(), scene.map().state().segment(lane));
    scene.navigator.showInSegments({object.address, {}, object.segment});
    QTRY_VERIFY_WITH_TIMEOUT(scene.map().markedObject().has_value(), kPatienceMs);
    QCOMPARE(scene.map().markedObject()->address.value, object.address.value);
    QCOMPARE(scene.map().currentLane(), scene.map().state().laneOf(object.segment));
    const QPoint point = scene.pointAt(*scene.map().currentLane(), object.address);
    QVERIFY(scene.map().viewport()->rect().contains(point));
    const double pixels = static_cast<double>(object.alignedBytes) /
                          scene.map().state().scale(*scene.map().currentLane()).bytesPerPixel();
    QVERIFY2(pixels >= 3, "the object must be large enough to be seen");
  }

  void aSelectionThatIsFilteredOutComesBack() {
    Scene& scene = opened("shop-10");
    const std::size_t lane = scene.laneOfKind(SegmentKind::Gen2);
    const ObjectRow object = someObject(*scene.bridge.snapshot(), scene.map().state().segment(lane));
    const std::size_t all = scene.map().state().lanes().size();
    for (auto* chip : scene.place.findChildren<QAbstractButton*>()) {
      if (chip->text() == QStringLiteral("gen2")) chip->click();
    }
    QVERIFY(scene.map().state().lanes().size() < all);
    scene.navigator.showInSegments({object.address, {}, object.segment});
    QTRY_COMPARE_WITH_TIMEOUT(scene.map().state().lanes().size(), all, kPatienceMs);
    QVERIFY(scene.map().currentLane() == scene.map().state().laneOf(object.segment));
  }

  void draggingPansAZoomedLaneAndSelectsNothing() {
    Scene& scene = opened("shop-10");
    const std::size_t lane = scene.laneOfKind(SegmentKind::Gen2);
    const QRect bar = scene.map().state().geometry().lanes[lane].bar;
    const QPoint start(bar.left() + 200, bar.center().y());
    scene.wheel(start, 8);
    const double offset = scene.map().state().view(lane).offset;
    QTest::mousePress(scene.map().viewport(), Qt::LeftButton, {}, start);
    for (const int x : {30, 90, 150}) {
      QMouseEvent move(QEvent::MouseMove, start - QPoint(x, 0),
                       scene.map().viewport()->mapToGlobal(start - QPoint(x, 0)), Qt::NoButton, Qt::LeftButton,
                       Qt::NoModifier);
      QCoreApplication::sendEvent(scene.map().viewport(), &move);
    }
    QTest::mouseRelease(scene.map().viewport(), Qt::LeftButton, {}, start - QPoint(150, 0));
    QVERIFY(scene.map().state().view(lane).offset > offset);
    QVERIFY(scene.navigator.location().selection.isEmpty());
  }

  void aDoubleClickFitsTheSegmentAndASecondOneShowsAllAgain() {
    Scene& scene = opened("shop-10");
    const std::size_t lane = scene.laneOfKind(SegmentKind::Gen1);
    const LaneView home = scene.map().state().view(lane);
    const auto middle = [&] { return scene.map().state().geometry().lanes[lane].bar.center(); };
    QTest::mouseDClick(scene.map().viewport(), Qt::LeftButton, {}, middle());
    QVERIFY(scene.map().state().view(lane).span < home.span);
    QTest::mouseDClick(scene.map().viewport(), Qt::LeftButton, {}, middle());
    QCOMPARE(scene.map().state().view(lane), home);
  }

  void theKeyboardZoomsMovesAndSelects() {
    Scene& scene = opened("shop-10");
    QTest::keyClick(&scene.map(), Qt::Key_Down);
    QCOMPARE(scene.map().currentLane(), std::optional<std::size_t>(1));
    QTest::keyClick(&scene.map(), Qt::Key_Plus);
    QVERIFY(scene.map().state().isZoomed(1));
    QTest::keyClick(&scene.map(), Qt::Key_0);
    QVERIFY(!scene.map().state().isZoomed(1));
    QTest::keyClick(&scene.map(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bool(scene.navigator.location().selection.object), kPatienceMs);
    const Address first = scene.navigator.location().selection.object;
    QTest::keyClick(&scene.map(), Qt::Key_Right, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(scene.navigator.location().selection.object > first, kPatienceMs);
    QTest::keyClick(&scene.map(), Qt::Key_Left, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(scene.navigator.location().selection.object.value, first.value, kPatienceMs);
  }

  void classicSegmentsShowTheirGenerations() {
    Scene scene;
    QVERIFY(scene.open("shop-10-segments"));
    const std::size_t lane = scene.laneOfKind(SegmentKind::Ephemeral);
    const Segment& segment = scene.map().state().segment(lane);
    QCOMPARE(segment.kind, SegmentKind::Ephemeral);
    // A quarter of a gigabyte is reserved; what is used must not be squeezed by it.
    const AddressScale scale = scene.map().state().scale(lane);
    QVERIFY(scale.xOf(segment.objects.end) - scale.xOf(segment.objects.start) > 200);
  }

  void anotherDumpReplacesTheFirst() {
    Scene scene;
    QVERIFY(scene.open("shop-10"));
    scene.place.clear();
    QCOMPARE(scene.map().state().lanes().size(), std::size_t{0});
    QVERIFY(scene.open("shop-9"));
    QCOMPARE(scene.map().state().lanes().size(), scene.bridge.snapshot()->segments().size());
  }

  void aPlaceShownAfterTheWalkReadsItsLanes() {
    Scene scene;
    scene.place.hide();
    QVERIFY(scene.open("shop-10"));
    scene.place.show();
    const std::size_t lane = scene.laneOfKind(SegmentKind::Gen2);
    const Address start = scene.map().state().segment(lane).objects.start;
    QTRY_VERIFY_WITH_TIMEOUT(scene.map().contentAt(lane, start), kPatienceMs);
  }

  void hidingEmptySegmentsKeepsTheCurrentOne() {
    Scene& scene = opened("shop-10-server");
    const std::size_t all = scene.map().state().lanes().size();
    QTest::keyClick(&scene.map(), Qt::Key_End, Qt::NoModifier);
    for (int step = 0; step < 3; ++step) QTest::keyClick(&scene.map(), Qt::Key_PageDown);
    for (auto* toggle : scene.place.findChildren<QCheckBox*>()) {
      if (toggle->text() == QStringLiteral("Hide empty")) toggle->click();
    }
    QVERIFY(scene.map().state().lanes().size() < all);
    QVERIFY(*scene.map().currentLane() < scene.map().state().lanes().size());
    for (std::size_t lane = 0; lane < scene.map().state().lanes().size(); ++lane)
      QVERIFY(scene.map().state().contents(lane)->totals.objects > 0);
  }

  void drawingOneFrameIsQuick() {
    Scene& scene = opened("shop-10-server");
    QTest::qWait(200);
    QImage image(scene.map().viewport()->size(), QImage::Format_ARGB32_Premultiplied);
    QBENCHMARK {
      scene.map().viewport()->render(&image);
    }
  }
};

HEAPSCAPE_WINDOW_TEST(SegmentsPlaceTest)
#include "tst_segments_place.moc"
