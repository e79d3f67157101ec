// SPDX-License-Identifier: MIT
#include "views/segments/segments_place.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "models/lacking_heap.h"
#include "views/segments/segment_map.h"
#include "views/segments/segments_toolbar.h"
#include "widgets/section.h"
#include "widgets/state_panel.h"

namespace heapscape::gui {

SegmentsPlace::SegmentsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_pages(new QStackedWidget),
      m_state(new StatePanel),
      m_map(new SegmentMap(bridge)),
      m_toolbar(new SegmentsToolbar) {
  auto* picture = new QWidget;
  auto* column = new QVBoxLayout(picture);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_toolbar);
  column->addWidget(m_map, 1);
  column->addWidget(makeHint());

  m_pages->addWidget(m_state);
  m_pages->addWidget(picture);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_pages);
  m_state->showEmpty(QStringLiteral("No dump is open"),
                     QStringLiteral("Open a core dump to see where its objects lie."));
  setupConnections();
}

SegmentsPlace::~SegmentsPlace() = default;

QWidget* SegmentsPlace::makeHint() {
  auto* strip = new QWidget(this);
  auto* row = new QHBoxLayout(strip);
  row->setContentsMargins(12, 6, 12, 6);
  QLabel* hint = makeNote(
      QStringLiteral(
          "The wheel zooms, dragging pans, a double click opens an object or fits the segment. Shift and the wheel "
          "scroll."),
      strip);
  hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  row->addWidget(hint);
  return strip;
}

void SegmentsPlace::setupConnections() {
  connect(m_toolbar, &SegmentsToolbar::filterChanged, this,
          [this](const LaneFilter& filter) { m_map->setFilter(filter); });
  connect(m_toolbar, &SegmentsToolbar::fillsWidthChanged, m_map, &SegmentMap::setFillsWidth);
  connect(m_toolbar, &SegmentsToolbar::zoomRequested, m_map, &SegmentMap::zoomBy);
  connect(m_toolbar, &SegmentsToolbar::fitRequested, m_map, &SegmentMap::fitAll);
  connect(m_map, &SegmentMap::zoomChanged, this, [this] { m_toolbar->setCanFit(m_map->state().isAnyZoomed()); });
  connect(m_map, &SegmentMap::filterHidesSelection, m_toolbar, &SegmentsToolbar::resetFilter);
  connect(m_map, &SegmentMap::opened, this,
          [this](const Selection& selection) { m_navigator.showObject(selection.object); });
  connect(m_map, &SegmentMap::picked, this, [this](const Selection& selection) {
    m_revealed = selection;
    m_navigator.select(selection);
  });
}

void SegmentsPlace::showSnapshot(const engine::Snapshot& snapshot) {
  if (!snapshot.has(engine::Stage::Segments)) {
    m_state->showLoading(QStringLiteral("Reading segments…"));
    return;
  }
  if (lacksHeap(snapshot)) return;  // which the window says
  if (snapshot.segments().empty()) {
    m_state->showEmpty(QStringLiteral("No segments"),
                       QStringLiteral("The dump holds no managed heap. A dump with the heap in it shows it here."));
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_toolbar->showSnapshot(snapshot);
  m_map->showSnapshot(snapshot);
  m_pages->setCurrentIndex(m_pages->count() - 1);
  if (snapshot.has(engine::Stage::Objects)) follow(m_navigator.location());
}

void SegmentsPlace::clear() {
  m_revealed = {};
  m_toolbar->clear();
  m_map->clear();
  m_state->showEmpty(QStringLiteral("No dump is open"),
                     QStringLiteral("Open a core dump to see where its objects lie."));
  m_pages->setCurrentWidget(m_state);
}

void SegmentsPlace::follow(const Location& location) {
  // What was picked here or shown before stays where the user has it; only what is new to this place is scrolled to.
  const bool reveals = location.place == PlaceId::Segments && !(location.selection == m_revealed);
  if (reveals) m_revealed = location.selection;
  m_map->showSelection(location.selection, reveals);
}

}  // namespace heapscape::gui
