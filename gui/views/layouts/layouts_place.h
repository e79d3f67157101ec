// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "views/place.h"

namespace heapscape::gui {

/// What objects of a type look like inside: the list of types, the byte diagram and the table of fields.
class LayoutsPlace : public Place {
  Q_OBJECT

 public:
  LayoutsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);
  ~LayoutsPlace() override;

  PlaceId id() const override { return PlaceId::Layouts; }
  QString title() const override { return tr("Layouts"); }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 private:
  class Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace heapscape::gui
