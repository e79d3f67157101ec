// SPDX-License-Identifier: MIT
#pragma once

#include "views/place.h"

namespace heapscape::gui {

class StatePanel;

/// Every mapped byte of the process by whose it is.
class MemoryPlace : public Place {
  Q_OBJECT

 public:
  MemoryPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Memory; }
  QString title() const override { return tr("Memory"); }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location&) override {}
};

}  // namespace heapscape::gui
