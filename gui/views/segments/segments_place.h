// SPDX-License-Identifier: MIT
#pragma once

#include <QElapsedTimer>

#include "models/zoom_steps.h"
#include "views/place.h"
#include "views/segments/map_state.h"

class QStackedWidget;

namespace heapscape::gui {

class HighlightLine;
class RangeLine;
class SegmentMap;
class SegmentsToolbar;
class StatePanel;

/// Where memory lies: every heap's segments along their addresses, from densities down to single objects.
class SegmentsPlace : public Place {
  Q_OBJECT

 public:
  SegmentsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);
  ~SegmentsPlace() override;

  PlaceId id() const override { return PlaceId::Segments; }
  QString title() const override { return u"Segments"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 private:
  QWidget* makeHint();
  void setupConnections();
  /// Asks what the colours tell of each object, by the choice in the toolbar and what is picked.
  void recolour();
  void findPins();
  void highlight(const ShownOnMap& shown);
  void tellZoom();
  void followZoom(std::uint32_t step);
  void tellRange();
  void listRange();
  void cutRange();

  QStackedWidget* m_pages;
  StatePanel* m_state;
  SegmentMap* m_map;
  SegmentsToolbar* m_toolbar;
  HighlightLine* m_highlight;
  QWidget* m_hint;
  RangeLine* m_range;
  ShownOnMap m_shown;            // in full colour, or being looked for
  engine::Address m_colouredBy;  // the type that was picked when the colours were asked for
  Selection m_revealed;          // the last selection that was picked here or scrolled to
  ZoomSteps<MapState::Views> m_zooms;
  std::uint32_t m_zoom = 0;   // of these, that is shown
  QElapsedTimer m_sinceZoom;  // by the user
  bool m_isZooming = false;   // to a step of the history
};

}  // namespace heapscape::gui
