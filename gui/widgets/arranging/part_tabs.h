// SPDX-License-Identifier: MIT
#pragma once

#include <QTabBar>
#include <vector>

namespace heapscape::gui {

/// Parts that stand together where there is room, and else one at a time, by the tabs of this bar. It stands above
/// them, and is hidden while all are shown.
class PartTabs : public QTabBar {
  Q_OBJECT

 public:
  explicit PartTabs(const QString& name, QWidget* parent = nullptr);

  /// `widgets` are shown for it; one may belong to several parts.
  void addPart(const QString& title, std::vector<QWidget*> widgets);
  /// To be told by whoever knows the room.
  void setOneAtATime(bool isOneAtATime);

 private:
  void showParts();

  std::vector<std::vector<QWidget*>> m_parts;
  bool m_isOneAtATime = false;
};

}  // namespace heapscape::gui
