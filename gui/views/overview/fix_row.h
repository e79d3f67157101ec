// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "widgets/painted_button.h"

namespace heapscape::gui {

/// What a line of the overview's list says.
struct FixLine {
  QString sentence;
  QString figure;    // "41.2 MB"
  QString detail;    // dimmed, at its right end: "3 objects"
  double share = 0;  // of the largest, 0 to 1
  bool goes = true;  // would be won back: hatched; else merely held
  QString tip;
};

/// A line of what to fix first, or of what is merely held: bytes, their share as a bar, the sentence. A click leads to
/// the objects.
class FixRow : public PaintedButton {
  Q_OBJECT

 public:
  explicit FixRow(const FixLine& line, QWidget* parent = nullptr);

  const FixLine& line() const { return m_line; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int figureWidth() const;
  int barWidth() const;

  FixLine m_line;
};

}  // namespace heapscape::gui
