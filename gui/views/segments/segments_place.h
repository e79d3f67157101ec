// SPDX-License-Identifier: MIT
#pragma once

#include "views/place.h"

class QStackedWidget;

namespace heapscape::gui {

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

  QStackedWidget* m_pages;
  StatePanel* m_state;
  SegmentMap* m_map;
  SegmentsToolbar* m_toolbar;
  Selection m_revealed;  // the last selection that was picked here or scrolled to
};

}  // namespace heapscape::gui
