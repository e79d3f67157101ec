// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractButton>
#include <QCheckBox>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

#include "support/place_scene.h"
#include "views/segments/segment_map.h"
#include "views/segments/segments_place.h"

namespace heapscape::gui::test {

/// The place with a dump, driven as a person does.
struct SegmentsScene : PlaceScene<SegmentsPlace> {
  SegmentsScene() : PlaceScene(PlaceId::Segments) {}

  /// What a dump that is opened anew looks like; opening it again for each test would take most of the time.
  void showAnew() {
    place.clear();
    navigator.reset(PlaceId::Segments);
    place.resize(1100, 760);
    for (auto* toggle : place.findChildren<QAbstractButton*>()) {
      if (qobject_cast<QCheckBox*>(toggle)) toggle->setChecked(false);
    }
    place.showSnapshot(*bridge.snapshot());
    map().verticalScrollBar()->setValue(0);
  }

  bool open(const char* name) { return openUntilRetained(dumpFile(QString::fromLatin1(name))); }

  SegmentMap& map() { return *place.findChild<SegmentMap*>(); }

  std::size_t laneOfKind(engine::SegmentKind kind) {
    for (std::size_t lane = 0; lane < map().state().lanes().size(); ++lane) {
      if (const engine::Segment& each = map().state().segment(lane); each.kind == kind && !each.objects.isEmpty())
        return lane;
    }
    return 0;
  }

  QPoint pointAt(std::size_t lane, engine::Address address) {
    const QRect bar = map().state().geometry().lanes[lane].bar;
    const double x = map().state().scale(lane).xOf(address);
    return {static_cast<int>(std::ceil(x)), bar.center().y() - map().verticalScrollBar()->value()};
  }

  void hover(QPoint point) {
    QWidget* viewport = map().viewport();
    QMouseEvent event(QEvent::MouseMove, point, viewport->mapToGlobal(point), Qt::NoButton, Qt::NoButton,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(viewport, &event);
  }

  void wheel(QPoint point, int steps) {
    QWidget* viewport = map().viewport();
    for (int step = 0; step < std::abs(steps); ++step) {
      QWheelEvent event(point, viewport->mapToGlobal(QPointF(point)), {}, {0, steps > 0 ? 120 : -120}, Qt::NoButton,
                        Qt::NoModifier, Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(viewport, &event);
    }
  }

  void waitForObjects(std::size_t lane, engine::Address address) {
    QTRY_VERIFY_WITH_TIMEOUT(map().contentAt(lane, address) && map().contentAt(lane, address)->hasObjects, kPatienceMs);
  }
};

/// An object in the middle of a segment that is no free block.
inline engine::ObjectRow someObject(const engine::Snapshot& snapshot, const engine::Segment& segment) {
  engine::ObjectFilter filter;
  filter.addresses = segment.objects;
  for (const engine::ObjectRow& row : listObjects(snapshot, filter, 40, 200)) {
    if (!snapshot.types()[row.type.value].isFree) return row;
  }
  return {};
}

}  // namespace heapscape::gui::test
