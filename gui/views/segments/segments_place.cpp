// SPDX-License-Identifier: MIT
#include "views/segments/segments_place.h"

#include <QAction>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <QWidget>
#include <utility>

#include "models/lacking_heap.h"
#include "models/rows/picked_sets.h"
#include "session/heap/heap_map.h"
#include "session/references/cuts.h"
#include "views/segments/map_lines.h"
#include "views/segments/segment_map.h"
#include "views/segments/segments_toolbar.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/drawing/picture_legend.h"
#include "widgets/section.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

const QString kSegmentsZoom = u"segments"_s;

}  // namespace

SegmentsPlace::SegmentsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_pages(new QStackedWidget),
      m_state(new StatePanel),
      m_map(new SegmentMap(bridge)),
      m_toolbar(new SegmentsToolbar),
      m_highlight(new HighlightLine),
      m_hint(makeHint()),
      m_range(new RangeLine) {
  auto* picture = new QWidget;
  auto* column = new QVBoxLayout(picture);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_toolbar);
  column->addWidget(m_highlight);
  column->addWidget(m_map, 1);
  // One in the place of the other.
  column->addWidget(m_hint);
  column->addWidget(m_range);
  m_range->hide();
  m_highlight->hide();
  setPictureLegend(m_map, m_toolbar);

  m_pages->addWidget(m_state);
  m_pages->addWidget(picture);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_pages);
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see where its objects lie."_s);
  setupConnections();
}

SegmentsPlace::~SegmentsPlace() = default;

QWidget* SegmentsPlace::makeHint() {
  auto* strip = new QWidget(this);
  auto* row = new QHBoxLayout(strip);
  row->setContentsMargins(12, 6, 12, 6);
  QLabel* hint = makeNote(
      u"The wheel zooms, dragging pans, a double click opens an object or fits the segment. Shift and dragging select "
      "addresses, Shift and the wheel scroll."_s,
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
  connect(m_toolbar, &SegmentsToolbar::colouringChanged, this, &SegmentsPlace::recolour);
  connect(m_map, &SegmentMap::zoomChanged, this, [this] {
    m_toolbar->setCanFit(m_map->state().isAnyZoomed());
    tellZoom();
  });
  connect(m_map, &SegmentMap::filterHidesSelection, m_toolbar, &SegmentsToolbar::resetFilter);
  connect(m_map, &SegmentMap::opened, this,
          [this](const Selection& selection) { m_navigator.showObject(selection.object); });
  connect(m_map, &SegmentMap::picked, this, [this](const Selection& selection) {
    m_revealed = selection;
    m_navigator.select(selection);
  });
  connect(m_map, &SegmentMap::brushChanged, this, &SegmentsPlace::tellRange);
  connect(m_highlight, &HighlightLine::clearWanted, &m_navigator, &Navigator::showAllInSegments);
  connect(m_highlight, &HighlightLine::placeWanted, this, [this](double place) {
    if (const auto* snapshot = m_bridge.snapshot()) m_map->reveal(addressInHeap(*snapshot, place));
  });
  connect(m_range, &RangeLine::listWanted, this, &SegmentsPlace::listRange);
  connect(m_range, &RangeLine::cutWanted, this, &SegmentsPlace::cutRange);
  connect(m_range, &RangeLine::clearWanted, this, [this] { m_map->brush({}); });
  connect(m_range, &RangeLine::pinWanted, this, [this] {
    if (QAction* pin = pinActionOf(*m_map)) pin->trigger();
  });
}

// Steps of a wheel and of a drag are one; what is shown of what was picked elsewhere is none by itself.
void SegmentsPlace::tellZoom() {
  constexpr qint64 kOneMoveMs = 800;
  if (m_isZooming || !m_map->state().snapshot()) return;
  m_zoom = m_zooms.add(m_map->state().views());
  const bool isSameMove = m_sinceZoom.isValid() && m_sinceZoom.elapsed() < kOneMoveMs;
  if (m_map->isRevealing() || isSameMove) {
    m_navigator.keepZoom(kSegmentsZoom, m_zoom);
  } else {
    m_navigator.zoom(kSegmentsZoom, m_zoom);
  }
  if (!m_map->isRevealing()) m_sinceZoom.start();
}

void SegmentsPlace::followZoom(std::uint32_t step) {
  const MapState::Views* views = m_zooms.find(step);
  if (!views) return;
  m_zoom = step;
  m_sinceZoom.invalidate();
  m_isZooming = true;
  m_map->setViews(*views);
  m_isZooming = false;
}

void SegmentsPlace::tellRange() {
  m_hint->setVisible(!m_map->brushed());
  m_range->setVisible(m_map->brushed().has_value());
  if (!m_map->brushed()) {
    m_bridge.stopAsking(this, "range");
    return;
  }
  const engine::AddressRange range = *m_map->brushed();
  m_range->showSearching(range);
  m_bridge.ask(
      this, "range",
      [range](const engine::Snapshot& snapshot, std::stop_token stop) { return summaryOfRange(snapshot, range, stop); },
      [this](const engine::Outcome<engine::RangeSummary>& summary) {
        if (summary && m_bridge.snapshot()) m_range->show(*summary, *m_bridge.snapshot());
      });
}

void SegmentsPlace::listRange() {
  if (!m_map->brushed()) return;
  const engine::AddressRange range = *m_map->brushed();
  m_navigator.showObjectsOf(u"address >= %1 and address < %2"_s.arg(addressText(range.start), addressText(range.end)));
}

void SegmentsPlace::cutRange() {
  if (!m_map->brushed()) return;
  const engine::AddressRange range = *m_map->brushed();
  const QString name = u"%1–%2"_s.arg(addressText(range.start), addressText(range.end));
  m_bridge.ask(
      this, "rangeSet",
      [range](const engine::Snapshot& snapshot, std::stop_token stop) { return objectsIn(snapshot, range, stop); },
      [this, name](engine::Outcome<std::vector<std::uint32_t>> objects) {
        if (!objects || objects->empty()) return;
        const QString set = PickedSets::of(m_bridge).add(std::move(*objects), name);
        m_navigator.cut(fromEngine(engine::cutOfSet(set.toStdString())));
      });
}

// What is shown before the answer stays: it is painted in the colours that it was read for.
void SegmentsPlace::recolour() {
  const auto* snapshot = m_bridge.snapshot();
  if (!snapshot || !snapshot->has(engine::Stage::Objects)) return;
  m_colouredBy = m_navigator.location().selection.methodTable;
  m_bridge.ask(
      this, "colours",
      [colouring = m_toolbar->colouring(), picked = snapshot->typeOf(m_colouredBy), pins = m_map->state().paint().pins](
          const engine::Snapshot& asked, std::stop_token) {
        return engine::MapColours::of(asked, colouring, picked, pins);
      },
      [this](const std::shared_ptr<const engine::MapColours>& colours) {
        if (!m_bridge.snapshot()) return;
        const bool isByGeneration = colours->colouring() == engine::MapColouring::Generation;
        m_map->setColours(isByGeneration ? nullptr : colours);
        m_toolbar->showLegend(colours, *m_bridge.snapshot());
      });
}

void SegmentsPlace::findPins() {
  m_bridge.ask(
      this, "pins",
      [](const engine::Snapshot& snapshot, std::stop_token stop) { return engine::MapPins::of(snapshot, stop); },
      [this](const engine::Outcome<std::shared_ptr<const engine::MapPins>>& pins) {
        if (!pins) return;
        m_map->setPins(*pins);
        if (m_toolbar->colouring() == engine::MapColouring::Pinned) recolour();
      });
}

void SegmentsPlace::highlight(const ShownOnMap& shown) {
  const auto* snapshot = m_bridge.snapshot();
  m_shown = shown;
  m_highlight->setVisible(!shown.isEmpty());
  if (shown.isEmpty() || !snapshot) {
    m_bridge.stopAsking(this, "highlight");
    m_map->setHighlight(nullptr);
    return;
  }
  const engine::TypeId type = snapshot->typeOf(shown.methodTable);
  const auto set = PickedSets::of(m_bridge).find(shown.set);
  const QString name = shown.set.isEmpty() ? shortTypeName(snapshot->typeName(type)) : shown.set;
  m_highlight->showSearching(name);
  m_bridge.ask(
      this, "highlight",
      [type, set](const engine::Snapshot& asked, std::stop_token stop) {
        return set ? engine::MapHighlight::ofObjects(asked, *set, stop)
                   : engine::MapHighlight::ofType(asked, type, stop);
      },
      [this, name](const engine::Outcome<std::shared_ptr<const engine::MapHighlight>>& found) {
        if (!found) return;
        m_highlight->show(name, *found);
        m_map->setHighlight(*found);
      });
}

void SegmentsPlace::showSnapshot(const engine::Snapshot& snapshot) {
  if (!snapshot.has(engine::Stage::Segments)) {
    m_state->showLoading(u"Reading segments…"_s);
    return;
  }
  if (lacksHeap(snapshot)) return;  // which the window says
  if (snapshot.segments().empty()) {
    m_state->showEmpty(u"No segments"_s,
                       u"The dump holds no managed heap. A dump that includes the heap shows it here."_s);
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_toolbar->showSnapshot(snapshot);
  m_map->showSnapshot(snapshot);
  m_pages->setCurrentIndex(m_pages->count() - 1);
  if (!snapshot.has(engine::Stage::Objects)) return;
  if (!m_map->state().paint().pins) findPins();
  // What the roots reach may be known by now, or from other roots.
  if (snapshot.has(engine::Stage::Retained)) {
    if (m_toolbar->colouring() != engine::MapColouring::Generation) recolour();
    if (m_map->brushed()) tellRange();
  }
  follow(m_navigator.location());
}

void SegmentsPlace::clear() {
  m_zooms.clear();
  m_zoom = 0;
  m_revealed = {};
  m_shown = {};
  m_colouredBy = {};
  m_highlight->hide();
  m_map->clear();
  m_toolbar->clear();
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see where its objects lie."_s);
  m_pages->setCurrentWidget(m_state);
}

void SegmentsPlace::follow(const Location& location) {
  // What was picked here or shown before stays where the user has it; only what is new to this place is scrolled to.
  const bool isHere = location.place == PlaceId::Segments;
  const std::uint32_t step = location.zoomOf(kSegmentsZoom);
  const bool isBack = isHere && step != m_zoom && m_zooms.find(step);
  const bool reveals = isHere && !isBack && !(location.selection == m_revealed);
  if (isHere) m_revealed = location.selection;
  m_map->showSelection(location.selection, reveals);
  if (isBack) {
    followZoom(step);
  } else if (isHere && step == 0 && m_map->state().snapshot()) {
    // What is shown now, so that back() finds it.
    m_zoom = m_zooms.add(m_map->state().views());
    m_navigator.keepZoom(kSegmentsZoom, m_zoom);
  }
  if (m_map->state().hasObjects() && !(location.onMap == m_shown)) highlight(location.onMap);
  const bool isOtherType = location.selection.methodTable != m_colouredBy;
  if (isOtherType && m_toolbar->colouring() == engine::MapColouring::PickedType) recolour();
}

}  // namespace heapscape::gui
