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
  bool hasArrow = false;  // of a reference
  QColor seam = {};       // of what is sewn along its upper edge
};

/// An entry of a legend: a sample of the colour, its name, and, where it can be switched, whether it is shown.
class LegendChip : public PaintedButton {
  Q_OBJECT

 public:
  LegendChip(const QString& text, std::function<ChipSample(const Colours&)> sample, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::function<ChipSample(const Colours&)> m_sample;
};

}  // namespace heapscape::gui
