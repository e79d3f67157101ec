// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace heapscape::gui {

/// Where a dump or an assembly may be dropped, and buttons for those who would rather pick one. The window itself takes
/// drops anywhere; it tells this widget when one hovers.
class DropZone : public QWidget {
  Q_OBJECT

 public:
  explicit DropZone(QWidget* parent = nullptr);

  void setHovered(bool isHovered);

 Q_SIGNALS:
  void chooseRequested();
  void chooseAssemblyRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool m_isHovered = false;
};

}  // namespace heapscape::gui
