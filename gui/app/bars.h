// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <map>
#include <optional>

#include "bridge/navigator.h"
#include "session/snapshot/snapshot.h"

class QAction;
class QHBoxLayout;
class QVBoxLayout;

namespace heapscape::gui {

class ElidedText;

/// Back, forward, the go-to box, and which dump this is.
class TopBar : public QWidget {
  Q_OBJECT

 public:
  TopBar(QAction* back, QAction* forward, QWidget* goToBox, QAction* inspector, QWidget* parent = nullptr);

  void showOpening(const QString& path);
  void showDump(const engine::Summary& summary);
  void showAssembly(const QString& path, const QString& line);
  void showNothing();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void addButton(QAction* action);

  QHBoxLayout* m_layout;
  ElidedText* m_dump;
};

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
