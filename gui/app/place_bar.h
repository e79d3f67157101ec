// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <map>

#include "bridge/navigator.h"

class QAction;
class QVBoxLayout;

namespace heapscape::gui {

/// The list of places down the left side.
class PlaceBar : public QWidget {
  Q_OBJECT

 public:
  explicit PlaceBar(QWidget* parent = nullptr);

  /// The button triggers the action and shows its text, icon, shortcut and whether it can be used.
  void addPlace(PlaceId place, QAction* action);
  void addGap();
  void setCurrent(PlaceId place);
  /// Icons alone, where words would take the room that the place needs.
  void setCompact(bool isCompact);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QVBoxLayout* m_layout;
  std::map<PlaceId, QAction*> m_actions;
  bool m_isCompact = false;
};

}  // namespace heapscape::gui
