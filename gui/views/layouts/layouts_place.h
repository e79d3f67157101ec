// SPDX-License-Identifier: MIT
#pragma once

#include "views/place.h"

class QSplitter;
class QStackedLayout;

namespace heapscape::gui {

class LayoutPanel;
class LayoutTypesList;
class StatePanel;
struct PreparedLayout;

/// What objects of a type look like inside: the list of types, the byte diagram and the table of fields.
class LayoutsPlace : public Place {
  Q_OBJECT

 public:
  LayoutsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Layouts; }
  QString title() const override { return tr("Layouts"); }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 private:
  void addParts();
  void askForLayout(engine::Address methodTable);
  void take(engine::Address methodTable, engine::Result<PreparedLayout> layout);
  void showWhole(QWidget* page);

  LayoutTypesList* m_types;
  LayoutPanel* m_panel;
  StatePanel* m_state;      // of the whole place
  StatePanel* m_typeState;  // of the type
  QSplitter* m_splitter;
  QStackedLayout* m_pages;
  QStackedLayout* m_typePages;
  engine::Address m_asked;
  bool m_isReady = false;
};

}  // namespace heapscape::gui
