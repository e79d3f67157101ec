// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <optional>

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
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  /// What its parts take in the font that it has, measured once: layouts ask for it over and over.
  struct Widths {
    int figure = 0;
    int bar = 0;
    int sentence = 0;
    int detail = 0;
  };
  const Widths& widths() const;
  /// Of what is right of the bar in a row of this width.
  int wordsWidth(int width) const;
  bool takesTwoLines(int width) const;

  FixLine m_line;
  mutable std::optional<Widths> m_widths;
};

}  // namespace heapscape::gui
