// SPDX-License-Identifier: MIT
#pragma once

#include "views/place.h"

namespace heapscape::gui {

class StatePanel;

/// Where memory is wasted, what would win it back, and who holds it.
class InsightsPlace : public Place {
  Q_OBJECT

 public:
  InsightsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Insights; }
  QString title() const override { return tr("Insights"); }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location&) override {}
};

}  // namespace heapscape::gui
