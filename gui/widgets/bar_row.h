// SPDX-License-Identifier: MIT
#pragma once

#include <QBrush>
#include <QString>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "widgets/painted_button.h"

namespace heapscape::gui {

struct Colours;

/// Where the parts of a row stand.
enum class RowForm {
  Chip,    // text and figures in a frame, the bar under them; can be checked
  Owner,   // text and figures, the bar under them
  Beside,  // a figure, the bar, the text
  Action,  // as Beside, but bold and with a thicker bar; more lines where the text wants them, a detail where it fits
  Sample,  // a sample of a colour, the text, figures
  Link,    // the text alone, in the colour of links
};

/// A figure at the right end of a row, or before its bar.
struct RowFigure {
  QString text;
  QString room = {};  // as wide as this, so that the figures of rows below each other stand in a column; none: its own
  bool isDimmed = false;
};

/// The words and figures of a row.
struct BarLine {
  RowForm form = RowForm::Beside;
  QString text = {};                    // cut in its middle where room is short
  QString textRoom = {};                // as RowFigure::room
  std::vector<RowFigure> figures = {};  // the rightmost first; Beside and Action: that before the bar
  QString detail = {};                  // dimmed, at the right end of an action
  double share = 0;                     // length of the bar, 0 to 1
  bool isHatched = false;               // would be won back
  bool isWarning = false;               // a link in the colour of warnings
  std::function<QBrush(const Colours&)> sample = {};
  bool isSampleOutlined = false;
  QString tip = {};
  QString spoken = {};  // accessible name; none: the text
  bool leads = true;    // a click leads somewhere
};

/// A row of text with figures and, as a bar, their share. A click leads to what it is about.
class BarRow : public PaintedButton {
  Q_OBJECT

 public:
  explicit BarRow(BarLine line, QWidget* parent = nullptr);

  const BarLine& line() const { return m_line; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  int heightForWidth(int width) const override;

 Q_SIGNALS:
  /// Emitted as the pointer or the focus comes and goes.
  void hovered(bool isHovered);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  /// Widths of its parts in the font that it has, measured once: layouts ask for it over and over.
  struct Widths {
    int text = 0;
    int figures = 0;
    int bar = 0;
    int detail = 0;
  };
  const Widths& widths() const;
  QFont figureFont() const;
  int figureWidth(const RowFigure& figure) const;
  int gap() const;
  int sampleSide() const;
  /// How many an action's sentence takes.
  int linesIn(int width) const;
  int roomOfLines(int lines, int width) const;
  void paintFrame(QPainter& painter, const Colours& colours) const;
  void paintBar(QPainter& painter, const Colours& colours, const QRectF& room) const;
  void paintBeside(QPainter& painter, const Colours& colours) const;
  void paintWords(QPainter& painter, const Colours& colours, const QRect& room) const;

  BarLine m_line;
  mutable std::optional<Widths> m_widths;
};

/// A kind of rows with their number and its share of all. Checked, it limits a list to its kind.
BarRow* makeKindChip(const QString& name, std::uint64_t count, std::uint64_t all, QWidget* parent);

/// A line of text that leads somewhere.
BarRow* makeLinkRow(const QString& text, QWidget* parent, bool isWarning = false);

}  // namespace heapscape::gui
