// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace heapscape::gui {

/// Where a dump may be dropped, and a button for those who would rather pick it. The window itself takes drops
/// anywhere; it tells this widget when one hovers.
class DropZone : public QWidget {
  Q_OBJECT

 public:
  explicit DropZone(QWidget* parent = nullptr);

  void setHovered(bool isHovered);

 Q_SIGNALS:
  void chooseRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool m_isHovered = false;
};

}  // namespace heapscape::gui
