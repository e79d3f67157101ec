// SPDX-License-Identifier: MIT
#pragma once

#include "views/overview/age_shares.h"
#include "widgets/painted_button.h"

namespace heapscape::gui {

/// A line of the donut's legend: swatch, name, bytes, share. Picking it shows the types of that generation.
class ShareRow : public PaintedButton {
  Q_OBJECT

 public:
  ShareRow(const AgeShare& share, std::uint64_t wholeBytes, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 Q_SIGNALS:
  /// By the pointer, or the focus.
  void hovered(bool isHovered);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  AgeShare m_share;
  QString m_bytes;
  QString m_percent;
};

}  // namespace heapscape::gui
