// SPDX-License-Identifier: MIT
#pragma once

#include "views/place.h"

namespace heapscape::gui {

class StatePanel;

/// Pictures and tables that were pinned, with notes, as pages for a review.
class ReviewPlace : public Place {
  Q_OBJECT

 public:
  ReviewPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Review; }
  QString title() const override { return tr("Review"); }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location&) override {}
};

}  // namespace heapscape::gui
