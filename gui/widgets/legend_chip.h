// SPDX-License-Identifier: MIT
#pragma once

#include <QBrush>
#include <QColor>
#include <QPen>
#include <functional>

#include "widgets/painted_button.h"

namespace heapscape::gui {

struct Colours;

/// How a chip's sample looks: filled, dotted, outlined; an arrow has the colour of the line.
struct ChipSample {
  QBrush fill;
  QPen line = QPen(Qt::NoPen);
  bool hasArrow = false;   // of a reference
  QColor seam = {};        // of what is sewn along its upper edge
  bool isHatched = false;  // with the lines of padding, also where a brush would be plain
  bool isPin = false;      // the mark of a pin, in the colour of the filling
  bool isTick = false;     // an upright line in that colour
};

/// Paints a sample, square, in the room; with an outline where it has no line itself.
void paintChipSample(QPainter& painter, const QRectF& room, const ChipSample& sample, const Colours& colours);

/// An entry of a legend: a sample of the colour, its name, and, where it can be switched, whether it is shown.
class LegendChip : public PaintedButton {
  Q_OBJECT

 public:
  LegendChip(const QString& text, std::function<ChipSample(const Colours&)> sample, QWidget* parent = nullptr);

  ChipSample sample(const Colours& colours) const { return m_sample(colours); }
  /// Whether it tells of something that is shown: not where it is switched off, or only filters.
  bool explains() const { return !m_onlyFilters && (!isCheckable() || isChecked()); }
  void setOnlyFilters(bool filters) { m_onlyFilters = filters; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::function<ChipSample(const Colours&)> m_sample;
  bool m_onlyFilters = false;
};

}  // namespace heapscape::gui
