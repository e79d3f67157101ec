// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractButton>

namespace heapscape::gui {

/// A button that paints itself. Painted anew whenever the pointer, the focus, the theme or the font changes.
class PaintedButton : public QAbstractButton {
  Q_OBJECT

 public:
  explicit PaintedButton(QWidget* parent = nullptr);

  /// Whether a click leads somewhere: reached by Tab, with a hand as its pointer.
  void setLeadsSomewhere(bool leads);

 protected:
  bool leadsSomewhere() const { return focusPolicy() != Qt::NoFocus; }
  /// The ground of a row that leads somewhere while it is pointed at or has the focus.
  void paintGround(QPainter& painter) const;

  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace heapscape::gui
