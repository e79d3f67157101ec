// SPDX-License-Identifier: MIT
#pragma once

#include "views/place.h"

namespace heapscape::gui {

class StatePanel;

/// What changed between two dumps of one program.
class ComparePlace : public Place {
  Q_OBJECT

 public:
  ComparePlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Compare; }
  QString title() const override { return tr("Compare"); }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location&) override {}
};

}  // namespace heapscape::gui
