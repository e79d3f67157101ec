// SPDX-License-Identifier: MIT
#pragma once

#include "widgets/painted_button.h"

namespace heapscape::gui {

/// A line of what threads were doing: their number, its share as a bar, and the words.
class ActivityRow : public PaintedButton {
  Q_OBJECT

 public:
  ActivityRow(const QString& doing, std::uint64_t threads, std::uint64_t all, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int figureWidth() const;

  QString m_count;
  double m_share;
};

}  // namespace heapscape::gui
